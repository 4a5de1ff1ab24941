package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Dir is a directory that is held open. It must be closed. Its methods take base names.
type Dir struct {
	path string
	root *os.Root
}

// OpenDir opens the directory path, which may lead through symbolic links.
func OpenDir(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path, root}, nil
}

// OpenRealDir opens the directory path, which must be absolute and lead through no symbolic
// link. The error is a *LinkError if it does.
func OpenRealDir(path string) (*Dir, error) {
	switch real, err := filepath.EvalSymlinks(path); {
	case err != nil:
		return nil, err
	case real != filepath.Clean(path):
		return nil, &LinkError{path}
	}
	return OpenDir(path)
}

// Below opens the directory with the slash path rel below d, through no symbolic link; "." is d
// itself. The error is a *LinkError if there is a link.
func (d *Dir) Below(rel string) (*Dir, error) {
	if err := d.straight(rel); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(filepath.FromSlash(rel))
	if err != nil {
		return nil, err
	}
	return &Dir{d.Path(rel), root}, nil
}

// OpenBelow opens the file or directory with the slash path rel below d, through no symbolic
// link, and makes none. The error is a *LinkError if there is a link.
func (d *Dir) OpenBelow(rel string, flag int) (*os.File, error) {
	if err := d.straight(rel); err != nil {
		return nil, err
	}
	return d.root.OpenFile(filepath.FromSlash(rel), flag, 0)
}

// straight reports as a *LinkError that a symbolic link stands on the way to a slash path. One
// that is laid there afterwards never leads out of d.
func (d *Dir) straight(rel string) error {
	at := ""
	for name := range strings.SplitSeq(rel, "/") {
		at = filepath.Join(at, name)
		if info, err := d.root.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return &LinkError{d.Path(at)}
		}
	}
	return nil
}

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Stat returns what the directory is.
func (d *Dir) Stat() (fs.FileInfo, error) { return d.root.Stat(".") }

// Path returns the path of a name, or slash path, as the directory was named when it was opened:
// for messages only.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

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

// Type returns the type bits of the mode.
func (e *Entry) Type() fs.FileMode { return e.info.Mode().Type() }

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

// Mkdir makes a directory.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm.Perm()) }

// Symlink makes name a symbolic link to target. The name must be free.
func (d *Dir) Symlink(target, name string) error { return d.root.Symlink(target, name) }

// Remove removes a file.
func (d *Dir) Remove(name string) error { return d.root.Remove(name) }

// Sync does nothing: here directories cannot be flushed.
func (d *Dir) Sync() error { return nil }

// readable opens the directory for reading.
func (d *Dir) readable() (*os.File, error) { return d.root.Open(".") }
