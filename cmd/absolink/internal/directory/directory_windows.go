package directory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Dir is a directory that is held open. It must be closed. Its methods take base names.
type Dir struct {
	path string
	root *os.Root
}

// Open opens the directory path, which may lead through symbolic links.
func Open(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path, root}, nil
}

// OpenReal opens the directory path, which must be absolute and lead through no symbolic
// link. The error is a *LinkError if it does.
func OpenReal(path string) (*Dir, error) {
	switch real, err := filepath.EvalSymlinks(path); {
	case err != nil:
		return nil, err
	case real != filepath.Clean(path):
		return nil, &LinkError{path}
	}
	return Open(path)
}

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Path returns the path of a name, as the directory was named when it was opened: for
// messages only.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Open opens a file. The error is a *LinkError if it is a symbolic link.
func (d *Dir) Open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := d.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &LinkError{d.Path(name)}
	}
	return d.root.OpenFile(name, flag, perm.Perm())
}

// Entry is what stands under a name.
type Entry struct{ info fs.FileInfo }

// Lstat returns what stands under a name, a symbolic link itself.
func (d *Dir) Lstat(name string) (*Entry, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	return &Entry{info}, nil
}

// Is reports whether e is the file that info, of package os, describes.
func (e *Entry) Is(info fs.FileInfo) bool { return os.SameFile(e.info, info) }

// Size returns the size of the file in bytes.
func (e *Entry) Size() int64 { return e.info.Size() }

// ModTime returns when the file was modified.
func (e *Entry) ModTime() time.Time { return e.info.ModTime() }

// Is reports whether name is the file that f is, and no link to it.
func (d *Dir) Is(name string, f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	e, err := d.Lstat(name)
	return err == nil && e.Is(info)
}

// Rename gives a file another name.
func (d *Dir) Rename(from, to string) error { return d.root.Rename(from, to) }

// Link gives a file a second name, which must be free.
func (d *Dir) Link(from, to string) error { return d.root.Link(from, to) }

// Exchange is not to be had here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }

// Remove removes a file.
func (d *Dir) Remove(name string) error { return d.root.Remove(name) }

// Sync does nothing: here directories cannot be flushed.
func (d *Dir) Sync() error { return nil }

// readable opens the directory for reading.
func (d *Dir) readable() (*os.File, error) { return d.root.Open(".") }
