package inplace

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/maildir"
	"absolink/cmd/absolink/internal/report"
)

// checkRun returns an error if this run must not write the journal j. A run may write the journal
// of an earlier run if three conditions hold:
//   - Options.Resume is set.
//   - Each input of this run is an input of the earlier run, or below one.
//   - Both runs have the same OutputFlags, or j does not have those of the earlier run.
func (r *Run) checkRun(j *journal.Journal, this *journal.Run) error {
	if !j.Empty() && !r.o.Resume {
		return flag.Errorf("--journal %s is the journal of an earlier run: add --resume to continue that run, or "+
			"give the name of a new file", r.o.Journal)
	}
	earlier := j.Run()
	covers := earlier.Covers()
	if i := slices.IndexFunc(this.Inputs, func(path string) bool { return !covers(path) }); i >= 0 {
		return flag.Errorf("--resume: %s is not an input of the run that began %s; give inputs of that run (%s), or "+
			"another journal", this.Inputs[i], r.o.Journal, someOf(earlier.AllInputs()))
	}
	if earlier.Options == nil || maps.Equal(earlier.Options, this.Options) {
		return nil
	}
	return flag.Errorf("--resume: %s was begun with other options: %s; give those options, or another journal",
		r.o.Journal, differences(earlier.Options, this.Options))
}

// someOf returns the text for paths in a message: at most four paths, and the number of the others.
func someOf(paths []string) string {
	const few = 4
	if len(paths) <= few {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:few], ", "), len(paths)-few)
}

// differences describes, for a message, the flags whose values differ between the earlier run and
// this run. It also describes flags that only one of the two runs has. Each map has the values of
// the flags of a run, by name.
func differences(earlier, this map[string]string) string {
	all := maps.Clone(earlier)
	maps.Copy(all, this)
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, had := earlier[name]
		now, has := this[name]
		switch {
		case !had:
			texts = append(texts, fmt.Sprintf("without --%s (now %.200s)", name, now))
		case !has:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s)", name, before))
		case before != now:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s, not %.200s)", name, before, now))
		}
	}
	return strings.Join(texts, ", ")
}

// finishNames renames each Maildir message that has its new bytes but not its new name, because a
// run was killed between these steps. If a rename fails, the message keeps its old name, and
// [Run.Prepare] reports the error.
func (r *Run) finishNames(ctx context.Context) error {
	for f, err := range r.journal.Unsettled() {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case f.Name == filepath.Base(f.Path):
			continue
		}
		for _, path := range append([]string{f.Path}, r.moved.Find(f.Path, false)...) {
			if err := r.finishName(f, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// finishName gives the message f its new name if it is at path and has its new bytes. The message
// keeps its present flags, because a mail program may have moved it to path.
func (r *Run) finishName(f *journal.File, path string) error {
	dir, err := r.roots.Directory(filepath.Dir(path))
	if err != nil {
		return nil // the directory is missing, or this run has no input in it
	}
	defer dir.Close()
	current := filepath.Base(path)
	name := maildir.Renamed(current, f.Name)
	if name == current || !fileHas(dir, current, f.NewSize, f.After) {
		return nil
	}
	if err := files.Rename(dir, current, name); err != nil {
		r.renameErrors[path] = err
		return nil
	}
	return r.journal.Mark(f, journal.Done)
}

// fileHas reports whether the file with this name in dir can be read, and has this size and hash.
func fileHas(dir *files.Dir, name string, size int64, sum journal.Sum) bool {
	f, err := dir.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return hasBytes(f, size, sum)
}

// hasBytes reports whether f can be read, and has this size and hash.
func hasBytes(f *os.File, size int64, sum journal.Sum) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	got, err := journal.SumOf(io.NewSectionReader(f, 0, size))
	return err == nil && got == sum
}

// Prepare prepares the replacement of the input doc. First it removes the temporary files and locks
// that killed processes left beside the input. Then it returns true if the run may replace the
// input. Otherwise it sets the outcome and the reason in e, and returns false. The reasons are:
//   - the path of the input cannot be resolved
//   - the input is the journal
//   - an earlier run has finished the input
//   - the input has its new bytes, but Begin failed to rename it
//   - the journal cannot be read, or the input cannot be read to compute its hash
func (r *Run) Prepare(doc *input.Document, e *report.Entry) (replaceable bool) {
	path, err := r.realPathOf(doc)
	if err != nil {
		e.FailOpen(doc.File, err)
		return false
	}
	r.sweeper.Sweep(filepath.Dir(path), r.roots.Directory)
	if doc.Kind == input.Mbox {
		r.sweepLock(path)
	}
	if r.journal == nil {
		return true
	}
	reason, err := r.skipReason(path, doc)
	switch {
	case err != nil:
		e.Result.Fail(err)
	case reason != "":
		e.Result.Skip(reason)
	default:
		return true
	}
	return false
}

// skipReason returns the reason why the run must not replace doc, or "" if the run may replace it.
// path is the real path of doc.
func (r *Run) skipReason(path string, doc *input.Document) (string, error) {
	if r.journal.Is(doc.Info) {
		return "the journal of this run", nil
	}
	f, err := r.lookup(path)
	if err != nil || f == nil || doc.Info == nil || f.NewSize != doc.Info.Size() {
		return "", err
	}
	sum, err := journal.SumOf(doc.StoredReader())
	if err != nil || sum != f.After {
		return "", err
	}
	if err := r.renameErrors[path]; err != nil {
		return "", err
	}
	return "finished by an earlier run", nil
}

// lookup returns the last file of the journal whose old or new path is path, or nil. If a mail
// program has moved a Maildir message to path, lookup finds the message by its unique name. path is
// a real path.
func (r *Run) lookup(path string) (*journal.File, error) {
	f, err := r.journal.Lookup(path)
	if f == nil && err == nil && input.MaildirHolds(path) {
		return r.journal.LookupMessage(path)
	}
	return f, err
}
