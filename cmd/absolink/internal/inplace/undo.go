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

// An undo goes through the files of a journal from the last to the first. A file with its new bytes
// gets its old bytes, time and name back, by files.Replace. A Maildir message keeps its flags. A
// file that has its old bytes is done already, so an undo can be interrupted and repeated. Any
// other file is refused.

// UndoOptions say what an undo puts back.
type UndoOptions struct {
	Journal string
	Paths   []string  // files, and directories with all files below them; empty for all files
	List    io.Writer // if not nil, the files that would be put back are listed, one a line, and nothing is changed
	Quiet   bool
}

// Undo puts back files of a journal, and reports each of them to the account of inputs. A
// *[flag.Error] says why nothing is done. Files that o.Paths leaves out can be put back later.
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
	chosen map[string]bool // the places of the files that are put back, see placesOf; empty for all files
}

// choose chooses the files of the journal that are put back. Each of the paths must have one. The
// error is a [*flag.Error].
func (u *undo) choose(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	u.chosen = make(map[string]bool, len(paths))
	places := make([]string, len(paths))
	for i, path := range paths {
		real, err := realPlace(path)
		if err != nil {
			return flag.Errorf("--undo %s: %s: %v", u.o.Journal, path, err)
		}
		places[i] = placeOf(real)
		u.chosen[places[i]] = false
	}
	for f, err := range u.journal.Backward() {
		if err != nil {
			continue
		}
		for _, place := range placesOf(f) {
			if _, ok := u.chosen[place]; ok {
				u.chosen[place] = true // the journal has a file there
			}
		}
	}
	for i, path := range paths {
		if !u.chosen[places[i]] {
			return flag.Errorf("--undo %s: the run has replaced no file %s, nor any below it; --dry-run lists all",
				u.o.Journal, path)
		}
	}
	return nil
}

// realPlace returns the absolute path without symbolic links. The file itself may be missing.
func realPlace(path string) (string, error) {
	real, err := realPath(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	dir, err := realPath(filepath.Dir(filepath.Clean(path)))
	return filepath.Join(dir, filepath.Base(path)), err
}

// isChosen reports whether f is chosen.
func (u *undo) isChosen(f *journal.File) bool {
	return len(u.chosen) == 0 || slices.ContainsFunc(placesOf(f), func(place string) bool { return u.chosen[place] })
}

// placesOf returns the places by which a user can choose f: f before and after the run, and the
// directories above it.
func placesOf(f *journal.File) []string {
	places := []string{placeOf(f.Path), placeOf(f.NewPath())}
	for dir := filepath.Dir(f.Path); ; dir = filepath.Dir(dir) {
		places = append(places, dir)
		if dir == filepath.Dir(dir) {
			return places
		}
	}
}

// placeOf returns the place of a file or directory, which is its path. All names of a message of a
// Maildir have the same place, because the message may have moved since the run.
func placeOf(path string) string {
	if !input.MaildirHolds(path) || input.IsDir(path) {
		return path
	}
	return filepath.Dir(filepath.Dir(path)) + "\x00" + maildir.Split(filepath.Base(path)).Unique
}

// files yields the chosen files that are not put back yet, the last first, each with an entry for
// its outcome. An error belongs to a file that the journal does not describe well.
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
	u.sweepInputs()
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		if err != nil {
			e.Result.Fail(err)
		} else {
			u.putBack(ctx, f, e)
		}
		u.tell(ctx, e)
	}
	return ctx.Err()
}

// tell reports the outcome of a file.
func (u *undo) tell(ctx context.Context, e *report.Entry) {
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

// location is where a file is.
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

// restoring returns the restoring of f, with the entry for its outcome. The caller must close it.
func (x *Run) restoring(f *journal.File, e *report.Entry) *restoring {
	return &restoring{x, f, e, make(map[string]*files.Dir)}
}

func (r *restoring) close() {
	for _, d := range r.dirs {
		d.Close()
	}
}

// dir opens the directory of the file path, once.
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

// home opens the directory in which the file was.
func (r *restoring) home() (*files.Dir, error) {
	dir, err := r.dir(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	return dir, err
}

// restoreUnderLock puts the file back. It locks a mailbox meanwhile.
func (r *restoring) restoreUnderLock(ctx context.Context) error {
	dir, err := r.home()
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

// restore finds the file, and does the steps of the undo that are still missing. anew says that an
// earlier attempt did not find the file, so that its Maildir must be read again.
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

// state returns the location of the file. replaced says that the file has its new bytes; otherwise
// it has its old bytes. If it has neither, state returns an error.
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
// neither the old nor the new bytes. If it has one of these now, a mail reader moved it here while
// find looked elsewhere, and reasonToStay returns errGone.
func (r *restoring) reasonToStay(s *location) error {
	f, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if hasBytes(f, r.NewSize, r.After) || hasBytes(f, r.Size, r.Before) {
		return errGone
	}
	return &files.Refusal{Reason: "is not what the run has left: changed since, it stays as it is"}
}

// errGone is the error of a file that is missing from all its possible places.
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
// message keeps its current flags. Only the sizes in its name become those of before.
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
	o := files.Options{ModTime: r.ModTime, Name: r.formerName(s.name)}
	err = files.Replace(s.dir, s.name, info, o, func(old *os.File) error {
		h := sha256.New()
		if err := r.Restore(files.Interruptible(ctx, io.MultiWriter(old, h)), made); err != nil {
			return err
		}
		if journal.Sum(h.Sum(nil)) != r.Before {
			return &files.Refusal{Reason: "the journal does not give its old bytes: it stays as it is"}
		}
		return nil
	})
	if err == nil && o.Name == s.name {
		r.noteStale(s.path(), r.NewSize)
	}
	return err
}
