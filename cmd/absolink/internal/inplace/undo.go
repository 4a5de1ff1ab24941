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
// its old name, the undo only renames it. If a file has its old bytes and its old name, the undo
// leaves it unchanged. So an undo can be interrupted and repeated. The undo refuses a file with any
// other bytes. A Maildir message keeps the flags that its name has at the time of the undo.

// UndoOptions say which files an undo restores.
type UndoOptions struct {
	Journal string    // path of the journal
	Paths   []string  // the files to restore, and directories of files to restore; empty for all files
	List    io.Writer // if not nil, Undo restores no file, and writes the names to List, one a line
	Quiet   bool      // print neither the roots, nor the number of files, nor the lines of Run.SumUp
}

// Undo restores files of a journal. It reports the outcome of each file to runner.Account. If the
// error is a *[flag.Error], no file was restored. A later undo can restore the files that o.Paths
// leaves out. Undo cuts off an incomplete last line of the journal, even if o.List is set.
func Undo(ctx context.Context, runner *run.Run, o UndoOptions) error {
	path := o.Journal
	quiet := o.Quiet
	j, err := journal.Open(path)
	if err != nil {
		return flag.Errorf("--undo %s", openError(path, err, "give the file that --journal named"))
	}
	defer j.Close()
	u := &undo{Run: &Run{o: Options{Journal: path, Quiet: quiet}, runner: runner, journal: j, roots: j.Roots()}}
	if err := u.choose(o.Paths); err != nil {
		return err
	}
	if err := runner.Account.ClaimOutput("--undo "+path, "the journal", j.Stat); err != nil {
		return err
	}
	if err := runner.Account.Open(); err != nil {
		return err
	}
	done := "put back"
	if o.List != nil {
		done = "would be put back"
		err = runner.Account.Close(u.list(ctx, o.List))
	} else {
		err = runner.Account.Close(u.restoreAll(ctx))
	}
	if err == nil && !quiet {
		runner.Account.Console.Printf("%s %s",
			console.Plural(runner.Account.Totals.Inputs.With(report.Restored), "file", "files"), done)
	}
	u.SumUp()
	return err
}

// undo is an undo of the chosen files of a journal.
type undo struct {
	*Run
	chosen map[string]bool // the keys of the files to restore (see keysOf), or empty for all files
}

// choose sets u.chosen to the keys of the files and directories in paths. If the journal has no
// file at or below one of the paths, choose returns a *[flag.Error].
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
			return flag.Errorf("--undo %s: the run replaced no file at or below %s; --dry-run without names lists "+
				"the files that can be restored", u.o.Journal, path)
		}
	}
	return nil
}

// realPathOfMissing returns the real path of a file that may be missing. Its directory must exist.
func realPathOfMissing(path string) (string, error) {
	real, err := realPath(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	dir, err := realPath(filepath.Dir(filepath.Clean(path)))
	return filepath.Join(dir, filepath.Base(path)), err
}

// isChosen reports whether the user has chosen f.
func (u *undo) isChosen(f *journal.File) bool {
	return len(u.chosen) == 0 || slices.ContainsFunc(keysOf(f), func(key string) bool { return u.chosen[key] })
}

// keysOf returns the keys by which a user can choose f: the keys of its old and new paths, and of
// all directories above it.
func keysOf(f *journal.File) []string {
	keys := []string{keyOf(f.Path), keyOf(f.NewPath())}
	for dir := filepath.Dir(f.Path); ; dir = filepath.Dir(dir) {
		keys = append(keys, dir)
		if dir == filepath.Dir(dir) {
			return keys
		}
	}
}

// keyOf returns the key of a file or directory. Usually the key is the path. All names of a Maildir
// message have the same key, because the message may have moved since the run.
func keyOf(path string) string {
	if !input.MaildirHolds(path) || input.IsDir(path) {
		return path
	}
	return maildir.Key(path)
}

// files yields the chosen files that are not restored yet, the last file first. If the entry of a
// file is damaged, files yields an error instead of the file.
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

// restoreAll restores the chosen files.
func (u *undo) restoreAll(ctx context.Context) error {
	if !u.o.Quiet {
		u.runner.Account.Console.Printf("--undo %s: puts back files below %s", u.o.Journal, strings.Join(u.roots, ", "))
	}
	u.sweepJournal()
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		if err != nil {
			e.Result.Fail(err)
		} else {
			u.restoreFile(ctx, f, e)
		}
		u.report(ctx, e)
	}
	if len(u.chosen) == 0 {
		u.sweepInputs(ctx)
	}
	return ctx.Err()
}

// report reports the outcome of a file to the account.
func (u *undo) report(ctx context.Context, e *report.Entry) {
	if ctx.Err() != nil && e.Result.Outcome() == report.Failed {
		e.Result.AddClass(report.Cancelled)
	}
	u.runner.Account.Report(e, io.Discard)
}

// restoration is the undo of one file.
type restoration struct {
	*Run
	*journal.File
	e    *report.Entry
	dirs map[string]*files.Dir // open directories, by path
}

// location is a directory, and the name of a file in it.
type location struct {
	dir  *files.Dir
	name string
}

func (s *location) path() string { return s.dir.Path(s.name) }

// restoreFile restores the file f, and sets the outcome in e.
func (r *Run) restoreFile(ctx context.Context, f *journal.File, e *report.Entry) {
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

// newRestoration returns a restoration of f that sets the outcome in e. The caller must close it.
func (r *Run) newRestoration(f *journal.File, e *report.Entry) *restoration {
	return &restoration{r, f, e, make(map[string]*files.Dir)}
}

func (rs *restoration) close() {
	for _, d := range rs.dirs {
		d.Close()
	}
}

// dir returns the directory of the file at path. It opens each directory only once.
func (rs *restoration) dir(path string) (*files.Dir, error) {
	path = filepath.Dir(path)
	if rs.dirs[path] == nil {
		d, err := rs.roots.Directory(path)
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

// restoreUnderLock restores the file. If the file is a mailbox, the mailbox is locked meanwhile.
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

// restoreEvenIfMoved restores the file. If the file is a Maildir message that a mail program moves
// during the attempt, restoreEvenIfMoved tries again, a limited number of times.
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

// restore finds the file, and does the steps of the undo that are not done yet. If reread is true,
// restore reads the Maildir of the file again to find the message. Another attempt needs this after
// the message has moved.
func (rs *restoration) restore(ctx context.Context, reread bool) error {
	s, replaced, err := rs.state(reread)
	switch {
	case err != nil:
		return err
	case replaced:
		return rs.writeOldBytes(ctx, s)
	}
	if old := rs.oldName(s.name); s.name != old {
		return files.Rename(s.dir, s.name, old)
	}
	rs.e.Result.SetOutcome(report.Unchanged)
	return nil
}

// state returns the location of the file. replaced is true if the file has its new bytes, and false
// if it has its old bytes. If the file has neither, or is not found, state returns an error. If
// reread is true, state first reads the Maildir of the file again.
func (rs *restoration) state(reread bool) (s *location, replaced bool, err error) {
	hasNew := func(s *location) bool { return fileHas(s.dir, s.name, rs.NewSize, rs.After) }
	if s := rs.find(reread, hasNew); s != nil {
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

// reasonToStay returns the reason why the undo leaves the file at s unchanged: it cannot be opened,
// or has neither the old nor the new bytes.
//
// The caller has searched for a file with these bytes before. If the file at s has them now, a mail
// program moved it to s during the search. Then reasonToStay returns errGone, and
// restoreEvenIfMoved searches again.
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
// missing. A mail program may have moved the file during the search.
var errGone = errors.New("is not there any more")

// find returns the first location that ok accepts, or nil. find tries the new name of the file,
// then its old name, and then the names that mail programs gave to a Maildir message. If reread is
// true, find reads the Maildir again for these names.
func (rs *restoration) find(reread bool, ok func(s *location) bool) *location {
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
	for _, path := range rs.moved.Find(rs.Path, reread) {
		if s := try(path); s != nil {
			return s
		}
	}
	return nil
}

// oldName returns the base name that the undo gives to the file. current is its present base name.
// A Maildir message gets its old sizes, and keeps its present flags.
func (rs *restoration) oldName(current string) string {
	return maildir.Renamed(current, filepath.Base(rs.Path))
}

// writeOldBytes replaces the file at s, which has the new bytes, by a file with the old bytes.
func (rs *restoration) writeOldBytes(ctx context.Context, s *location) error {
	current, err := s.dir.Open(s.name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer current.Close()
	info, err := current.Stat()
	if err != nil {
		return err
	}
	o := files.Options{ModTime: rs.ModTime, Name: rs.oldName(s.name), Release: func() { current.Close() }}
	indexed := indexedSizes(s.path(), current, info.Size())
	err = files.Replace(s.dir, s.name, info, o, func(old *os.File) error {
		h := sha256.New()
		if err := rs.Restore(files.Interruptible(ctx, io.MultiWriter(old, h)), current); err != nil {
			return err
		}
		if journal.Sum(h.Sum(nil)) != rs.Before {
			return &files.Refusal{Reason: "the journal does not have its old bytes, so the file stays as it is"}
		}
		return nil
	})
	rs.noteStale(s.dir, s.name, indexed)
	return err
}
