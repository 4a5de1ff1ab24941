// Package directory holds directories open, so that files in them are looked at, made,
// moved and removed by base name, whatever stands under the directory's own name by then.
//
// Whoever can write the directory above can swap a directory for a symbolic link at any
// moment. What was checked and what is written are the same only if both go through one
// handle.
package directory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// LinkError says that a symbolic link stands where none may.
type LinkError struct{ Path string }

func (e *LinkError) Error() string { return e.Path + " is a symbolic link by now" }

// Dir is a directory that is held open. It must be closed. Its methods take base names.
type Dir struct {
	path string
	root *os.Root
	file *os.File // of the same directory
}

// Open opens the directory path, which may lead through symbolic links.
func Open(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	file, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Dir{path, root, file}, nil
}

// OpenReal opens the directory path, which must be absolute, through no symbolic link. The
// error is a *LinkError if there is one.
func OpenReal(path string) (*Dir, error) {
	real, err := follow(path)
	if err != nil {
		return nil, err
	}
	defer real.Close()
	d, err := Open(path)
	if err != nil {
		return nil, err
	}
	want, err1 := real.Stat()
	got, err2 := d.file.Stat()
	if err := errors.Join(err1, err2); err != nil || !os.SameFile(want, got) {
		d.Close()
		return nil, errors.Join(err, fmt.Errorf("%s was swapped for another directory meanwhile", path))
	}
	return d, nil
}

// follow opens the absolute path step by step, for nothing but to know which directory it is.
func follow(path string) (*os.File, error) {
	const flags = search | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := openat(unix.AT_FDCWD, "/", flags, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: "/", Err: err}
	}
	at := "/"
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			continue
		}
		at = filepath.Join(at, name)
		next, err := openat(fd, name, flags, 0)
		if err != nil {
			err = explain(fd, name, at, err)
		}
		unix.Close(fd)
		if err != nil {
			return nil, err
		}
		fd = next
	}
	return os.NewFile(uintptr(fd), path), nil
}

// explain says what is wrong with the name, which stands at path and was not to be opened.
func explain(fd int, name, path string, err error) error {
	var st unix.Stat_t
	if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return &LinkError{path}
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// openat takes up again what a signal interrupts.
func openat(fd int, name string, flag int, perm uint32) (int, error) {
	for {
		got, err := unix.Openat(fd, name, flag, perm)
		if err != unix.EINTR {
			return got, err
		}
	}
}

// Real returns the absolute path without symbolic links.
func Real(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	here, err := os.Getwd() // may lead through links itself
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Join(here, path))
}

// Close closes the directory.
func (d *Dir) Close() error { return errors.Join(d.file.Close(), d.root.Close()) }

// Path returns the path of a name, as the directory was named when it was opened: for
// messages only.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Open opens a file. The error is a *LinkError if it is a symbolic link. It does not wait
// for the other end of a pipe.
func (d *Dir) Open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	fd, err := openat(int(d.file.Fd()), name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, uint32(perm.Perm()))
	if err == nil {
		return os.NewFile(uintptr(fd), d.Path(name)), nil
	}
	if err == unix.ELOOP {
		return nil, explain(int(d.file.Fd()), name, d.Path(name), err)
	}
	return nil, &fs.PathError{Op: "open", Path: d.Path(name), Err: err}
}

// Lstat returns what is known of a name, without following it.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: d.Path(name), Err: reason(err)}
	}
	return info, nil
}

// Is reports whether name is the file that f is, and no link to it.
func (d *Dir) Is(name string, f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := d.root.Lstat(name)
	return err == nil && os.SameFile(a, b)
}

// Rename gives a file another name.
func (d *Dir) Rename(from, to string) error {
	return d.link("rename", from, to, d.root.Rename(from, to))
}

// Link gives a file a second name, which must be free.
func (d *Dir) Link(from, to string) error {
	return d.link("link", from, to, d.root.Link(from, to))
}

func (d *Dir) link(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: d.Path(from), New: d.Path(to), Err: reason(err)}
}

// Remove removes a file.
func (d *Dir) Remove(name string) error { return d.root.Remove(name) }

// Names returns the next n names in the directory, as os.File.Readdirnames does.
func (d *Dir) Names(n int) ([]string, error) { return d.file.Readdirnames(n) }

// Sync makes what happened in the directory durable. A file system that cannot is left alone.
func (d *Dir) Sync() error {
	if err := d.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// reason returns what an error of the operating system says without its paths.
func reason(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
