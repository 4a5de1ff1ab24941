package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/directory"
	"absolink/cmd/absolink/internal/flag"
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
	flags                 *pflag.FlagSet
	journalPath, undoPath string
	resume                bool
	maildirSize           maildirSize

	below    journal.Roots    // that the files of the run lie below
	journal  *journal.Journal // nil if there is none
	unnamed  map[string]error // why a message with its new bytes still has its old name, by its path
	realDirs sync.Map         // what realPath says of directories
	sweeper  temporary.Sweeper
	mail     moved
	stale    atomic.Int64 // messages whose size Dovecot's index has wrong now
}

func (d *durable) register(c *cobra.Command) {
	d.flags = c.Flags()
	c.Flags().Var((*flag.Text)(&d.journalPath), "journal", "with --in-place, `FILE` that keeps what is replaced, to resume and to undo")
	c.Flags().BoolVar(&d.resume, "resume", false, "go on with an interrupted run, in place by its --journal, with -o by what is in DIR: what it finished stays, and so do other files, which are named")
	c.Flags().Var((*flag.Text)(&d.undoPath), "undo", "put back what the run of `JOURNAL` replaced")
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
	run := journal.Run{Roots: rootsOf(args), Inputs: inputsOf(args)}
	if d.below = run.Roots; d.journalPath == "" {
		return nil
	}
	run.Options = d.deciding()
	j, err := journal.Create(d.journalPath, run)
	if err != nil { // nothing was done: it is not one file that is missing
		return usagef("--journal: %v", err)
	}
	if err := d.checkRun(j, &run); err != nil {
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

// checkRun refuses to go on with the journal j by a run that takes other inputs than the one
// that began it, or would write something else.
func (d *durable) checkRun(j *journal.Journal, run *journal.Run) error {
	if !j.Empty() && !d.resume {
		return usagef("--journal %s is of an earlier run: --resume goes on with it, --undo takes it back; or give another name", d.journalPath)
	}
	began := j.Run()
	takes := began.Takes()
	if i := slices.IndexFunc(run.Inputs, func(path string) bool { return !takes(path) }); i >= 0 {
		over := began.Inputs
		if len(over) == 0 {
			over = began.Roots
		}
		return usagef("--resume: %s is not of the run that wrote %s, which was over %s; give that run's inputs, or another journal", run.Inputs[i], d.journalPath, someOf(over))
	}
	if began.Options == nil || maps.Equal(began.Options, run.Options) {
		return nil
	}
	return usagef("--resume: %s was begun with other options: %s; give those, or another journal", d.journalPath, differences(began.Options, run.Options))
}

// someOf names the first few of a list.
func someOf(paths []string) string {
	const few = 4
	if len(paths) <= few {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:few], ", "), len(paths)-few)
}

// differences says which flags differ from those that were given.
func differences(given, now map[string]string) string {
	all := maps.Clone(given)
	maps.Copy(all, now)
	var texts []string
	for _, flag := range slices.Sorted(maps.Keys(all)) {
		was, gave := given[flag]
		is, gives := now[flag]
		switch {
		case !gave:
			texts = append(texts, fmt.Sprintf("without --%s (%.200s)", flag, is))
		case !gives:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s)", flag, was))
		case was != is:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s, not %.200s)", flag, was, is))
		}
	}
	return strings.Join(texts, ", ")
}

// undeciding are the flags that do not decide what is written.
var undeciding = map[string]bool{"in-place": true, "journal": true, "resume": true, "jobs": true, "progress": true,
	"report": true, "quiet": true, "verbose": true, "verify": true, "dead-letter": true}

// deciding returns the values of the flags that are given and decide what is written, with
// what the files that they name hold.
func (d *durable) deciding() map[string]string {
	values := make(map[string]string)
	d.flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if undeciding[f.Name] || value == f.DefValue {
			return
		}
		if f.Name == "map-file" {
			text, _ := os.ReadFile(value) // was read already
			value += fmt.Sprintf(", SHA-256 %x", sha256.Sum256(text))
		}
		values[f.Name] = value
	})
	return values
}

// inputsOf returns the inputs without symbolic links, a message of a Maildir under the name
// that its reader does not change. What cannot be found is named later.
func inputsOf(args []string) []string {
	var inputs []string
	for _, arg := range args {
		if path, err := inputOf(arg); err == nil {
			inputs = append(inputs, path)
		}
	}
	slices.Sort(inputs)
	return slices.Compact(inputs)
}

func inputOf(arg string) (string, error) {
	path, err := realPath(arg)
	if err != nil { // a message that its reader has moved
		path, err = realPath(filepath.Dir(arg))
		path = filepath.Join(path, filepath.Base(arg))
	}
	if err == nil && maildir.Holds(path) {
		path = filepath.Join(maildirOf(path), "cur", maildir.Split(filepath.Base(path)).Unique)
	}
	return path, err
}

// rootsOf returns the directories that hold all files of the inputs, none below another.
// What cannot be found is named later.
func rootsOf(args []string) journal.Roots {
	var roots []string
	for _, a := range args {
		if dir, err := rootOf(a); err == nil {
			roots = append(roots, dir)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return len(a) - len(b) })
	var top journal.Roots
	for _, root := range roots {
		if !top.Has(root) {
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

// sweep removes what killed runs of this journal, undos too, left beside its files. A
// message of a Maildir may have moved to the directory beside meanwhile.
func (d *durable) sweep() {
	dirs, mailboxes := d.journal.Left()
	for _, dir := range dirs {
		d.sweeper.Sweep(dir, d.below.Directory)
		for _, beside := range []string{"cur", "new"} {
			if maildir.Is(filepath.Dir(dir)) {
				d.sweeper.Sweep(filepath.Join(filepath.Dir(dir), beside), d.below.Directory)
			}
		}
	}
	for _, path := range mailboxes {
		d.sweepLock(path)
	}
}

// sweepBeside removes the temporary files that killed runs left in the directory of a file.
func (d *durable) sweepBeside(path string) {
	if path, err := realPath(filepath.Dir(path)); err == nil {
		d.sweeper.Sweep(path, d.below.Directory)
	}
}

// sweepLock removes the lock of a mailbox that a killed run left.
func (d *durable) sweepLock(path string) {
	if dir, err := d.below.Directory(filepath.Dir(path)); err == nil {
		lock.Sweep(dir, filepath.Base(path))
		dir.Close()
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
		case f.Name == filepath.Base(f.Path):
			continue
		}
		if err := d.finishName(f); err != nil {
			return err
		}
	}
	return nil
}

// finishName gives a file its new name if it has its new bytes.
func (d *durable) finishName(f *journal.File) error {
	dir, err := d.below.Directory(filepath.Dir(f.Path))
	if err != nil {
		return nil // the run meets it
	}
	defer dir.Close()
	own := filepath.Base(f.Path)
	if !holds(dir, own, f.NewSize, f.After) {
		return nil
	}
	if err := output.Give(dir, own, f.Name); err != nil {
		d.unnamed[f.Path] = err
		return nil
	}
	return d.journal.Mark(f, journal.Done)
}

// holds reports whether a file in dir can be read and has these bytes.
func holds(dir *directory.Dir, name string, size int64, sum journal.Sum) bool {
	f, err := dir.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return hasBytes(f, size, sum)
}

// hasBytes reports whether f can be read and has these bytes.
func hasBytes(f *os.File, size int64, sum journal.Sum) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	got, err := journal.SumOf(io.NewSectionReader(f, 0, size))
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
	path, err := d.real(in.Path)
	if err != nil {
		missed(e, in.File, err)
		return true
	}
	d.sweeper.Sweep(filepath.Dir(path), d.below.Directory)
	if in.Kind == input.Mbox {
		d.sweepLock(path)
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
