//go:build unix

package input

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// A file is opened where the walk found it, or not at all.
func TestOpenFound(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func() error // happens between the walk and the opening
		want   error
		text   string // text of the file, if want is nil
	}{
		{"nothing", func() error { return nil }, nil, "own"},
		{"another file", func() error { return os.WriteFile("in/a/b/x.html", []byte("new"), 0o600) }, nil, "new"},
		{"a link", func() error { return relink("in/a/b/x.html", "../../../secret/x.html") }, errLinked, ""},
		{"a link to a file of the tree", func() error { return relink("in/a/b/x.html", "../y.html") }, errLinked, ""},
		{"a link to the directory", func() error { return relink("in/a/b", "../../secret") }, errLinked, ""},
		{"a link to a directory above", func() error { return relink("in/a", "../secret") }, errLinked, ""},
		{"the INPUT is a link now", func() error { return relink("in", "secret") }, errReplaced, ""},
		{"the INPUT is the same under a link",
			func() error { return errors.Join(os.Rename("in", "moved"), os.Symlink("moved", "in")) }, nil, "own"},
		{"another directory as the INPUT",
			func() error { return errors.Join(os.Rename("in", "moved"), os.Rename("secret", "in")) }, errReplaced, ""},
		{"a pipe", func() error {
			return errors.Join(os.Remove("in/a/b/x.html"),
				syscall.Mkfifo("in/a/b/x.html", 0o600))
		}, errIrregular, ""},
		{"no file", func() error { return os.Remove("in/a/b/x.html") }, syscall.ENOENT, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range map[string]string{"in/a/b/x.html": "own", "in/a/y.html": "other",
				"secret/x.html": "secret", "secret/b/x.html": "secret", "secret/a/b/x.html": "secret"} {
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700),
					os.WriteFile(name, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			var found []File
			for f, err := range Walk([]string{"in"}, false) {
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, f)
			}
			if len(found) != 2 || found[0].Source != "in/a/b/x.html" {
				t.Fatalf("Walk: got %v, want two files", found)
			}
			if err := tt.change(); err != nil {
				t.Fatal(err)
			}
			in, err := new(Reader).Open(t.Context(), found[0])
			if err != nil {
				if tt.want == nil || !errors.Is(err, tt.want) {
					t.Errorf("Open: got error %v, want %v", err, tt.want)
				}
				return
			}
			defer in.Close()
			text, _ := io.ReadAll(io.NewSectionReader(in.Stored, 0, in.StoredSize))
			if tt.want != nil || string(text) != tt.text {
				t.Errorf("Open: got %q, want %q and error %v", text, tt.text, tt.want)
			}
		})
	}
}

// An error of a refused file gives the reason and says that nothing is read.
func TestRefusals(t *testing.T) {
	for err, want := range map[error]string{
		errLinked: "a symbolic link has replaced it, or a directory above it, since the run began: it " +
			"is not read",
		errReplaced:  "another directory has taken the place of the INPUT since the run began: it is not read",
		errIrregular: "is no longer a regular file: it is not read",
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

// relink moves path away and puts a link in its place.
func relink(path, target string) error {
	return errors.Join(os.Rename(path, path+".away"), os.Symlink(target, path))
}

// A reader opens files of several directories one after the other. Only one directory is open at a
// time.
func TestOpenFoundOfSeveral(t *testing.T) {
	t.Chdir(t.TempDir())
	var args []string
	for _, name := range []string{"a/1", "b/1", "c/1"} {
		args = append(args, filepath.Dir(name))
		if err := errors.Join(os.Mkdir(filepath.Dir(name), 0o700),
			os.WriteFile(name, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var r Reader
	for range 2 {
		for f, err := range Walk(args, false) {
			if err != nil {
				t.Fatal(err)
			}
			before := r.dir
			in, err := r.Open(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			text := make([]byte, 3)
			in.Stored.ReadAt(text, 0)
			if string(text) != f.Source {
				t.Errorf("%s: read %q", f.Source, text)
			}
			in.Close()
			if before == nil {
				continue
			}
			if _, err := before.Stat(); err == nil {
				t.Errorf("%s: the directory before is still open", f.Source)
			}
		}
	}
}

// A directory that is replaced by a link during the walk is not entered.
func TestWalkEntersNoLink(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a/1", "in/b/1", "secret/2"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for f, err := range Walk([]string{"in"}, false) {
		text := f.Rel
		if err != nil {
			text += "!"
		}
		got = append(got, text)
		if f.Rel == "a/1" {
			if err := relink("in/b", "../secret"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{"a/1", "b!"}; !slices.Equal(got, want) {
		t.Errorf("Walk: got %q, want %q", got, want)
	}
}

// A message that has moved since the walk is found below the walked directory. If only one
// directory of a Maildir was walked, it is found in the other one.
func TestOpenMoved(t *testing.T) {
	for _, arg := range []string{"up", "up/box", "up/box/new"} {
		t.Chdir(t.TempDir())
		os.MkdirAll("up/box/cur", 0o700)
		os.MkdirAll("up/box/new", 0o700)
		if err := os.WriteFile("up/box/new/1", []byte("From: a\n\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for f, err := range Walk([]string{arg}, false) {
			if err != nil {
				t.Fatal(err)
			}
			os.Rename("up/box/new/1", "up/box/cur/1:2,S")
			again, found := new(Moved).FindAgain(f)
			if !found {
				t.Fatalf("%s: %s is not found again", arg, f.Source)
			}
			in, err := new(Reader).Open(t.Context(), again)
			if err != nil {
				t.Errorf("%s: %v", arg, err)
				continue
			}
			in.Close()
			relink("up/box/cur", "../../elsewhere")
			if in, err := new(Reader).Open(t.Context(), again); err == nil {
				in.Close()
				t.Errorf("%s: the message is read through a link", arg)
			}
		}
	}
}

// With follow, a link out of the directory is opened.
func TestOpenFollowed(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("in", 0o700)
	os.WriteFile("out.html", []byte("<p>"), 0o600)
	os.Symlink("../out.html", "in/link.html")
	n := 0
	for f, err := range Walk([]string{"in"}, true) {
		if err != nil {
			t.Fatal(err)
		}
		in, err := new(Reader).Open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		n += int(in.StoredSize)
		in.Close()
	}
	if n != 3 {
		t.Errorf("%d bytes are read, want 3", n)
	}
}
