package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

// Options are the options of [Replace]. The zero value only replaces the content.
type Options struct {
	// Backup is a suffix, or empty. With a suffix, the old file stays under its name plus the
	// suffix. That name must not exist.
	Backup string
	// ModTime is the modification time of the new file. If it is zero, the new file gets the time
	// of the old file.
	ModTime time.Time
	// Name is the base name of the new file. A file with this name must not exist. If Name is
	// empty, the new file gets the name of the old file.
	Name string
	// Ready is called when the new content is on the disk. It may be nil. If Ready returns an
	// error, the old file stays. f is the new file, which Ready may read, and name is the base name
	// that it will get.
	Ready func(f *os.File, name string) error
	// Release closes all files that the caller has opened and that may be the old file. It may be
	// nil. It is called only on systems that do not replace open files, before the rename.
	Release func()
}

// Replace replaces the file with this name in dir by a new file with the output of write. The new
// file gets the owner, mode, time and extended attributes of the old file. The old file must not be
// a symbolic link. src describes the old file when the caller opened it.
//
// The error is a *Refusal if something would be lost: the file is not a regular file, has several
// names, or was changed since src was read, or its owner or an attribute cannot be kept. After an
// error the old file still has its name, with two exceptions. First, another program may change the
// file or o.Name at the last moment, or the rename to o.Name may fail. Then the error says that the
// content was replaced. Second, the last flush of the directory may fail. Then the file is
// replaced, but may have its old content again after a crash. Replace returns errors of write and
// of o.Ready unchanged, but without the path of the temporary file.
func Replace(dir *Dir, name string, src fs.FileInfo, o Options, write Writer) error {
	if src == nil || !src.Mode().IsRegular() {
		return refuse("is not a regular file, so it cannot be replaced in place")
	}
	t := &target{dir: dir, name: name, src: src, o: &o}
	if err := t.checkNames(); err != nil {
		return err
	}
	if err := t.checkNewName(); err != nil {
		return err
	}
	old, err := dir.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return withoutPath(err)
	}
	defer old.Close()
	now, err := old.Stat()
	if err != nil {
		return withoutPath(err)
	}
	if !os.SameFile(now, src) {
		return errChanged
	}
	f, err := CreateTemporary(dir, name, 0o600)
	if err != nil {
		return withoutPath(err)
	}
	defer f.Cleanup() // after the exchange of names this removes the old file
	if err := write(f.File); err != nil {
		return f.withoutPath(err)
	}
	return t.replace(f, old)
}

// target is a file that Replace replaces.
type target struct {
	dir  *Dir
	name string
	src  fs.FileInfo // describes the file when the caller opened it
	o    *Options
}

// replace replaces the file old by f, which has the new content. These are the steps of Replace,
// each with the state after a crash during or after the step:
//
//  1. Replace writes the new content to f. The old file is unchanged. f is left over, and a Sweeper
//     removes it.
//  2. copyMetadata gives f the owner, time, attributes and mode of the old file. As 1.
//  3. f is flushed to the disk. As 1.
//  4. Ready makes the entry of the journal. As 1; an undo finds the old bytes, and does nothing.
//  5. checkUnchanged checks that the file is still the old one. As 1.
//  6. linkBackup gives the old file the backup name as a second name. As 1, and the old file has
//     two names. A run with the same Backup accepts them (checkNames).
//  7. swapIn exchanges the names of f and of the old file. The name has the new content. The old
//     file is left over under the temporary name, and has its backup name. Before step 9 a loss of
//     power may bring the old file back.
//  8. finishRename gives f its new name, if Options.Name asks for one. Before, the new content has
//     the old name; the journal has the new name, so that --resume and --undo can go on.
//  9. The directory is flushed to the disk. The file is replaced, whatever happens.
//  10. Cleanup removes the temporary name, which now belongs to the old file.
//
// No slow step comes between 5 and 7.
func (t *target) replace(f *Temporary, old *os.File) error {
	if err := t.copyMetadata(f, old); err != nil { // 2
		return err
	}
	if err := f.Sync(); err != nil { // 3
		return withoutPath(err)
	}
	if err := t.checkNewName(); err != nil {
		return err
	}
	if t.o.Ready != nil { // 4
		if err := t.o.Ready(f.File, t.newName()); err != nil {
			return f.withoutPath(err)
		}
	}
	if err := t.checkUnchanged(t.name); err != nil { // 5
		return err
	}
	if err := t.linkBackup(); err != nil { // 6
		return err
	}
	if !replacesOpen {
		t.release(old)
	}
	if err := t.swapIn(f); err != nil { // 7
		t.unlinkBackup()
		return err
	}
	return t.finishRename() // 8, 9
}

// release closes all files of this process that may be the old file.
func (t *target) release(old *os.File) {
	old.Close()
	if t.o.Release != nil {
		t.o.Release()
	}
}

// copyMetadata gives f the owner, time, attributes and mode of the file old. The mode comes last:
// only root may set attributes of a file with mode 0444, even if it is open for writing.
func (t *target) copyMetadata(f *Temporary, old *os.File) error {
	if err := chown(f.File, f.Made(), t.src); err != nil {
		return ownerError(withoutPath(err))
	}
	if err := setTime(f.File, t.modTime()); err != nil {
		return withoutPath(err)
	}
	if err := copyAttributes(f.File, old); err != nil {
		return withoutPath(err)
	}
	return withoutPath(f.Chmod(t.src.Mode() & modeBits))
}

// ownerError returns the error for a file whose owner cannot be kept. It is a *Refusal if the user
// may not do that. The system says EINVAL if the owner is unknown in a container.
func ownerError(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("%w: %w", &Refusal{"cannot keep its owner"}, err)
	}
	return fmt.Errorf("cannot keep its owner: %w", err)
}

// checkNames returns a *Refusal if the file has other names, because they would keep the old
// content. The name of the backup does not count: a run that was killed between steps 6 and 7 has
// left it.
func (t *target) checkNames() error {
	n := linkCount(t.dir, t.name, t.src)
	if n <= 1 || n == 2 && t.isBackup() {
		return nil
	}
	return refuse("has %d names (hard links), and the other names would keep the old content", n)
}

// isBackup reports whether the name of the backup is a second name of the file itself.
func (t *target) isBackup() bool {
	if t.o.Backup == "" {
		return false
	}
	old, err := t.dir.Lstat(t.name + t.o.Backup)
	return err == nil && old.Is(t.src)
}

// newName returns the base name of the new file.
func (t *target) newName() string { return cmp.Or(t.o.Name, t.name) }

// checkNewName returns a *Refusal if the new file gets a new name, and that name exists. Replace
// calls it before and after the writing of the content, which may take long.
func (t *target) checkNewName() error {
	name := t.newName()
	if name == t.name {
		return nil
	}
	_, err := t.dir.Lstat(name)
	switch {
	case err == nil:
		return refuseName(name)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return withoutPath(err)
}

// refuseName returns the *Refusal for a new name that exists.
func refuseName(name string) error { return refuse("its new name %s is taken", name) }

// modTime returns the modification time of the new file.
func (t *target) modTime() time.Time {
	if t.o.ModTime.IsZero() {
		return t.src.ModTime()
	}
	return t.o.ModTime
}

var errChanged = &Refusal{"was changed by another program meanwhile"}

// checkUnchanged returns errChanged if the file with the given name is not the old file, or if the
// size or time of the old file has changed.
func (t *target) checkUnchanged(name string) error {
	now, err := t.dir.Lstat(name)
	if err != nil {
		return withoutPath(err)
	}
	if !now.Is(t.src) || now.Size() != t.src.Size() || !now.ModTime().Equal(t.src.ModTime()) {
		return errChanged
	}
	return nil
}

// linkBackup gives the old file the name of the backup as a second name.
func (t *target) linkBackup() error {
	if t.o.Backup == "" {
		return nil
	}
	err := t.dir.Link(t.name, t.name+t.o.Backup)
	if !errors.Is(err, fs.ErrExist) {
		return withoutPath(err)
	}
	if t.isBackup() {
		return nil // a run was killed after this step
	}
	return refuse("its backup %s exists already; give another --backup, or move the old one away",
		t.dir.Path(t.name+t.o.Backup))
}

// unlinkBackup removes the backup after swapIn has failed. Otherwise the next run would be refused,
// because the backup exists. It stays if it is the only name of the old file.
func (t *target) unlinkBackup() {
	now, err := t.dir.Lstat(t.name)
	if err == nil && now.Is(t.src) && t.isBackup() {
		t.dir.Remove(t.name + t.o.Backup)
	}
}

// swapIn exchanges the names of f and of the old file, which then has the temporary name. Another
// program may have changed or replaced the old file at the last moment. So swapIn checks the file
// that now has the temporary name. If that is not the unchanged old file, swapIn exchanges the
// names again.
//
// If the file system cannot exchange names, f replaces the old file without this check.
func (t *target) swapIn(f *Temporary) error {
	if !replacesOpen {
		return withoutPath(t.dir.Rename(f.Base(), t.name))
	}
	// The lock keeps other runs from removing the old file while it has the temporary name. If
	// another program has locked the file, its lock does the same.
	if old, err := t.dir.Open(t.name, os.O_RDONLY, 0); err == nil {
		defer old.Close()
		holdPatiently(old)
	}
	err := t.dir.Exchange(f.Base(), t.name)
	if errors.Is(err, errors.ErrUnsupported) {
		return withoutPath(t.dir.Rename(f.Base(), t.name))
	}
	if err != nil {
		return withoutPath(err)
	}
	if err := t.checkUnchanged(f.Base()); err != nil {
		return t.swapBack(f, err)
	}
	return nil
}

// swapBack undoes the exchange of swapIn: the file of another program, which has the temporary
// name, gets its name back. swapBack returns reason. If the exchange fails, the error also says
// where the file of the other program is. If t.name still has the new content, the error is not a
// *Refusal.
func (t *target) swapBack(f *Temporary, reason error) error {
	err := t.dir.Exchange(f.Base(), t.name)
	if err != nil {
		err = t.dir.RenameNew(f.Base(), t.name) // the name was removed meanwhile
	}
	if err == nil && (t.dir.Is(f.Base(), f.File) || !t.exists(f.Base())) {
		return reason
	}
	if t.dir.Is(t.name, f.File) {
		reason = fmt.Errorf("its content was replaced, and that cannot be undone: %s", reason)
	}
	return t.keepForeign(f, reason)
}

// exists reports whether a name exists in the directory, or may exist.
func (t *target) exists(name string) bool {
	_, err := t.dir.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// keepForeign renames the file of another program that has the temporary name of f. Otherwise
// Cleanup or a Sweeper would remove it. The result is reason, with the new path of this file.
func (t *target) keepForeign(f *Temporary, reason error) error {
	for n := 1; n <= 2*attempts; n++ {
		kept := t.keptName(n)
		err := t.dir.RenameNew(f.Base(), kept)
		if err == nil {
			return fmt.Errorf("%w; the file of the other program is kept as %s", reason, t.dir.Path(kept))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return reason
		}
	}
	f.KeepName()
	return fmt.Errorf("%w; the file of the other program is %s: move it now, because the next run removes it",
		reason, t.dir.Path(f.Base()))
}

// keptName returns the n-th name that keepForeign tries, from 1. The later names are random and
// short, in case the first names exist or are too long for the file system.
func (t *target) keptName(n int) string {
	if n <= attempts {
		return fmt.Sprintf("%s.kept-%d", shorten(t.name), n)
	}
	return fmt.Sprintf("kept-%d", rand.Uint32())
}

// finishRename gives the new file the name Options.Name, if it is set, and flushes the directory.
// It flushes even after an error, because Cleanup then removes the old content.
func (t *target) finishRename() error {
	var failed error
	if name := t.newName(); name != t.name {
		failed = t.dir.RenameNew(t.name, name)
		if errors.Is(failed, fs.ErrExist) {
			failed = errors.New(refuseName(name).Error()) // no *Refusal, because the content was replaced
		}
	}
	flushed := withoutPath(t.dir.Sync())
	if failed == nil {
		return flushed
	}
	failed = fmt.Errorf("its content was replaced, but it keeps its name: %w", withoutPath(failed))
	if flushed != nil {
		return fmt.Errorf("%w; %w", failed, flushed)
	}
	return failed
}

// Rename renames a file of dir, and flushes all changes in the directory to the disk. The error is
// a *Refusal if another file has the new name.
func Rename(dir *Dir, from, to string) error {
	err := dir.RenameNew(from, to)
	if errors.Is(err, fs.ErrExist) {
		return refuseName(to)
	}
	if err != nil {
		return withoutPath(err)
	}
	return withoutPath(dir.Sync())
}

// withoutPath returns an error of the operating system without its paths. A path may be of a
// temporary file, which means nothing to a user. The message of the caller has the path of the
// file.
func withoutPath(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return &opError{e.Op, e.Err}
	case *os.LinkError:
		return &opError{e.Op, e.Err}
	}
	return err
}

// withoutPath returns err. If it is an error of the operating system about f, the result does not
// have the path of f.
func (f *Temporary) withoutPath(err error) error {
	if e, ok := err.(*fs.PathError); ok && e.Path == f.Name() {
		return &opError{e.Op, e.Err}
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
