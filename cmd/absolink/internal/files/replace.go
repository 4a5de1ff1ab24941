package files

import (
	"errors"
	"io/fs"
	"os"
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

// target is a file that is being replaced.
type target struct {
	dir  *Dir
	name string
	src  fs.FileInfo // what it was when it was opened
	old  *os.File
	o    *Options
}

// Replace replaces the file name in dir, which must be no symbolic link, if it still is what
// src, read at opening, says. A *Refusal says what would be lost: a file that is
// no regular one, or has several names, another owner or an attribute that cannot be
// kept, or that was changed meanwhile.
func Replace(dir *Dir, name string, src fs.FileInfo, o Options, write Writer) error {
	if src == nil || !src.Mode().IsRegular() {
		return refuse("not a regular file, cannot be replaced in place")
	}
	t := &target{dir: dir, name: name, src: src, o: &o}
	if err := t.oneName(); err != nil {
		return err
	}
	var err error
	if t.old, err = dir.Open(name, os.O_RDONLY, 0); err != nil {
		return plain(err)
	}
	defer t.old.Close()
	if now, err := t.old.Stat(); err != nil || !os.SameFile(now, src) {
		return errChanged
	}
	f, err := pending(dir, name, 0o600, write)
	if err != nil {
		return plain(err)
	}
	defer f.Cleanup() // as in Create
	if err := chown(f.File, f.Made(), src); err != nil {
		return refuse("cannot keep its owner: %v", plain(err))
	}
	return plain(t.replace(f))
}

// oneName reports as a *Refusal that the file has other names, which would keep
// the old content. A run that was killed between making the backup and the rename
// has left the backup as its second name, which is not one of those.
func (t *target) oneName() error {
	n := names(t.src)
	if n <= 1 || n == 2 && t.isBackup() {
		return nil
	}
	return refuse("has %d names (hard links), replacing it would part them", n)
}

// isBackup reports whether the backup of the file is the file itself.
func (t *target) isBackup() bool {
	if t.o.Backup == "" {
		return false
	}
	old, err := t.dir.Lstat(t.name + t.o.Backup)
	return err == nil && old.Is(t.src)
}

// replace gives the new content f, which is written, the name of the old.
func (t *target) replace(f *Temporary) error {
	name, err := t.newName()
	if err != nil {
		return err
	}
	if err := errors.Join(keep(f.File, t.src), t.o.retime(f.File),
		copyAttributes(f.File, t.old), f.Sync()); err != nil {
		return err
	}
	if t.o.Ready != nil {
		if err := t.o.Ready(f.File, name); err != nil {
			return err
		}
	}
	if err := t.unchanged(t.name); err != nil {
		return err
	}
	if err := t.link(); err != nil {
		return err
	}
	// Nothing that takes time stands between the comparison and the rename.
	if err := t.take(f.Base()); err != nil {
		return err
	}
	return rename(t.dir, t.name, name)
}

// newName returns the base name that the file has afterwards.
func (t *target) newName() (string, error) {
	if t.o.Name == "" || t.o.Name == t.name {
		return t.name, nil
	}
	return t.o.Name, free(t.dir, t.o.Name)
}

// free reports as a *Refusal that dir has the name already.
func free(dir *Dir, name string) error {
	if _, err := dir.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return refuse("its new name %s is taken", name)
	}
	return nil
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

// Give gives a file of dir another name, which must be free: a *Refusal says that it is
// taken.
func Give(dir *Dir, from, to string) error {
	if err := free(dir, to); err != nil {
		return err
	}
	return rename(dir, from, to)
}

// rename gives a file of dir another name, if it is another one, and makes that, and
// whatever happened in the directory before, durable.
func rename(dir *Dir, from, to string) error {
	if from != to {
		if err := dir.Rename(from, to); err != nil {
			return err
		}
	}
	return dir.Sync()
}

var errChanged = &Refusal{"was changed by another program meanwhile"}

// unchanged compares what has a name with what the file was when it was opened.
func (t *target) unchanged(name string) error {
	now, err := t.dir.Lstat(name)
	if err != nil {
		return err
	}
	if !now.Is(t.src) || now.Size() != t.src.Size() || !now.ModTime().Equal(t.src.ModTime()) {
		return errChanged
	}
	return nil
}

// link gives the old file its second name. The rename that follows takes the
// first name away from it.
func (t *target) link() error {
	if t.o.Backup == "" {
		return nil
	}
	err := t.dir.Link(t.name, t.name+t.o.Backup)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if t.isBackup() {
		return nil // a run was killed before the rename
	}
	return refuse("its backup %s exists already; give another --backup, or move the old one away",
		t.dir.Path(t.name+t.o.Backup))
}

// take gives the file temp the name of the old one. Even a change in the last moment is not
// lost: the two names are exchanged, what the name stood for is looked at under its new one,
// and if it is another file, or was changed, it gets its name back. Where the file
// system cannot do that the new file just takes the name. What the name stood for is locked
// meanwhile: another run would take it for left over under the name temp.
func (t *target) take(temp string) error {
	if old, err := t.dir.Open(t.name, os.O_RDONLY, 0); err == nil {
		defer old.Close()
		HoldSoon(old) // where another program keeps it locked that does as well
	}
	err := t.dir.Exchange(temp, t.name)
	if errors.Is(err, errors.ErrUnsupported) {
		return t.dir.Rename(temp, t.name)
	}
	if err != nil {
		return err
	}
	if err := t.unchanged(temp); err != nil {
		return errors.Join(err, t.dir.Exchange(temp, t.name))
	}
	return nil // temp is the old file now, and goes as every temporary file does
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
