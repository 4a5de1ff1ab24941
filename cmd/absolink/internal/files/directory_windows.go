package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

// Dir is an open directory. The caller must close it. Its methods take base names.
type Dir struct {
	path string
	root *os.Root
}

// OpenDir opens the directory at path, which may contain symbolic links.
func OpenDir(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path, root}, nil
}

// OpenRealDir opens the directory at path, which must be absolute. The error is a *LinkError if the
// path contains a symbolic link.
func OpenRealDir(path string) (*Dir, error) {
	switch real, err := filepath.EvalSymlinks(path); {
	case err != nil:
		return nil, err
	case real != filepath.Clean(path):
		return nil, &LinkError{path}
	}
	return OpenDir(path)
}

// Below opens the directory with the slash path rel below d; "." is d itself. The error is a
// *LinkError if there is a symbolic link on the way.
func (d *Dir) Below(rel string) (*Dir, error) {
	if err := d.checkLinks(rel); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(filepath.FromSlash(rel))
	if err != nil {
		return nil, err
	}
	return &Dir{d.Path(rel), root}, nil
}

// OpenBelow opens an existing file or directory with the slash path rel below d. The error is a
// *LinkError if there is a symbolic link on the way.
func (d *Dir) OpenBelow(rel string, flag int) (*os.File, error) {
	if err := d.checkLinks(rel); err != nil {
		return nil, err
	}
	return d.root.OpenFile(filepath.FromSlash(rel), flag, 0)
}

// checkLinks returns a *LinkError if there is a symbolic link on the way to the slash path rel. A
// link that is made later does not lead out of d, because [os.Root] refuses it.
func (d *Dir) checkLinks(rel string) error {
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

// Stat describes the directory.
func (d *Dir) Stat() (fs.FileInfo, error) { return d.root.Stat(".") }

// Path joins name, a base name or slash path, to the path that the directory was opened with. The
// result is for messages only.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Open opens or creates a file, as flag says. The error is a *LinkError if the file is a symbolic
// link.
func (d *Dir) Open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := d.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &LinkError{d.Path(name)}
	}
	return d.root.OpenFile(name, flag, perm.Perm())
}

// Entry describes a name in a directory: the file, directory or symbolic link with this name.
type Entry struct{ info fs.FileInfo }

// Lstat describes the file with a name. It does not follow a symbolic link.
func (d *Dir) Lstat(name string) (*Entry, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	return &Entry{info}, nil
}

// Is reports whether e and info describe the same file. info must come from package os.
func (e *Entry) Is(info fs.FileInfo) bool { return os.SameFile(e.info, info) }

// Type returns the type bits of the mode.
func (e *Entry) Type() fs.FileMode { return e.info.Mode().Type() }

// Size returns the size of the file in bytes.
func (e *Entry) Size() int64 { return e.info.Size() }

// ModTime returns the modification time.
func (e *Entry) ModTime() time.Time { return e.info.ModTime() }

// Rename renames a file. If another file has the new name, it is replaced. If another program has
// opened one of the files, Rename tries again for half a second: virus scanners open each new file
// for a moment.
func (d *Dir) Rename(from, to string) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := d.root.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !busy {
			return err
		}
		if wait > 256*time.Millisecond {
			return &busyError{err}
		}
		time.Sleep(wait)
	}
}

// busyError is the error of a rename over a file that another program has opened. The system says
// only that the access is denied.
type busyError struct{ err error }

func (e *busyError) Error() string {
	return fmt.Sprintf("cannot be replaced; if another program has it open, close it there, and run absolink "+
		"again (%v)", withoutPath(e.err))
}

func (e *busyError) Unwrap() error { return e.err }

// Link gives a file a second name, which must not exist.
func (d *Dir) Link(from, to string) error { return d.root.Link(from, to) }

// Exchange is not supported here.
func (d *Dir) Exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew is not supported here.
func (d *Dir) renameNew(from, to string) error { return errors.ErrUnsupported }

// Mkdir makes a directory.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm.Perm()) }

// Symlink makes name a symbolic link to target. The name must not exist.
func (d *Dir) Symlink(target, name string) error { return d.root.Symlink(target, name) }

// Remove removes a file.
func (d *Dir) Remove(name string) error {
	err := d.root.Remove(name)
	if errors.Is(err, windows.ERROR_INVALID_FUNCTION) { // of Wine 8, which lacks the call that os.Root uses
		return os.Remove(d.Path(name))
	}
	return err
}

// Sync does nothing: directories cannot be flushed here.
func (d *Dir) Sync() error { return nil }

// readable opens the directory for reading.
func (d *Dir) readable() (*os.File, error) { return d.root.Open(".") }
