package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
	"absolink/mime/maildir"
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
	stale   atomic.Int64 // messages whose size Dovecot's index has wrong now
}

func (d *durable) register(c *cobra.Command) {
	c.Flags().StringVar(&d.journalPath, "journal", "", "with --in-place, `FILE` that keeps what is replaced, to resume and to undo")
	c.Flags().BoolVar(&d.resume, "resume", false, "go on with an interrupted run, in place by its --journal, with -o by what is in DIR: what it finished stays, and so do other files, which are named")
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

// begin opens the journal, if there is one, removes what its killed runs left, and
// finishes what is half done in it.
func (d *durable) begin(ctx context.Context, r *runner, args []string) error {
	if d.journalPath == "" {
		return nil
	}
	roots := rootsOf(args)
	j, err := journal.Create(d.journalPath, roots)
	if err != nil { // nothing was done: it is not one file that is missing
		return usagef("--journal: %v", err)
	}
	switch outside := slices.IndexFunc(roots, func(root string) bool { return !j.Has(root) }); {
	case !j.Empty() && !d.resume:
		err = usagef("--journal %s is of an earlier run: --resume goes on with it, --undo takes it back; or give another name", d.journalPath)
	case outside >= 0:
		err = usagef("--resume: %s is not of the run that wrote %s, which was over %s; give that run's inputs, or another journal", roots[outside], d.journalPath, strings.Join(j.Roots(), ", "))
	}
	if err != nil {
		j.Close()
		return err
	}
	d.journal, d.unnamed = j, map[string]error{}
	if err := r.claim("--journal "+d.journalPath, "the journal", j.Stat); err != nil {
		return err
	}
	d.sweep()
	return d.finish(ctx)
}

// rootsOf returns the directories that hold all files of the inputs, none below another.
// What cannot be found is named later.
func rootsOf(args []string) []string {
	var roots []string
	for _, a := range args {
		if dir, err := rootOf(a); err == nil {
			roots = append(roots, dir)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return len(a) - len(b) })
	var top []string
	for _, root := range roots {
		if !slices.ContainsFunc(top, func(dir string) bool { return isBelow(root, dir) }) {
			top = append(top, root)
		}
	}
	return top
}

// rootOf returns the directory that holds the files of an input: of a message in a Maildir
// that, since its reader moves it there, and may have done so already.
func rootOf(arg string) (string, error) {
	if isDir(arg) {
		return realPath(arg)
	}
	if path, err := realPath(arg); err == nil {
		arg = path
	}
	if maildir.Holds(arg) {
		return realPath(filepath.Join(filepath.Dir(arg), ".."))
	}
	return realPath(filepath.Dir(arg))
}

// isBelow reports whether path is dir or lies below it; both are absolute.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// sweep removes what killed runs of this journal, undos too, left beside its files. A
// message of a Maildir may have moved to the directory beside meanwhile.
func (d *durable) sweep() {
	dirs, mailboxes := d.journal.Left()
	for _, dir := range dirs {
		d.sweeper.Sweep(dir)
		for _, beside := range []string{"cur", "new"} {
			if path := filepath.Join(filepath.Dir(dir), beside); maildir.Is(filepath.Dir(dir)) && d.journal.Confines(path) == nil {
				d.sweeper.Sweep(path)
			}
		}
	}
	for _, path := range mailboxes {
		lock.Sweep(path)
	}
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
		case f.Name == filepath.Base(f.Path) || d.journal.Confines(f.Path) != nil || !holds(f.Path, f.NewSize, f.After):
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
