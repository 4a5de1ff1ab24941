package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
)

// A run in place can keep a journal. It is resumed from that: what is finished,
// which is seen by its hash, is left alone, and whatever was under way is begun
// anew. Only the second step of a Maildir message, which gets its bytes first and its
// name then, is made up for from the journal.

// durable are the flags of rewrite that make a run in place safe, and what they
// stand for while it is under way.
type durable struct {
	journalPath, undoPath string
	resume                bool
	maildirSize           maildirSize

	journal *journal.Journal // nil if there is none
	unnamed map[string]error // why a message with its new bytes still has its old name, by its path
	sweeper temporary.Sweeper
	mail    moved
}

func (d *durable) register(c *cobra.Command) {
	c.Flags().StringVar(&d.journalPath, "journal", "", "with --in-place, `FILE` that keeps what is replaced, to resume and to undo")
	c.Flags().BoolVar(&d.resume, "resume", false, "go on with the run that wrote the journal, if there is one; what is finished is left alone")
	c.Flags().StringVar(&d.undoPath, "undo", "", "put back what the run of `JOURNAL` replaced")
}

// checkReport refuses a report in the place of the journal, which it would overwrite.
func (d *durable) checkReport(report string) error {
	for _, path := range []string{d.journalPath, d.undoPath} {
		if report != "" && path != "" && sameFile(report, path) {
			return usagef("--report %s is the journal; give another name", report)
		}
	}
	return nil
}

// sameFile reports whether two names are those of one file, or would be.
func sameFile(a, b string) bool {
	if ia, err := os.Stat(a); err == nil {
		ib, err := os.Stat(b)
		return err == nil && os.SameFile(ia, ib)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// begin opens the journal, if there is one, and finishes what is half done in it.
func (d *durable) begin(ctx context.Context) error {
	if d.journalPath == "" {
		return nil
	}
	j, err := journal.Open(d.journalPath)
	switch {
	case err != nil: // nothing was done: it is not one file that is missing
		return usagef("--journal: %v", err)
	case !j.Empty() && !d.resume:
		j.Close()
		return usagef("--journal %s is of an earlier run: --resume goes on with it, --undo takes it back; or give another name", d.journalPath)
	}
	d.journal, d.unnamed = j, map[string]error{}
	return d.finish(ctx)
}

// finish brings the names of Maildir messages in order that have their new
// bytes but not their new name. All else a run does again. A message whose new name
// cannot be given keeps the old one, and is a failure where the run meets it.
func (d *durable) finish(ctx context.Context) error {
	for f, err := range d.journal.Unsettled() {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case f.Name == filepath.Base(f.Path) || !holds(f.Path, f.NewSize, f.After):
			continue
		}
		if err := give(f.Path, f.Name); err != nil {
			d.unnamed[f.Path] = err
			continue
		}
		if err := d.journal.Mark(f, journal.Done); err != nil {
			return err
		}
	}
	return nil
}

// give gives a file another base name, which must be free.
func give(path, name string) error {
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), name)); !errors.Is(err, fs.ErrNotExist) {
		return &output.Refusal{Reason: "its new name " + name + " is taken"}
	}
	return output.Rename(path, name)
}

// holds reports whether a file can be read and has these bytes.
func holds(path string, size int64, sum journal.Sum) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	got, err := journal.SumOf(f)
	return err == nil && got == sum
}

// end closes the journal.
func (d *durable) end() error {
	if d.journal == nil {
		return nil
	}
	return d.journal.Close()
}

// settled reports whether nothing is to be done in place about in, since it is the
// journal itself, or was finished by the run that is resumed, and says so in e.
// What a killed process has left beside in goes.
func (d *durable) settled(in *input.Document, e *report.Entry) bool {
	path, err := realPath(in.Path)
	if err != nil {
		missed(e, in.File, err)
		return true
	}
	d.sweeper.Sweep(filepath.Dir(path))
	if in.Kind == input.Mbox {
		lock.Sweep(path)
	}
	if d.journal == nil {
		return false
	}
	reason, err := d.known(path, in)
	switch {
	case err != nil:
		e.Fail(report.Failed, err)
	case reason != "":
		e.Outcome, e.Reason = report.Skipped, reason
	}
	return err != nil || reason != ""
}

// known says what the journal knows of in that keeps it from being replaced.
func (d *durable) known(path string, in *input.Document) (string, error) {
	if d.journal.Is(in.Info) {
		return "the journal of this run", nil
	}
	f, err := d.journal.Lookup(path)
	if err != nil || f == nil || in.Info == nil || f.NewSize != in.Info.Size() {
		return "", err
	}
	sum, err := journal.SumOf(io.NewSectionReader(in.Stored, 0, in.StoredSize))
	if err != nil || sum != f.After {
		return "", err
	}
	if err := d.unnamed[path]; err != nil {
		return "", err
	}
	return "finished by an earlier run", nil
}
