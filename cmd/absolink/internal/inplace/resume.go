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
	"absolink/cmd/absolink/internal/report"
)

// checkRun returns an error if this run must not write the journal j. A journal of an earlier run
// needs Options.Resume. Then each input of this run must be an input of the run that began j, or be
// below one, and both runs must have the same OutputFlags. now describes this run.
func (r *Run) checkRun(j *journal.Journal, now *journal.Run) error {
	if !j.Empty() && !r.o.Resume {
		return flag.Errorf("--journal %s is the journal of an earlier run: add --resume to continue that run, or "+
			"give the name of a new file", r.o.Journal)
	}
	began := j.Run()
	covers := began.Covers()
	if i := slices.IndexFunc(now.Inputs, func(path string) bool { return !covers(path) }); i >= 0 {
		return flag.Errorf("--resume: %s is not an input of the run that began %s; give inputs of that run (%s), or "+
			"another journal", now.Inputs[i], r.o.Journal, someOf(began.AllInputs()))
	}
	if began.Options == nil || maps.Equal(began.Options, now.Options) {
		return nil
	}
	return flag.Errorf("--resume: %s was begun with other options: %s; give those options, or another journal",
		r.o.Journal, differences(began.Options, now.Options))
}

// someOf returns paths as text for a message: at most four paths, and the number of the others.
func someOf(paths []string) string {
	const few = 4
	if len(paths) <= few {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:few], ", "), len(paths)-few)
}

// differences describes, for a message, the flags with which the journal was begun and that differ
// from those of this run. before has the values of the flags of the first run by name, and now has
// those of this run.
func differences(before, now map[string]string) string {
	all := maps.Clone(before)
	maps.Copy(all, now)
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, gave := before[name]
		is, gives := now[name]
		switch {
		case !gave:
			texts = append(texts, fmt.Sprintf("without --%s (%.200s)", name, is))
		case !gives:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s)", name, was))
		case was != is:
			texts = append(texts, fmt.Sprintf("with --%s (%.200s, not %.200s)", name, was, is))
		}
	}
	return strings.Join(texts, ", ")
}

// finishNames gives Maildir messages their new names if a killed run gave them only their new
// bytes. If a renaming fails, the message keeps its old name, and [Run.Prepare] reports the error.
// The run replaces all other unfinished files again.
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
		if err := r.finishName(f); err != nil {
			return err
		}
	}
	return nil
}

// finishName gives a file its new name if it has its new bytes.
func (r *Run) finishName(f *journal.File) error {
	dir, err := r.below.Directory(filepath.Dir(f.Path))
	if err != nil {
		return nil // the run reports the missing directory later
	}
	defer dir.Close()
	own := filepath.Base(f.Path)
	if !fileHas(dir, own, f.NewSize, f.After) {
		return nil
	}
	if err := files.Rename(dir, own, f.Name); err != nil {
		r.renameErrors[f.Path] = err
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

// Prepare prepares the replacement of the input: it removes the temporary files and locks that
// killed processes left beside the input. Then it returns true if the input may be replaced.
// Otherwise it sets the outcome and the reason in e, and returns false. The reasons are:
//   - the input cannot be found
//   - the input is the journal
//   - an earlier run has finished the input
//   - the input has its new bytes, but Begin failed to rename it
//   - the journal, or the input for its hash, cannot be read
func (r *Run) Prepare(in *input.Document, e *report.Entry) (replaceable bool) {
	path, err := r.realPathOf(in)
	if err != nil {
		e.FailOpen(in.File, err)
		return false
	}
	r.sweeper.Sweep(filepath.Dir(path), r.below.Directory)
	if in.Kind == input.Mbox {
		r.sweepLock(path)
	}
	if r.journal == nil {
		return true
	}
	reason, err := r.skipReason(path, in)
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

// skipReason returns the reason why the journal forbids to replace in, or "". path is the real path
// of in.
func (r *Run) skipReason(path string, in *input.Document) (string, error) {
	if r.journal.Is(in.Info) {
		return "the journal of this run", nil
	}
	f, err := r.journal.Lookup(path)
	if err != nil || f == nil || in.Info == nil || f.NewSize != in.Info.Size() {
		return "", err
	}
	sum, err := journal.SumOf(in.StoredReader())
	if err != nil || sum != f.After {
		return "", err
	}
	if err := r.renameErrors[path]; err != nil {
		return "", err
	}
	return "finished by an earlier run", nil
}
