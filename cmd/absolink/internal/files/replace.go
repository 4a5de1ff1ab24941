package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Options are the options of [Replace]. The zero value only replaces the file.
type Options struct {
	// Backup is a suffix, or empty. With a suffix, the old file stays under its name plus the
	// suffix. That name must not exist.
	Backup string
	// ModTime is the modification time of the new file. If it is zero, the file keeps the old time.
	ModTime time.Time
	// Name is the base name of the new file, which must not exist. If it is empty, the file keeps
	// its name.
	Name string
	// Ready is called when the new content f is on the disk, unless Ready is nil. It is the last
	// moment to refuse: if Ready returns an error, the old file stays. name is the base name of the
	// new file.
	Ready func(f *os.File, name string) error
}

// target is a file that Replace replaces.
type target struct {
	dir  *Dir
	name string
	src  fs.FileInfo // describes the file when it was opened
	old  *os.File
	o    *Options
}

// Replace replaces the file name in dir, which must not be a symbolic link, if src still describes
// it. src was read when the caller opened the file. If something would be lost, the error is a
// *Refusal: the file is not a regular file, has several names, belongs to another owner, has an
// attribute that cannot be kept, or was changed meanwhile.
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
		return withoutPaths(err)
	}
	defer t.old.Close()
	if now, err := t.old.Stat(); err != nil || !os.SameFile(now, src) {
		return errChanged
	}
	f, err := pending(dir, name, 0o600, write)
	if err != nil {
		return withoutPaths(err)
	}
	defer f.Cleanup() // as in Create
	if err := chown(f.File, f.Made(), src); err != nil {
		return refuse("cannot keep its owner: %v", withoutPaths(err))
	}
	return withoutPaths(t.replace(f))
}

// oneName returns a *Refusal if the file has other names, which would keep the old content. The
// backup does not count: a run that was killed between the backup and the rename has left it as a
// second name.
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

// replace gives f, which has the new content, the name of the old file.
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
	// No slow step comes between the comparison and the rename.
	if err := t.take(f.Base()); err != nil {
		return err
	}
	if name == t.name {
		return t.dir.Sync()
	}
	err = Rename(t.dir, t.name, name)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return fmt.Errorf("its content was replaced, but it keeps its name: %s", refusal.Reason)
	}
	return err
}

// newName returns the base name of the new file. The error is a *Refusal if the name exists already.
func (t *target) newName() (string, error) {
	if t.o.Name == "" || t.o.Name == t.name {
		return t.name, nil
	}
	_, err := t.dir.Lstat(t.o.Name)
	switch {
	case err == nil:
		return "", refuseName(t.o.Name)
	case errors.Is(err, fs.ErrNotExist):
		return t.o.Name, nil
	}
	return "", err
}

// refuseName returns the *Refusal for a new name that exists.
func refuseName(name string) error { return refuse("its new name %s is taken", name) }

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

// Rename renames a file of dir, and flushes all changes in the directory to the disk. The error is a
// *Refusal if the name to exists.
func Rename(dir *Dir, from, to string) error {
	err := dir.RenameNew(from, to)
	if errors.Is(err, fs.ErrExist) {
		return refuseName(to)
	}
	if err != nil {
		return err
	}
	return dir.Sync()
}

var errChanged = &Refusal{"was changed by another program meanwhile"}

// unchanged returns an error if the file with a name differs from the file that was opened.
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

// link gives the old file its second name, the backup. The rename that follows removes the first
// name.
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

// take gives the file temp the name of the old file. It does not lose even a change in the last
// moment. It exchanges the two names and looks at the file that now has the name temp. If that file
// is another one or was changed, it gets its name back. If the file system cannot exchange names, a
// rename replaces the old file. The old file is locked meanwhile: under the name temp, another run
// would take it for left over.
func (t *target) take(temp string) error {
	if old, err := t.dir.Open(t.name, os.O_RDONLY, 0); err == nil {
		defer old.Close()
		holdSoon(old) // a lock of another program serves as well
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
	return nil // temp is the old file now, and is removed like every temporary file
}

// withoutPaths removes the paths from an error of the operating system. They name temporary files,
// which mean nothing to a user. The message of the caller names the file.
func withoutPaths(err error) error {
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
