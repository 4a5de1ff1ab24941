//go:build unix

package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Dir is an open directory. It need not be readable. The caller must close it. Its methods take
// base names.
type Dir struct {
	path string
	file *os.File
}

// OpenDir opens the directory at path, which may contain symbolic links.
func OpenDir(path string) (*Dir, error) {
	fd, err := openat(unix.AT_FDCWD, path, searchFlags, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &Dir{path, os.NewFile(uintptr(fd), path)}, nil
}

// OpenRealDir opens the directory at path, which must be absolute. The error is a *LinkError if the
// path contains a symbolic link.
func OpenRealDir(path string) (*Dir, error) {
	top, err := OpenDir("/")
	if err != nil {
		return nil, err
	}
	defer top.Close()
	fd, err := top.descend(cmp.Or(strings.Trim(path, "/"), "."), searchFlags)
	if err != nil {
		return nil, err
	}
	return &Dir{path, os.NewFile(uintptr(fd), path)}, nil
}

// searchFlags are the flags that open a directory for searching.
const searchFlags = accessSearch | unix.O_DIRECTORY | unix.O_CLOEXEC

// Below opens the directory with the slash path rel below d; "." is d itself. The error is a
// *LinkError if there is a symbolic link on the way.
func (d *Dir) Below(rel string) (*Dir, error) {
	fd, err := d.below(rel, searchFlags)
	if err != nil {
		return nil, err
	}
	path := d.Path(rel)
	return &Dir{path, os.NewFile(uintptr(fd), path)}, nil
}

// OpenBelow opens an existing file or directory with the slash path rel below d. The error is a
// *LinkError if there is a symbolic link on the way. OpenBelow does not wait for the other end of a
// pipe.
func (d *Dir) OpenBelow(rel string, flag int) (*os.File, error) {
	fd, err := d.below(rel, flag|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), d.Path(rel)), nil
}

// below opens the file or directory with the slash path rel below d, through no symbolic link.
func (d *Dir) below(rel string, flag int) (fd int, err error) {
	if !filepath.IsLocal(rel) {
		return -1, &fs.PathError{Op: "open", Path: d.Path(rel), Err: fs.ErrInvalid}
	}
	err = repeat(func() error {
		fd, err = openBelow(d.fd(), rel, flag)
		return err
	})
	switch err {
	case nil:
		return fd, nil
	case unix.ELOOP, unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.ENAMETOOLONG:
		return d.descend(rel, flag) // works on older systems, too, and returns a *LinkError
	}
	return -1, &fs.PathError{Op: "open", Path: d.Path(rel), Err: err}
}

// descend does what below does, with a system call for each name in rel.
func (d *Dir) descend(rel string, flag int) (int, error) {
	names := strings.FieldsFunc(rel, func(c rune) bool { return c == '/' })
	last := len(names) - 1
	fd, path := d.fd(), d.path
	for i, name := range names {
		flags := searchFlags
		if i == last {
			flags = flag
		}
		path = filepath.Join(path, name)
		next, err := openat(fd, name, flags|unix.O_NOFOLLOW, 0)
		if err != nil {
			err = openError(fd, name, path, err)
		}
		if i > 0 {
			unix.Close(fd)
		}
		if err != nil {
			return -1, err
		}
		fd = next
	}
	return fd, nil
}

// openError returns the error for name in the directory fd, which could not be opened. err is the
// error of the system, and path the path of name. The result is a *LinkError if name is a symbolic
// link.
func openError(fd int, name, path string, err error) error {
	var st unix.Stat_t
	if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return &LinkError{path}
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// openat opens a name in the directory fd.
func openat(fd int, name string, flag int, perm uint32) (opened int, err error) {
	err = repeat(func() error {
		opened, err = unix.Openat(fd, name, flag, perm)
		return err
	})
	return opened, err
}

// repeat calls f again while a signal interrupts it, and returns its error.
func repeat(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

// Close closes the directory.
func (d *Dir) Close() error { return d.file.Close() }

func (d *Dir) fd() int { return int(d.file.Fd()) }

// Stat describes the directory.
func (d *Dir) Stat() (fs.FileInfo, error) { return d.file.Stat() }

// Path joins name, a base name or slash path, to the path that the directory was opened with. The
// result is for messages only.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Open opens or creates a file, as flag says. The error is a *LinkError if the file is a symbolic
// link. Open does not wait for the other end of a pipe.
func (d *Dir) Open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	fd, err := openat(d.fd(), name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, uint32(perm.Perm()))
	if err == nil {
		return os.NewFile(uintptr(fd), d.Path(name)), nil
	}
	if err == unix.ELOOP {
		return nil, openError(d.fd(), name, d.Path(name), err)
	}
	return nil, &fs.PathError{Op: "open", Path: d.Path(name), Err: err}
}

// Entry describes a name in a directory: the file, directory or symbolic link with this name.
type Entry struct{ stat unix.Stat_t }

// Lstat describes the file with a name. It does not follow a symbolic link.
func (d *Dir) Lstat(name string) (*Entry, error) {
	e := new(Entry)
	err := repeat(func() error { return unix.Fstatat(d.fd(), name, &e.stat, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: d.Path(name), Err: err}
	}
	return e, nil
}

// Is reports whether e and info describe the same file. info must come from package os.
func (e *Entry) Is(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && e.stat.Dev == st.Dev && e.stat.Ino == st.Ino
}

// Type returns the type bits of the mode.
func (e *Entry) Type() fs.FileMode {
	switch e.stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	case unix.S_IFCHR:
		return fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// Size returns the size of the file in bytes.
func (e *Entry) Size() int64 { return e.stat.Size }

// ModTime returns the modification time.
func (e *Entry) ModTime() time.Time { return time.Unix(e.stat.Mtim.Unix()) }

// Rename renames a file. If another file has the new name, it is replaced.
func (d *Dir) Rename(from, to string) error {
	return d.callLink("rename", from, to, func() error { return unix.Renameat(d.fd(), from, d.fd(), to) })
}

// Link gives a file a second name, which must not exist.
func (d *Dir) Link(from, to string) error {
	return d.callLink("link", from, to, func() error { return unix.Linkat(d.fd(), from, d.fd(), to, 0) })
}

// callLink calls f, and returns its error as an *os.LinkError.
func (d *Dir) callLink(op, from, to string, f func() error) error {
	if err := repeat(f); err != nil {
		return &os.LinkError{Op: op, Old: d.Path(from), New: d.Path(to), Err: err}
	}
	return nil
}

// Mkdir makes a directory, with the permissions perm minus the umask.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error {
	if err := repeat(func() error { return unix.Mkdirat(d.fd(), name, uint32(perm.Perm())) }); err != nil {
		return &fs.PathError{Op: "mkdir", Path: d.Path(name), Err: err}
	}
	return nil
}

// Symlink makes name a symbolic link to target. The name must not exist.
func (d *Dir) Symlink(target, name string) error {
	if err := repeat(func() error { return unix.Symlinkat(target, d.fd(), name) }); err != nil {
		return &os.LinkError{Op: "symlink", Old: target, New: d.Path(name), Err: err}
	}
	return nil
}

// Remove removes a file.
func (d *Dir) Remove(name string) error {
	if err := repeat(func() error { return unix.Unlinkat(d.fd(), name, 0) }); err != nil {
		return &fs.PathError{Op: "remove", Path: d.Path(name), Err: err}
	}
	return nil
}

// Sync flushes the changes in the directory to the disk. It does nothing if the file system cannot
// do that, or if the user may not read the directory.
func (d *Dir) Sync() error {
	f, err := d.readable()
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// readable opens the directory for reading.
func (d *Dir) readable() (*os.File, error) {
	fd, err := openat(d.fd(), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return os.NewFile(uintptr(fd), d.path), nil
}
