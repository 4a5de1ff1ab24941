//go:build unix

package files_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
)

// write writes to a file through the directory.
func write(t *testing.T, d *files.Dir, name, text string) {
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

// Operations on an open directory affect that directory, even if another one takes its place.
func TestSwapped(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("d", 0o777)
	os.Mkdir("other", 0o777)
	os.WriteFile("other/a", []byte("foreign"), 0o600)
	dir, _ := filepath.EvalSymlinks(".")
	dir, _ = filepath.Abs(dir)
	d, err := files.OpenRealDir(dir + "/d")
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
		names[name] = true
		if err != nil {
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
	if _, err := files.OpenRealDir(dir + "/d"); !isLink(err, dir+"/d") {
		t.Errorf("OpenReal of the link: got error %v, want a LinkError", err)
	}
	if d, err := files.OpenDir("d"); err != nil {
		t.Errorf("Open of the link: got error %v, want none", err)
	} else {
		d.Close()
	}
}

func isLink(err error, path string) bool {
	var link *files.LinkError
	return errors.As(err, &link) && link.Path == path
}

// Open follows no link and waits for no pipe.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a", nil, 0o600)
	os.Symlink("a", "link")
	os.Symlink("none", "dangling")
	if err := unix.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := files.OpenDir(".")
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
	if _, err := d.Open("none", os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) ||
		err.Error() != "open none: no such file or directory" {
		t.Errorf("Open(none): got error %v, want that there is none", err)
	}
	if f, err := d.Open("pipe", os.O_RDONLY, 0); err != nil {
		t.Errorf("Open(pipe): got error %v, want none", err)
	} else {
		f.Close()
	}
}

// OpenRealDir needs no permission to read the directory or the directories above it.
func TestOpenRealThrough(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	os.MkdirAll(dir+"/closed/in", 0o700)
	os.Chmod(dir+"/closed/in", 0o300)
	os.Chmod(dir+"/closed", 0o100)
	defer os.Chmod(dir+"/closed/in", 0o700)
	defer os.Chmod(dir+"/closed", 0o700)
	d, err := files.OpenRealDir(dir + "/closed/in")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	write(t, d, "a", "own")
	if err := errors.Join(d.Rename("a", "b"), d.Sync(), d.Remove("b")); err != nil {
		t.Error(err)
	}
}

// Files and directories below a directory are opened through no symbolic link, at once or step by
// step.
func TestBelow(t *testing.T) {
	t.Chdir(t.TempDir())
	os.MkdirAll("top/a/b", 0o777)
	os.WriteFile("top/a/b/file", []byte("own"), 0o600)
	os.WriteFile("secret", []byte("foreign"), 0o600)
	os.Symlink("a", "top/link")
	os.Symlink("../../../secret", "top/a/b/out")
	os.Symlink("..", "top/a/up")
	if err := unix.Mkfifo("top/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := files.OpenDir("top")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	open := descriptors()
	defer func() {
		if now := descriptors(); now != open {
			t.Errorf("%d descriptors are open, want %d as before", now, open)
		}
	}()
	for _, way := range []struct {
		name  string
		open  func(rel string) (*os.File, error)
		below func(rel string) (*files.Dir, error)
	}{
		{"at once", func(rel string) (*os.File, error) { return d.OpenBelow(rel, os.O_RDONLY) }, d.Below},
		{"step by step", d.OpenSteps, d.BelowSteps},
	} {
		for rel, want := range map[string]string{"a/b/file": "", ".": "", "a": "", "pipe": "",
			"none/x": "no such file or directory", "a/b/file/x": "not a directory",
			"link": "top/link", "link/b/file": "top/link", "a/b/out": "top/a/b/out", "a/up/a/b/file": "top/a/up"} {
			f, err := way.open(rel)
			switch {
			case err == nil:
				f.Close()
				if want != "" || f.Name() != filepath.Join("top", rel) {
					t.Errorf("%s: OpenBelow(%s): got %s, want an error with %q", way.name, rel, f.Name(), want)
				}
			case want == "", !isLink(err, want) && reason(err) != want:
				t.Errorf("%s: OpenBelow(%s): got error %v, want %q", way.name, rel, err, want)
			}
		}
		for _, rel := range []string{"..", "../secret", "a/../..", "", "/", "/etc"} {
			if f, err := d.OpenBelow(rel, os.O_RDONLY); err == nil {
				t.Errorf("OpenBelow(%q): got %s, want an error", rel, f.Name())
			}
		}
		b, err := way.below("a/b")
		if err != nil {
			t.Fatal(err)
		}
		if e, err := b.Lstat("file"); err != nil || e.Size() != 3 || b.Path("x") != "top/a/b/x" {
			t.Errorf("%s: Below(a/b): got %v of %s and error %v, want its file", way.name, e, b.Path("x"), err)
		}
		b.Close()
		for rel, want := range map[string]string{"a/b/file": "not a directory",
			"link": "top/link", "link/b": "top/link"} {
			if _, err := way.below(rel); !isLink(err, want) && reason(err) != want {
				t.Errorf("%s: Below(%s): got error %v, want %q", way.name, rel, err, want)
			}
		}
	}
}

// descriptors returns the number of open descriptors, or 0 if it is unknown.
func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// reason returns the text of the system error in err.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return ""
}

// Files are made in the open directory, and Lstat returns their types.
func TestMade(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("d", 0o777)
	d, err := files.OpenDir("d")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := errors.Join(os.Rename("d", "kept"), os.Symlink(".", "d")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Mkdir("sub", 0o700), d.Symlink("sub", "link"),
		unix.Mkfifo("kept/pipe", 0o600), os.WriteFile("kept/a", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := d.Mkdir("sub", 0o700); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Mkdir: got error %v, want that it is there", err)
	}
	if err := d.Symlink("x", "link"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Symlink: got error %v, want that it is there", err)
	}
	for name, want := range map[string]fs.FileMode{"sub": fs.ModeDir,
		"link": fs.ModeSymlink, "pipe": fs.ModeNamedPipe, "a": 0} {
		if e, err := d.Lstat(name); err != nil || e.Type() != want {
			t.Errorf("Lstat(%s): got %v and error %v, want type %v", name, e.Type(), err, want)
		}
	}
	if text, err := os.Readlink("kept/link"); err != nil || text != "sub" {
		t.Errorf("kept/link: got %q and error %v, want sub", text, err)
	}
	is, err := d.Stat()
	want, _ := os.Stat("kept")
	if err != nil || !os.SameFile(is, want) {
		t.Errorf("Stat: got %v and error %v, want the directory", is, err)
	}
	device, err := files.OpenDir("/dev")
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if e, err := device.Lstat("null"); err != nil || e.Type() != fs.ModeDevice|fs.ModeCharDevice {
		t.Errorf("Lstat(null): got %v and error %v, want a device", e, err)
	}
}
