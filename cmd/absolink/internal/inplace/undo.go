package inplace

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// An undo goes through the files of a journal from the last to the first. If a file has its new
// bytes, files.Replace gives it back its old bytes, time and name. A Maildir message keeps its
// flags. If a file has its old bytes, nothing is left to do, so an undo can be interrupted and
// repeated. Any other file is refused.

// UndoOptions say which files an undo puts back.
type UndoOptions struct {
	Journal string
	Paths   []string  // files to put back, and directories with all files below them; empty for all files
	List    io.Writer // if not nil, Undo only writes the names of the files to List, one name a line
	Quiet   bool
}

// Undo puts back files of a journal, and reports each file to the account of inputs. If the error
// is a *[flag.Error], nothing was done. Files that o.Paths leaves out can be put back later.
func Undo(ctx context.Context, inputs *run.Run, o UndoOptions) error {
	path := o.Journal
	quiet := o.Quiet
	j, err := journal.Open(path)
	if err != nil {
		return flag.Errorf("--undo %s", openError(path, err, "give the file that --journal has named"))
	}
	defer j.Close()
	u := &undo{Run: &Run{o: Options{Journal: path, Quiet: quiet}, inputs: inputs, journal: j, below: j.Roots()}}
	if err := u.choose(o.Paths); err != nil {
		return err
	}
	if err := inputs.Account.ClaimOutput("--undo "+path, "the journal", j.Stat); err != nil {
		return err
	}
	if err := inputs.Account.Open(); err != nil {
		return err
	}
	done := "put back"
	if o.List != nil {
		done = "would be put back"
		err = inputs.Account.Close(u.list(ctx, o.List))
	} else {
		err = inputs.Account.Close(u.putBackAll(ctx))
	}
	if err == nil && !quiet {
		inputs.Account.Console.Printf("%s %s",
			console.Plural(inputs.Account.Totals.Inputs.With(report.Restored), "file", "files"), done)
	}
	u.SumUp()
	return err
}

// undo is one undo.
type undo struct {
	*Run
	chosen map[string]bool // keys of the files to put back, see keysOf; empty for all files
}

// choose sets u.chosen to the files that paths name. The journal must have a file for each path.
// The error is a [*flag.Error].
func (u *undo) choose(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	u.chosen = make(map[string]bool, len(paths))
	keys := make([]string, len(paths))
	for i, path := range paths {
		real, err := realPathOfMissing(path)
		if err != nil {
			return flag.Errorf("--undo %s: %s: %v", u.o.Journal, path, err)
		}
		keys[i] = keyOf(real)
		u.chosen[keys[i]] = false
	}
	for f, err := range u.journal.Backward() {
		if err != nil {
			continue
		}
		for _, key := range keysOf(f) {
			if _, ok := u.chosen[key]; ok {
				u.chosen[key] = true // the journal has a file with this key
			}
		}
	}
	for i, path := range paths {
		if !u.chosen[keys[i]] {
			return flag.Errorf("--undo %s: the run has replaced no file %s, nor any below it; --dry-run lists all",
				u.o.Journal, path)
		}
	}
	return nil
}

// realPathOfMissing returns the absolute path without symbolic links. The file itself may be
// missing.
func realPathOfMissing(path string) (string, error) {
	real, err := realPath(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	dir, err := realPath(filepath.Dir(filepath.Clean(path)))
	return filepath.Join(dir, filepath.Base(path)), err
}

// isChosen reports whether f is chosen.
func (u *undo) isChosen(f *journal.File) bool {
	return len(u.chosen) == 0 || slices.ContainsFunc(keysOf(f), func(key string) bool { return u.chosen[key] })
}

// keysOf returns the keys by which a user can choose f: the keys of its old and new paths, and of
// the directories above it.
func keysOf(f *journal.File) []string {
	keys := []string{keyOf(f.Path), keyOf(f.NewPath())}
	for dir := filepath.Dir(f.Path); ; dir = filepath.Dir(dir) {
		keys = append(keys, dir)
		if dir == filepath.Dir(dir) {
			return keys
		}
	}
}

// keyOf returns a key for a file or directory. Usually it is the path. All names of a message of a
// Maildir have the same key, because the message may have moved since the run.
func keyOf(path string) string {
	if !input.MaildirHolds(path) || input.IsDir(path) {
		return path
	}
	return filepath.Dir(filepath.Dir(path)) + "\x00" + maildir.Split(filepath.Base(path)).Unique
}

// files yields the chosen files that are not put back yet, the last file first. An error stands for
// a file whose lines in the journal are damaged.
func (u *undo) files(ctx context.Context) iter.Seq2[*journal.File, error] {
	return func(yield func(*journal.File, error) bool) {
		for f, err := range u.journal.Backward() {
			if ctx.Err() != nil {
				return
			}
			if err == nil && (f.Status == journal.Undone || !u.isChosen(f)) {
				continue
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// putBackAll puts the chosen files back.
func (u *undo) putBackAll(ctx context.Context) error {
	if !u.o.Quiet {
		u.inputs.Account.Console.Printf("--undo %s: puts back files below %s", u.o.Journal, strings.Join(u.below, ", "))
	}
	u.sweep()
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		if err != nil {
			e.Result.Fail(err)
		} else {
			u.putBack(ctx, f, e)
		}
		u.report(ctx, e)
	}
	if len(u.chosen) == 0 {
		u.sweepInputs(ctx)
	}
	return ctx.Err()
}

// report reports the outcome of a file.
func (u *undo) report(ctx context.Context, e *report.Entry) {
	if ctx.Err() != nil && e.Result.Outcome() == report.Failed {
		e.Result.AddClass(report.Cancelled)
	}
	u.inputs.Account.Report(e, io.Discard)
}

// restoring is a file that is being put back.
type restoring struct {
	*Run
	*journal.File
	e    *report.Entry
	dirs map[string]*files.Dir // the open directories in which the file may be, by path
}

// location is a directory, and the name of a file in it.
type location struct {
	dir  *files.Dir
	name string
}

func (s *location) path() string { return s.dir.Path(s.name) }

// putBack puts the old bytes of one file back.
func (x *Run) putBack(ctx context.Context, f *journal.File, e *report.Entry) {
	e.Subject.Source = f.Path
	e.Subject.Bytes = f.NewSize
	e.Result.SetOutcome(report.Restored)
	r := x.restoring(f, e)
	defer r.close()
	if err := r.restoreUnderLock(ctx); err != nil {
		e.FailWrite(refuseLink(err))
		return
	}
	if err := x.journal.Mark(f, journal.Undone); err != nil {
		e.FailWrite(err)
	}
}

// restoring returns a restoring of f. e is the entry for its outcome. The caller must close the
// result.
func (x *Run) restoring(f *journal.File, e *report.Entry) *restoring {
	return &restoring{x, f, e, make(map[string]*files.Dir)}
}

func (r *restoring) close() {
	for _, d := range r.dirs {
		d.Close()
	}
}

// dir returns the directory of the file at path. Only the first call opens it.
func (r *restoring) dir(path string) (*files.Dir, error) {
	path = filepath.Dir(path)
	if r.dirs[path] == nil {
		d, err := r.below.Directory(path)
		if err != nil {
			return nil, err
		}
		r.dirs[path] = d
	}
	return r.dirs[path], nil
}

// originalDir returns the directory in which the file was before the run.
func (r *restoring) originalDir() (*files.Dir, error) {
	dir, err := r.dir(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	return dir, err
}

// restoreUnderLock puts the file back. It locks a mailbox meanwhile.
func (r *restoring) restoreUnderLock(ctx context.Context) error {
	dir, err := r.originalDir()
	if err != nil {
		return err
	}
	if r.Locked {
		l, err := acquire(ctx, dir, filepath.Base(r.Path))
		if err != nil {
			return err
		}
		defer l.Release()
	}
	return r.restoreEvenIfMoved(ctx)
}

// restoreEvenIfMoved puts the file back. If a mail reader moves a Maildir message meanwhile, it
// tries again.
func (r *restoring) restoreEvenIfMoved(ctx context.Context) error {
	err := r.restore(ctx, false)
	missed := 0 // attempts in a row that did not find the file
	for n := 0; input.MaildirHolds(r.Path) && n < input.MaxMoves &&
		missed < input.MaxRereads && ctx.Err() == nil; n++ {
		if err != errGone && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missed++
		if err = r.restore(ctx, true); err != errGone {
			missed = 0
		}
	}
	return err
}

// restore finds the file, and does the missing steps of the undo. anew is true if an earlier
// attempt did not find the file: then its Maildir is read again.
func (r *restoring) restore(ctx context.Context, anew bool) error {
	s, replaced, err := r.state(anew)
	switch {
	case err != nil:
		return err
	case replaced:
		return r.writeOldBytes(ctx, s)
	}
	if former := r.formerName(s.name); s.name != former {
		return files.Rename(s.dir, s.name, former)
	}
	r.e.Result.SetOutcome(report.Unchanged)
	return nil
}

// state returns the location of the file. replaced is true if the file has its new bytes, and false
// if it has its old bytes. If it has neither, state returns an error.
func (r *restoring) state(anew bool) (s *location, replaced bool, err error) {
	hasNew := func(s *location) bool { return fileHas(s.dir, s.name, r.NewSize, r.After) }
	if s := r.find(anew, hasNew); s != nil {
		return s, true, nil
	}
	hasOld := func(s *location) bool { return fileHas(s.dir, s.name, r.Size, r.Before) }
	if s := r.find(false, hasOld); s != nil {
		return s, false, nil
	}
	exists := func(s *location) bool {
		err = r.reasonToStay(s)
		return !errors.Is(err, fs.ErrNotExist)
	}
	if r.find(false, exists) == nil {
		err = errGone
	}
	return nil, false, err
}

// reasonToStay returns the reason why the file at s is not put back: it cannot be opened, or it has
// neither the old nor the new bytes. If it has the old or new bytes now, a mail reader moved it
// here while find looked elsewhere. Then reasonToStay returns errGone.
func (r *restoring) reasonToStay(s *location) error {
	f, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if hasBytes(f, r.NewSize, r.After) || hasBytes(f, r.Size, r.Before) {
		return errGone
	}
	return &files.Refusal{Reason: "was changed after the run: it stays as it is"}
}

// errGone is the error of a file that is at none of its possible locations.
var errGone = errors.New("is not there any more")

// find returns the first location that ok accepts, or nil. It tries the new name of the file, its
// old name, and for a Maildir message the names that mail readers gave it. anew is passed to
// input.Moved.Find.
func (r *restoring) find(anew bool, ok func(s *location) bool) *location {
	try := func(path string) *location {
		dir, err := r.dir(path)
		if err != nil {
			return nil
		}
		if s := (&location{dir, filepath.Base(path)}); ok(s) {
			return s
		}
		return nil
	}
	for _, path := range []string{r.NewPath(), r.Path} {
		if s := try(path); s != nil {
			return s
		}
	}
	for _, path := range r.mail.Find(r.Path, anew) {
		if s := try(path); s != nil {
			return s
		}
	}
	return nil
}

// formerName returns the base name that the file gets back. now is its current name. A Maildir
// message keeps its current flags, and the sizes in its name become the old sizes.
func (r *restoring) formerName(now string) string {
	name := maildir.Split(now)
	name.Fields = maildir.Split(filepath.Base(r.Path)).Fields
	return name.String()
}

// writeOldBytes replaces the file at s, which has its new bytes, with a file of its old bytes.
func (r *restoring) writeOldBytes(ctx context.Context, s *location) error {
	made, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer made.Close()
	info, err := made.Stat()
	if err != nil {
		return err
	}
	o := files.Options{ModTime: r.ModTime, Name: r.formerName(s.name), Release: func() { made.Close() }}
	indexed := sizesInIndex(s.path(), made, info.Size())
	err = files.Replace(s.dir, s.name, info, o, func(old *os.File) error {
		h := sha256.New()
		if err := r.Restore(files.Interruptible(ctx, io.MultiWriter(old, h)), made); err != nil {
			return err
		}
		if journal.Sum(h.Sum(nil)) != r.Before {
			return &files.Refusal{Reason: "the journal does not have its old bytes: it stays as it is"}
		}
		return nil
	})
	if err == nil && o.Name == s.name {
		r.noteStale(s.dir, s.name, indexed)
	}
	return err
}
