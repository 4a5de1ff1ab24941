package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/maildir"
)

// An undo goes through a journal from its end. A file whose bytes are those after
// the run gets the old ones, in the same careful way in which it lost them, and its old
// time and name, but for the flags of a message of a Maildir; one that has the old bytes is done already, so that an undo can be
// interrupted, and repeated; any other is refused.

// undoFlags are those that say something about an undo.
var undoFlags = map[string]bool{"undo": true, "report": true, "quiet": true, "verbose": true, "progress": true}

// checkUndo refuses inputs and flags that an undo does not look at.
func checkUndo(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("--undo puts back all files of the journal; leave %s out", args[0])
	}
	other := ""
	c.Flags().Visit(func(f *pflag.Flag) {
		if !undoFlags[f.Name] {
			other = f.Name
		}
	})
	if other != "" {
		return usagef("--undo takes all from the journal; leave --%s out", other)
	}
	return nil
}

// undo puts back what the journal of x tells.
func (p *program) undo(ctx context.Context, x *rewriting) error {
	r, err := p.newRunner(&x.options, nil, false)
	if err != nil {
		return err
	}
	j, err := journal.Open(x.undoPath)
	if err != nil {
		return usagef("--undo: %v", err)
	}
	defer j.Close()
	if err := r.claim("--undo "+x.undoPath, "the journal", j.Stat); err != nil {
		return err
	}
	if err := r.openReport(); err != nil {
		return err
	}
	x.r, x.journal = r, j
	if !x.quiet {
		r.con.Printf("--undo %s: puts back files below %s", x.undoPath, strings.Join(j.Roots(), ", "))
	}
	x.sweep()
	err = r.finish(x.putAllBack(ctx))
	if err == nil && !x.quiet {
		r.con.Printf("%s put back", console.Plural(r.totals.Outcomes[report.Restored], "file", "files"))
	}
	x.sumUpStale(r)
	if r.totals.Defects {
		p.code = exitDefects
	}
	return err
}

func (x *rewriting) putAllBack(ctx context.Context) error {
	for f, err := range x.journal.Backward() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := &report.Entry{Source: x.undoPath}
		switch {
		case err != nil:
			e.Fail(report.Failed, err)
		case f.Status == journal.Undone:
			continue
		default:
			x.putBack(ctx, f, e)
		}
		e.Cancelled = ctx.Err() != nil && e.Outcome == report.Failed
		x.r.emit(e)
	}
	return nil
}

// putBack puts the old bytes of one file back.
func (x *rewriting) putBack(ctx context.Context, f *journal.File, e *report.Entry) {
	e.Source, e.Bytes, e.Outcome = f.Path, f.NewSize, report.Restored
	if err := x.journal.Confines(f.Path); err != nil {
		settle(e, &output.Refusal{Reason: err.Error() + ": it stays as it is"})
		return
	}
	if f.Locked {
		l, err := acquire(ctx, f.Path, x.journal.Path())
		if err != nil {
			settle(e, err)
			return
		}
		defer l.Release()
	}
	if err := x.pursue(ctx, f, e); err != nil {
		settle(e, err)
		return
	}
	if err := x.journal.Mark(f, journal.Undone); err != nil {
		settle(e, err)
	}
}

// pursue restores the file, and tries again where it is a message of a Maildir that its
// reader moves meanwhile.
func (x *rewriting) pursue(ctx context.Context, f *journal.File, e *report.Entry) error {
	err := x.restore(ctx, f, e, false)
	for n := 0; maildir.Holds(f.Path) && n < movesFollowed && ctx.Err() == nil; n++ {
		before := err
		if err != errGone && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err = x.restore(ctx, f, e, true); err == errGone && before == errGone {
			break
		}
	}
	return err
}

// restore finds out how far the file has come, and takes it back from there. anew says
// that it was not where it was said to be.
func (x *rewriting) restore(ctx context.Context, f *journal.File, e *report.Entry, anew bool) error {
	if path := x.find(f, anew, func(path string) bool { return holds(path, f.NewSize, f.After) }); path != "" {
		return x.reverse(ctx, f, path)
	}
	if path := x.find(f, false, func(path string) bool { return holds(path, f.Size, f.Before) }); path != "" {
		if filepath.Base(path) != formerName(f, path) {
			return give(path, formerName(f, path))
		}
		e.Outcome = report.Unchanged
		return nil
	}
	var err error
	if x.find(f, false, func(path string) bool { _, err = os.Lstat(path); return !errors.Is(err, fs.ErrNotExist) }) == "" {
		return errGone
	}
	if err != nil {
		return err
	}
	return &output.Refusal{Reason: "is not what the run has left: changed since, it stays as it is"}
}

// errGone is the error of a file that is at no place where it may stand.
var errGone = errors.New("is not there any more")

// find returns the first place where the file may stand that ok takes, "" if there
// is none: its new name, its old one, or, as a message of a Maildir, wherever its
// reader has moved it with other flags.
func (x *rewriting) find(f *journal.File, anew bool, ok func(path string) bool) string {
	for _, path := range []string{f.NewPath(), f.Path} {
		if ok(path) {
			return path
		}
	}
	for _, path := range x.mail.find(f.Path, anew) {
		if x.journal.Confines(path) == nil && ok(path) {
			return path
		}
	}
	return ""
}

// formerName returns the base name that the file at path had before the run. The
// flags of a message are those that it has now.
func formerName(f *journal.File, path string) string {
	now, old := filepath.Base(path), filepath.Base(f.Path)
	if now == f.Name || now == old {
		return old
	}
	name := maildir.Split(now)
	name.Fields = maildir.Split(old).Fields
	return name.String()
}

// reverse replaces the file, which has its new bytes and stands at path.
func (x *rewriting) reverse(ctx context.Context, f *journal.File, path string) error {
	made, err := os.Open(path)
	if err != nil {
		return err
	}
	defer made.Close()
	info, err := made.Stat()
	if err != nil {
		return err
	}
	o := output.Options{ModTime: f.ModTime, Name: formerName(f, path)}
	err = output.Replace(path, info, o, func(old *os.File) error {
		h := sha256.New()
		if err := f.Restore(&stopping{ctx, io.MultiWriter(old, h)}, made); err != nil {
			return err
		}
		if journal.Sum(h.Sum(nil)) != f.Before {
			return &output.Refusal{Reason: "the journal does not give its old bytes: it stays as it is"}
		}
		return nil
	})
	if err == nil && o.Name == filepath.Base(path) {
		x.noteStale(path, f.NewSize)
	}
	return err
}
