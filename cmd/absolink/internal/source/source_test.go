package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/unit"
)

// tree makes files below a new directory, which becomes the current directory.
func tree(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// sources returns the sources of the files that s yields. A skipped file is in brackets; an error
// follows a !.
func sources(s *Set, stdin string) (list []string) {
	for f, err := range s.All(context.Background(), strings.NewReader(stdin)) {
		switch {
		case err != nil:
			list = append(list, "!"+f.Source+": "+err.Error())
		case !f.IsInput():
			list = append(list, "("+f.Source+")")
		default:
			list = append(list, f.Source)
		}
	}
	return list
}

func TestAll(t *testing.T) {
	tree(t, "a/1.html", "a/2.txt", "a/b/3.html", "c.html", "urls", "units")
	os.WriteFile("urls", []byte("\ufeff# ours\nhttp://u:p@a.test/x\n\n c.html \r\n"), 0o666)
	os.WriteFile("units", []byte("c.html\t0\t1\nc.html\na\t0\t1\n"), 0o666)
	tests := []struct {
		name string
		set  Set
		args string
		want string
	}{
		{"standard input", Set{}, "", "-"},
		{"a directory, and a file", Set{}, "a c.html", "a/1.html a/2.txt a/b/3.html c.html"},
		{"of a directory what is chosen", Set{Include: []string{"*.html"}, Exclude: []string{"b"}},
			"a c.html", "a/1.html c.html"},
		{"each once", Set{Once: true}, "c.html a/1.html a c.html",
			"c.html a/1.html (a/1.html) a/2.txt a/b/3.html (c.html)"},
		{"a URL", Set{}, "http://u:p@a.test/", "http://u@a.test/"},
		{"a list of URLs", Set{URLs: "urls"}, "",
			`http://u@a.test/x !urls:4: "c.html" is not a URL; each line needs one, such as http://example.com/`},
		{"no list", Set{URLs: "none"}, "", "!none: no such file or directory"},
		{"units", Set{Units: "units"}, "", "c.html c.html !a/1.html: a directory has no ranges"},
		{"a shard", Set{Shard: unit.Shard{I: 2, N: 2}}, "a c.html", "a/2.txt c.html"},
		{"a shard of units", Set{Units: "units", Shard: unit.Shard{I: 2, N: 3}}, "", "c.html"},
	}
	for _, tt := range tests {
		if err := tt.set.SetArgs(strings.Fields(tt.args)); err != nil {
			t.Errorf("%s: Take(%s): %v", tt.name, tt.args, err)
			continue
		}
		if got := strings.Join(sources(&tt.set, ""), " "); got != tt.want {
			t.Errorf("%s: All: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestTakeRefuses(t *testing.T) {
	tests := []struct {
		set  Set
		args []string
		want string
	}{
		{Set{}, []string{""}, "an INPUT is an empty text: give a name, or - for standard input"},
		{Set{}, []string{"-", "-"}, "standard input (-) is given twice, and can be read only once: leave one out"},
		{Set{URLs: "-"}, []string{"-"}, "standard input (-) is given twice, and can be read only once: leave one out"},
		{Set{Units: "u"}, []string{"a"}, "--units names all inputs: leave the others out, or add them to the list"},
		{Set{Include: []string{"[a"}}, nil, `--include: "[a" is not a pattern such as *.html, /drafts or **/old/*.htm`},
	}
	for _, tt := range tests {
		if err := tt.set.SetArgs(tt.args); err == nil || err.Error() != tt.want {
			t.Errorf("Take(%q): got error %v, want %s", tt.args, err, tt.want)
		}
	}
}

// Unmatched reports the arguments and patterns that had no input.
func TestUnmatched(t *testing.T) {
	tree(t, "a/1.html", "b/2.txt")
	s := Set{Include: []string{"*.html", "*.htm"}}
	if err := s.SetArgs([]string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	sources(&s, "")
	want := []string{"b has no file that --include and --exclude leave",
		"--include *.htm matches no file of a directory: *.html matches at any depth, /news/** from its top"}
	if got := s.Unmatched(); !slices.Equal(got, want) {
		t.Errorf("Unmatched: got %q, want %q", got, want)
	}
}
