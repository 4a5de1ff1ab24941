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
// bytes, files.Replace gives it the old bytes, time and name. If a file has its old bytes but not
// its former name, the undo only renames it. If it has both, the undo leaves it unchanged. So an
// undo can be interrupted and repeated. A file with any other bytes is refused. A Maildir message
// keeps the flags that it has at the time of the undo.

// UndoOptions say which files an undo puts back.
type UndoOptions struct {
	Journal string    // path of the journal
	Paths   []string  // files to put back, and directories with all files below them; empty for all files
	List    io.Writer // if not nil, Undo puts no file back, and writes the names to List, one a line
	Quiet   bool      // print neither the roots nor the number of files
}

// Undo puts back files of a journal, and reports each file to the account of inputs. If the error
// is a *[flag.Error], no file was put back. Files that o.Paths leaves out can be put back later.
// Undo cuts off an incomplete last line of the journal, even if o.List is set.
func Undo(ctx context.Context, inputs *run.Run, o UndoOptions) error {
	path := o.Journal
	quiet := o.Quiet
	j, err := journal.Open(path)
	if err != nil {
		return flag.Errorf("--undo %s", openError(path, err, "give the file that --journal named"))
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

// choose sets u.chosen to the keys of the files that paths name. It is an error if the journal has
// no file for one of the paths. The error is a [*flag.Error].
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
			return flag.Errorf("--undo %s: the run replaced no file at or below %s; --dry-run lists the files of the "+
				"run", u.o.Journal, path)
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

// keyOf returns a key for a file or directory. Usually the key is the path. All names of a message
// of a Maildir have the same key, because the message may have moved since the run.
func keyOf(path string) string {
	if !input.MaildirHolds(path) || input.IsDir(path) {
		return path
	}
	return filepath.Dir(filepath.Dir(path)) + "\x00" + maildir.Split(filepath.Base(path)).Unique
}

// files yields the chosen files that are not put back yet, the last file first. If the entry of a
// file is damaged, files yields an error in place of the file.
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
	u.sweepJournal()
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

// restoration is a file that is being put back.
type restoration struct {
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
func (r *Run) putBack(ctx context.Context, f *journal.File, e *report.Entry) {
	e.Subject.Source = f.Path
	e.Subject.Bytes = f.NewSize
	e.Result.SetOutcome(report.Restored)
	rs := r.newRestoration(f, e)
	defer rs.close()
	if err := rs.restoreUnderLock(ctx); err != nil {
		e.FailWrite(refuseLink(err))
		return
	}
	if err := r.journal.Mark(f, journal.Undone); err != nil {
		e.FailWrite(err)
	}
}

// newRestoration returns a restoration of f, with e for its outcome. The caller must close it.
func (r *Run) newRestoration(f *journal.File, e *report.Entry) *restoration {
	return &restoration{r, f, e, make(map[string]*files.Dir)}
}

func (rs *restoration) close() {
	for _, d := range rs.dirs {
		d.Close()
	}
}

// dir returns the directory of the file at path. Only the first call opens it.
func (rs *restoration) dir(path string) (*files.Dir, error) {
	path = filepath.Dir(path)
	if rs.dirs[path] == nil {
		d, err := rs.below.Directory(path)
		if err != nil {
			return nil, err
		}
		rs.dirs[path] = d
	}
	return rs.dirs[path], nil
}

// originalDir returns the directory in which the file was before the run.
func (rs *restoration) originalDir() (*files.Dir, error) {
	dir, err := rs.dir(rs.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	return dir, err
}

// restoreUnderLock puts the file back. If the file is a mailbox, restoreUnderLock locks the mailbox
// first, and unlocks it at the end.
func (rs *restoration) restoreUnderLock(ctx context.Context) error {
	dir, err := rs.originalDir()
	if err != nil {
		return err
	}
	if rs.Locked {
		l, err := acquire(ctx, dir, filepath.Base(rs.Path))
		if err != nil {
			return err
		}
		defer l.Release()
	}
	return rs.restoreEvenIfMoved(ctx)
}

// restoreEvenIfMoved puts the file back. If the file is a Maildir message, and a mail reader moves
// it during the attempt, restoreEvenIfMoved tries again.
func (rs *restoration) restoreEvenIfMoved(ctx context.Context) error {
	err := rs.restore(ctx, false)
	missed := 0 // attempts in a row that did not find the file
	for n := 0; input.MaildirHolds(rs.Path) && n < input.MaxMoves &&
		missed < input.MaxRereads && ctx.Err() == nil; n++ {
		if err != errGone && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missed++
		if err = rs.restore(ctx, true); err != errGone {
			missed = 0
		}
	}
	return err
}

// restore finds the file, and does the steps of the undo that are missing. anew is true if an
// earlier attempt did not find the file. Then restore reads the Maildir of the file again.
func (rs *restoration) restore(ctx context.Context, anew bool) error {
	s, replaced, err := rs.state(anew)
	switch {
	case err != nil:
		return err
	case replaced:
		return rs.writeOldBytes(ctx, s)
	}
	if former := rs.formerName(s.name); s.name != former {
		return files.Rename(s.dir, s.name, former)
	}
	rs.e.Result.SetOutcome(report.Unchanged)
	return nil
}

// state returns the location of the file. replaced is true if the file has its new bytes, and false
// if the file has its old bytes. If the file has neither, or is not found, state returns an error.
// anew has the meaning that it has for restore.
func (rs *restoration) state(anew bool) (s *location, replaced bool, err error) {
	hasNew := func(s *location) bool { return fileHas(s.dir, s.name, rs.NewSize, rs.After) }
	if s := rs.find(anew, hasNew); s != nil {
		return s, true, nil
	}
	hasOld := func(s *location) bool { return fileHas(s.dir, s.name, rs.Size, rs.Before) }
	if s := rs.find(false, hasOld); s != nil {
		return s, false, nil
	}
	exists := func(s *location) bool {
		err = rs.reasonToStay(s)
		return !errors.Is(err, fs.ErrNotExist)
	}
	if rs.find(false, exists) == nil {
		err = errGone
	}
	return nil, false, err
}

// reasonToStay returns the reason why the file at s is not put back: the file cannot be opened, or
// has neither the old nor the new bytes. The caller has searched for these bytes before. If the
// file at s has them now, a mail reader moved it to s during the search. Then reasonToStay returns
// errGone, and the search begins again.
func (rs *restoration) reasonToStay(s *location) error {
	f, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if hasBytes(f, rs.NewSize, rs.After) || hasBytes(f, rs.Size, rs.Before) {
		return errGone
	}
	return &files.Refusal{Reason: "was changed after the run, so the file stays as it is"}
}

// errGone says that the file was at none of its possible locations, or that its directory is
// missing. The file may have moved during the search.
var errGone = errors.New("is not there any more")

// find returns the first location that ok accepts, or nil. find tries the new name of the file,
// then its old name, and then the names that mail readers gave to a Maildir message. If anew is
// true, find reads the Maildir again for these names.
func (rs *restoration) find(anew bool, ok func(s *location) bool) *location {
	try := func(path string) *location {
		dir, err := rs.dir(path)
		if err != nil {
			return nil
		}
		if s := (&location{dir, filepath.Base(path)}); ok(s) {
			return s
		}
		return nil
	}
	for _, path := range []string{rs.NewPath(), rs.Path} {
		if s := try(path); s != nil {
			return s
		}
	}
	for _, path := range rs.moved.Find(rs.Path, anew) {
		if s := try(path); s != nil {
			return s
		}
	}
	return nil
}

// formerName returns the base name that the undo gives to a file with the current name now. A
// Maildir message keeps its current flags, and gets the old sizes in its name.
func (rs *restoration) formerName(now string) string {
	name := maildir.Split(now)
	name.Fields = maildir.Split(filepath.Base(rs.Path)).Fields
	return name.String()
}

// writeOldBytes replaces the file at s, which has the new bytes, by a file with the old bytes.
func (rs *restoration) writeOldBytes(ctx context.Context, s *location) error {
	made, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer made.Close()
	info, err := made.Stat()
	if err != nil {
		return err
	}
	o := files.Options{ModTime: rs.ModTime, Name: rs.formerName(s.name), Release: func() { made.Close() }}
	indexed := sizesInIndex(s.path(), made, info.Size())
	err = files.Replace(s.dir, s.name, info, o, func(old *os.File) error {
		h := sha256.New()
		if err := rs.Restore(files.Interruptible(ctx, io.MultiWriter(old, h)), made); err != nil {
			return err
		}
		if journal.Sum(h.Sum(nil)) != rs.Before {
			return &files.Refusal{Reason: "the journal does not have its old bytes, so the file stays as it is"}
		}
		return nil
	})
	if err == nil && o.Name == s.name {
		rs.noteStale(s.dir, s.name, indexed)
	}
	return err
}
