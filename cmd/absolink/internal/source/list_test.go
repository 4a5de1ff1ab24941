package source_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
)

// lay writes files into a new directory, which becomes the current one.
func lay(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ReadFilesFrom adds the names of a list, one a line or each before a NUL, to the arguments.
func TestReadFilesFrom(t *testing.T) {
	tests := []struct {
		list string
		args []string
		want []string
		err  string
	}{
		{"a\nb c\n", nil, []string{"a", "b c"}, ""},
		{"a\r\n\n\nb", []string{"x"}, []string{"x", "a", "b"}, ""},
		{"\ufeffa\r\nb", nil, []string{"a", "b"}, ""},
		{"\xff\xfea\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00", nil, []string{"a", "é"}, ""}, // of PowerShell
		{"\xe9\n", nil, []string{"\xe9"}, ""},
		{"a\n\x00b\r\x00", nil, []string{"a\n", "b\r"}, ""},
		{"\ufeffa\x00b\x00", nil, []string{"\ufeffa", "b"}, ""},               // the first name begins like that
		{"\xff\xfea.html\x00b\x00", nil, []string{"\xff\xfea.html", "b"}, ""}, // in ISO 8859-1
		{"\xfe\xff\xd8\x00\x00\x41", nil, []string{"\xfe\xff\xd8", "A"}, ""},  // half of a surrogate pair
		{"", []string{"x"}, []string{"x"}, ""},
		{"\n", nil, nil, "names no input"},
	}
	for _, tt := range tests {
		lay(t, map[string]string{"list": tt.list})
		for _, name := range []string{"list", "-"} {
			s := source.Set{FilesFrom: name}
			got, err := s.ReadFilesFrom(t.Context(), tt.args, strings.NewReader(tt.list))
			if !slices.Equal(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("ReadFilesFrom of %q in %s to %q: got %q and error %v, want %q and %q",
					tt.list, name, tt.args, got, err, tt.want, tt.err)
			}
		}
	}
	s := source.Set{FilesFrom: "missing"}
	_, err := s.ReadFilesFrom(t.Context(), nil, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "--files-from missing: ") {
		t.Errorf("ReadFilesFrom of a missing list: got error %v", err)
	}
	s = source.Set{FilesFrom: "list", Units: "units"}
	if _, err := s.ReadFilesFrom(t.Context(), nil, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "--units names all") {
		t.Errorf("Join with units: got error %v", err)
	}
	args := []string{"x", "y"}
	s = source.Set{FilesFrom: "-"}
	if _, err := s.ReadFilesFrom(t.Context(), args[:1], strings.NewReader("z\n")); err != nil || args[1] != "y" {
		t.Errorf("Join: got error %v, and the arguments of the caller are %q", err, args)
	}
}

func TestIsURL(t *testing.T) {
	for arg, want := range map[string]bool{"http://a.test/": true, "HTTPS://a": true, "http:a": false,
		"ftp://a/": false, "a.html": false, "": false, "file:///a": false, "C://a": false, "http://": true} {
		if got := source.IsURL(arg); got != want {
			t.Errorf("IsURL(%q): got %v, want %v", arg, got, want)
		}
	}
}

// Only one document, mailbox, Maildir or archive can have one retrieval URI.
func TestOne(t *testing.T) {
	lay(t, map[string]string{"a.html": "", "d/a.html": "", "box/cur/1": "", "box/new/2": ""})
	tests := []struct {
		set  source.Set
		args []string
		want bool
	}{
		{source.Set{}, nil, true}, {source.Set{}, []string{"a.html"}, true}, {source.Set{}, []string{"missing"}, true},
		{source.Set{}, []string{"d"}, false}, {source.Set{}, []string{"box"}, true},
		{source.Set{}, []string{"a.html", "a.html"}, false}, {source.Set{URLs: "urls"}, nil, false},
		{source.Set{Units: "units"}, nil, false},
	}
	for i := range tests {
		tt := &tests[i]
		if err := tt.set.SetArgs(tt.args); err != nil {
			t.Fatal(err)
		}
		if got := tt.set.IsSingle(); got != tt.want {
			t.Errorf("One of %q: got %v, want %v", tt.args, got, tt.want)
		}
	}
}

// Only inputs have a copy, at their paths below the argument.
func TestRelOf(t *testing.T) {
	lay(t, map[string]string{"s/d/a.html": "", "s/b.txt": "", "out.html": "", "f.html": ""})
	if err := errors.Join(os.Symlink("../out.html", "s/out.html"), os.Symlink("d/a.html", "s/in.html")); err != nil {
		t.Fatal(err)
	}
	for _, follow := range []bool{false, true} {
		s := source.Set{Include: []string{"*.html"}, Follow: follow}
		if err := s.SetArgs([]string{"http://a.test/", "s", "f.html"}); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"s/d/a.html": "d/a.html", "s/b.txt": "", "f.html": "f.html", "out.html": "",
			"s/in.html": "in.html", "s/out.html": "", "s/missing.html": ""}
		if follow {
			want["s/out.html"] = "out.html"
			want["s/missing.html"] = "missing.html" // a link to it is followed
		}
		for name, rel := range want {
			path, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.CopyPath(path); got != rel {
				t.Errorf("RelOf(%s) with Follow %v: got %q, want %q", name, follow, got, rel)
			}
		}
	}
}

// Behind the inputs of a unit stands a File that marks its end. A line that is no unit has an
// error.
func TestUnits(t *testing.T) {
	lay(t, map[string]string{"a.html": "x", "d/b.html": "", "d/c.html": ""})
	s := source.Set{Units: "-", MarkUnitEnds: true}
	if err := s.SetArgs(nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	in := strings.NewReader("a.html\t0\t1\nd\nx 1 2\n-\na.html\tx\t1\n")
	for f, err := range s.All(t.Context(), in) {
		switch {
		case f.UnitEnd != nil:
			got = append(got, "last "+f.UnitEnd.Text)
		case err != nil:
			got = append(got, f.Source+": "+err.Error())
		default:
			got = append(got, f.Source)
		}
	}
	want := []string{"a.html", "last a.html\t0\t1", "d/b.html", "d/c.html", "last d",
		"x 1 2: no such file or directory; tabs separate PATH, OFFSET and LENGTH of a unit", "last x 1 2",
		"-: standard input is not a unit; ./- is a file named -", "last -"}
	want = append(want, `-: unit "a.html\tx\t1": "x" is not a number`, "last a.html\tx\t1")
	if !slices.Equal(got, want) {
		t.Errorf("All: got %q, want %q", got, want)
	}
	n := 0
	for range s.All(t.Context(), nil) {
		n++
	}
	if n != 0 {
		t.Errorf("All without standard input: got %d inputs, want none, since they are only counted", n)
	}
}

// The shards of a set have each input once.
func TestShards(t *testing.T) {
	lay(t, map[string]string{"a": "", "b": "", "c/d": "", "c/e": "", "f": ""})
	var got []string
	for i := 1; i <= 3; i++ {
		s := source.Set{Shard: unit.Shard{I: i, N: 3}}
		if err := s.SetArgs([]string{"a", "b", "c", "f"}); err != nil {
			t.Fatal(err)
		}
		for f, err := range s.All(context.Background(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, f.Source)
		}
	}
	slices.Sort(got)
	if want := []string{"a", "b", "c/d", "c/e", "f"}; !slices.Equal(got, want) {
		t.Errorf("the shards have %q, want %q", got, want)
	}
}
