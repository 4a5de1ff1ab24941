package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Options of Replace and Finish. The zero value replaces a file, and that is all.
type Options struct {
	// Backup is a suffix. If there is one the old file keeps existing under its
	// name with the suffix, which must be free.
	Backup string
	// ModTime is what the new file gets; zero: that of the old one.
	ModTime time.Time
	// Name is the base name that the file has afterwards, which must be free; "": its own.
	Name string
	// Ready, if it isn't nil, is called when the new content f is on the disk,
	// and an error of it keeps the old one: the last moment for either. name is the
	// base name that the file gets.
	Ready func(f *os.File, name string) error
}

// oneName reports as a *Refusal that the file has other names, which would keep
// the old content. A run that was killed between making the backup and the rename
// has left the backup as its second name, which is none of those.
func oneName(path string, info fs.FileInfo, backup string) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink <= 1 || st.Nlink == 2 && isBackup(path, info, backup) {
		return nil
	}
	return refuse("has %d names (hard links), replacing it would part them", st.Nlink)
}

// isBackup reports whether the backup of path is the file itself.
func isBackup(path string, info fs.FileInfo, backup string) bool {
	if backup == "" {
		return false
	}
	old, err := os.Lstat(path + backup)
	return err == nil && os.SameFile(old, info)
}

// Replace replaces the file path, following symbolic links, if it still is what
// src, read at opening, says. A *Refusal says what would be lost: a file that is
// no regular one, or has several names, another owner or an attribute that cannot be
// kept, or that was changed meanwhile.
func Replace(path string, src fs.FileInfo, o Options, write Writer) error {
	if src == nil || !src.Mode().IsRegular() {
		return refuse("not a regular file, cannot be replaced in place")
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return plain(err)
	}
	if err := oneName(path, src, o.Backup); err != nil {
		return err
	}
	f, err := pending(path, 0o600, write)
	if err != nil {
		return plain(err)
	}
	defer f.Cleanup() // as in Create
	if err := chown(f.File, src); err != nil {
		return refuse("cannot keep its owner: %v", plain(err))
	}
	return plain(o.replace(f.File, path, src))
}

// replace gives the new content f, which is written, the name of the old.
func (o *Options) replace(f *os.File, path string, src fs.FileInfo) error {
	name, err := o.name(path)
	if err != nil {
		return err
	}
	if err := errors.Join(keep(f, src), o.retime(f), copyAttributes(f, path), f.Sync()); err != nil {
		return err
	}
	if o.Ready != nil {
		if err := o.Ready(f, name); err != nil {
			return err
		}
	}
	if err := unchanged(path, src); err != nil {
		return err
	}
	if err := link(path, o.Backup); err != nil {
		return err
	}
	// Nothing that takes time stands between the comparison and the rename.
	if err := take(f.Name(), path, src); err != nil {
		return err
	}
	return Rename(path, name)
}

// name returns the base name that path has afterwards.
func (o *Options) name(path string) (string, error) {
	own := filepath.Base(path)
	if o.Name == "" || o.Name == own {
		return own, nil
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), o.Name)); !errors.Is(err, fs.ErrNotExist) {
		return own, refuse("its new name %s is taken", o.Name)
	}
	return o.Name, nil
}

func (o *Options) retime(f *os.File) error {
	if o.ModTime.IsZero() {
		return nil
	}
	return setTime(f, o.ModTime)
}

// keep gives f the mode and the modification time of src, which it replaces.
func keep(f *os.File, src fs.FileInfo) error {
	if err := f.Chmod(src.Mode() & modeBits); err != nil {
		return err
	}
	return setTime(f, src.ModTime())
}

// Rename gives the file path the base name name, and makes that, and whatever
// happened in the directory before, durable.
func Rename(path, name string) error {
	dir := filepath.Dir(path)
	if name != filepath.Base(path) {
		if err := os.Rename(path, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return syncDir(dir)
}

// unchanged compares the file with what it was when it was opened.
func unchanged(path string, src fs.FileInfo) error {
	now, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !os.SameFile(now, src) || now.Size() != src.Size() || !now.ModTime().Equal(src.ModTime()) {
		return refuse("was changed by another program meanwhile")
	}
	return nil
}

// link gives the old file its second name. The rename that follows takes the
// first name away from it.
func link(path, suffix string) error {
	if suffix == "" {
		return nil
	}
	err := os.Link(path, path+suffix)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(path); err == nil && isBackup(path, info, suffix) {
		return nil // a run was killed before the rename
	}
	return refuse("its backup %s exists already; give another --backup, or move the old one away", path+suffix)
}

// plain drops the paths from an error of the operating system: those of temporary
// files mean nothing to a user, and the message names the file.
func plain(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	var se *os.SyscallError
	switch {
	case errors.As(err, &pe):
		return &opError{pe.Op, pe.Err}
	case errors.As(err, &le):
		return &opError{le.Op, le.Err}
	case errors.As(err, &se):
		return &opError{se.Syscall, se.Err}
	}
	return err
}

// opError is an error of the operating system without a path.
type opError struct {
	op  string
	err error
}

func (e *opError) Error() string { return e.op + ": " + e.err.Error() }
func (e *opError) Unwrap() error { return e.err }
