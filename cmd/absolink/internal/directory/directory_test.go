//go:build unix

package directory_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/directory"
)

// write writes to a file through the directory.
func write(t *testing.T, d *directory.Dir, name, text string) {
	t.Helper()
	f, err := d.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: got %q and error %v, want %q", path, got, err, want)
	}
}

// What is done in an open directory is done there, whatever is laid in its place.
func TestSwapped(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("d", 0o777)
	os.Mkdir("other", 0o777)
	os.WriteFile("other/a", []byte("foreign"), 0o600)
	dir, _ := filepath.EvalSymlinks(".")
	dir, _ = filepath.Abs(dir)
	d, err := directory.OpenReal(dir + "/d")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	write(t, d, "a", "own")
	if err := errors.Join(os.Rename("d", "kept"), os.Symlink("other", "d")); err != nil {
		t.Fatal(err)
	}
	write(t, d, "b", "new")
	if err := errors.Join(d.Link("a", "c"), d.Rename("b", "e"), d.Sync()); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Lstat("kept/a")
	if e, err := d.Lstat("a"); err != nil || !e.Is(want) || e.Size() != 3 || !e.ModTime().Equal(want.ModTime()) {
		t.Errorf("Lstat(a): got %v and error %v, want %v", e, err, want)
	}
	if err := d.Remove("a"); err != nil {
		t.Error(err)
	}
	names := make(map[string]bool)
	for name, err := range d.Names() {
		if names[name] = true; err != nil {
			t.Error(err)
		}
	}
	if !maps.Equal(names, map[string]bool{"c": true, "e": true}) {
		t.Errorf("Names: got %v, want c and e", names)
	}
	content(t, "kept/c", "own")
	content(t, "kept/e", "new")
	content(t, "other/a", "foreign")
	if entries, _ := os.ReadDir("other"); len(entries) != 1 {
		t.Errorf("the other directory: got %v, want one file", entries)
	}
	if _, err := directory.OpenReal(dir + "/d"); !isLink(err, dir+"/d") {
		t.Errorf("OpenReal of the link: got error %v, want a LinkError", err)
	}
	if d, err := directory.Open("d"); err != nil {
		t.Errorf("Open of the link: got error %v, want none", err)
	} else {
		d.Close()
	}
}

func isLink(err error, path string) bool {
	var link *directory.LinkError
	return errors.As(err, &link) && link.Path == path
}

// No link is followed, and nothing is waited for.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a", nil, 0o600)
	os.Symlink("a", "link")
	os.Symlink("none", "dangling")
	if err := unix.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := directory.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, name := range []string{"link", "dangling"} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE} {
			if _, err := d.Open(name, flag, 0o600); !isLink(err, name) {
				t.Errorf("Open(%s, %#x): got error %v, want a LinkError", name, flag, err)
			}
		}
	}
	if _, err := d.Open("none", os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) || err.Error() != "open none: no such file or directory" {
		t.Errorf("Open(none): got error %v, want that there is none", err)
	}
	if f, err := d.Open("pipe", os.O_RDONLY, 0); err != nil {
		t.Errorf("Open(pipe): got error %v, want none", err)
	} else {
		f.Close()
	}
}

// A directory above need only be open to be passed through, and the directory itself
// need not be readable.
func TestOpenRealThrough(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	os.MkdirAll(dir+"/closed/in", 0o700)
	os.Chmod(dir+"/closed/in", 0o300)
	os.Chmod(dir+"/closed", 0o100)
	defer os.Chmod(dir+"/closed/in", 0o700)
	defer os.Chmod(dir+"/closed", 0o700)
	d, err := directory.OpenReal(dir + "/closed/in")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	write(t, d, "a", "own")
	if err := errors.Join(d.Rename("a", "b"), d.Sync(), d.Remove("b")); err != nil {
		t.Error(err)
	}
}
