package inplace

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// An undo goes through a journal from its end. A file with its new bytes gets its old bytes, as
// carefully as it lost them, and its old time and name; a Maildir message keeps its flags. A file
// with its old bytes is done already, so an undo can be interrupted and repeated. Any other file is
// refused.

// Undo puts back the files of the journal at path. A *[flag.Error] says why nothing is done. The
// result for each file goes to the account of in.
func Undo(ctx context.Context, in *run.Run, path string, quiet bool) error {
	j, err := journal.Open(path)
	if err != nil {
		return flag.Errorf("--undo %s", unopened(path, err, "give the file that --journal has named"))
	}
	defer j.Close()
	if err := in.Account.Claim("--undo "+path, "the journal", j.Stat); err != nil {
		return err
	}
	if err := in.Account.Open(); err != nil {
		return err
	}
	if !quiet {
		in.Account.Console.Printf("--undo %s: puts back files below %s", path, strings.Join(j.Roots(), ", "))
	}
	r := &Run{o: Options{Journal: path, Quiet: quiet}, r: in, journal: j, below: j.Roots()}
	r.sweep()
	err = in.Account.Close(r.putAllBack(ctx))
	if err == nil && !quiet {
		in.Account.Console.Printf("%s put back",
			console.Plural(in.Account.Totals.Inputs.By[report.Restored], "file", "files"))
	}
	r.SumUp()
	return err
}

func (r *Run) putAllBack(ctx context.Context) error {
	for f, err := range r.journal.Backward() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := &report.Entry{Subject: report.Subject{Source: r.o.Journal}}
		switch {
		case err != nil:
			e.Result.Fail(err)
		case f.Status == journal.Undone:
			continue
		default:
			r.putBack(ctx, f, e)
		}
		if ctx.Err() != nil && e.Result.Outcome() == report.Failed {
			e.Result.Mark(report.Cancelled)
		}
		r.r.Account.Tell(e, io.Discard)
	}
	return nil
}

// restoring is a file that is being put back. Its possible directories lie below the roots, are
// reached without symbolic links, and stay open meanwhile.
type restoring struct {
	*Run
	*journal.File
	e    *report.Entry
	dirs map[string]*files.Dir
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
	e.Result.Set(report.Restored)
	r := &restoring{x, f, e, make(map[string]*files.Dir)}
	defer r.close()
	if err := r.put(ctx); err != nil {
		e.Unwritten(byNow(err))
		return
	}
	if err := x.journal.Mark(f, journal.Undone); err != nil {
		e.Unwritten(err)
	}
}

func (r *restoring) close() {
	for _, d := range r.dirs {
		d.Close()
	}
}

// dir opens the directory of a path.
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

// put puts the file back; a mailbox is locked meanwhile.
func (r *restoring) put(ctx context.Context) error {
	dir, err := r.dir(r.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errGone
	case err != nil:
		return err
	}
	if r.Locked {
		l, err := acquire(ctx, dir, filepath.Base(r.Path))
		if err != nil {
			return err
		}
		defer l.Release()
	}
	return r.pursue(ctx)
}

// pursue restores the file. If a mail reader moves a Maildir message meanwhile, it tries again.
func (r *restoring) pursue(ctx context.Context) error {
	err := r.restore(ctx, false)
	missed := 0 // attempts in a row that did not find the file
	for n := 0; input.MaildirHolds(r.Path) && n < input.MovesFollowed &&
		missed < input.MovesMissed && ctx.Err() == nil; n++ {
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

// restore finds the state of the file and completes the undo from there. anew says that an earlier
// attempt did not find it in its place.
func (r *restoring) restore(ctx context.Context, anew bool) error {
	if s := r.find(anew, func(s *location) bool { return holds(s.dir, s.name, r.NewSize, r.After) }); s != nil {
		return r.reverse(ctx, s)
	}
	if s := r.find(false, func(s *location) bool { return holds(s.dir, s.name, r.Size, r.Before) }); s != nil {
		if former := r.formerName(s.name); s.name != former {
			return files.Give(s.dir, s.name, former)
		}
		r.e.Result.Set(report.Unchanged)
		return nil
	}
	var err error
	if r.find(false, func(s *location) bool { err = r.changed(s); return !errors.Is(err, fs.ErrNotExist) }) == nil {
		return errGone
	}
	return err
}

// changed returns the reason why the file at s is not put back: it cannot be opened, or its bytes
// are neither the old bytes nor the new bytes. It returns errGone for the right bytes: then a mail
// reader moved the file here while find looked elsewhere.
func (r *restoring) changed(s *location) error {
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

// find returns the first possible place of the file that ok accepts, or nil. The places are its new
// name, its old name and, for a Maildir message, any name that a mail reader gave it.
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

// formerName returns the base name of the file before the run. now is its current name. A Maildir
// message keeps its current flags.
func (r *restoring) formerName(now string) string {
	old := filepath.Base(r.Path)
	if now == r.Name || now == old {
		return old
	}
	name := maildir.Split(now)
	name.Fields = maildir.Split(old).Fields
	return name.String()
}

// reverse replaces the file at s, which has its new bytes.
func (r *restoring) reverse(ctx context.Context, s *location) error {
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
