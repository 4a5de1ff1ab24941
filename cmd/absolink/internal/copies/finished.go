package copies

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Finished reports whether the output of f exists, and records the reason in e: an earlier run
// wrote it, or it is another file, which stays.
func (t *Tree) Finished(f *input.File, e *report.Entry) bool {
	path, there := t.existing.of(f)
	if there == nil {
		return false
	}
	if !isCopy(there, f) {
		e.Result.Refuse(
			fmt.Errorf("%s is there with another time than the input: it is not an output of an earlier run, or the "+
				"input has changed since; remove it to have it written", path))
		return true
	}
	e.Result.Skip("finished by an earlier run")
	if err := t.keep(f, path); err != nil {
		e.FailWrite(err)
	}
	return true
}

// keep reserves path for f, and marks the directories above it for the modes of their originals.
func (t *Tree) keep(f *input.File, path string) error {
	if err := t.prepare(f); err != nil {
		return err
	}
	usual := t.Rel(f)
	err := t.tree.AddFinished(path, usual, directoryOf(*f))
	if rel, rerr := filepath.Rel(t.existing.dir, path); rerr == nil && filepath.ToSlash(rel) != usual {
		t.tree.Rename(usual, filepath.ToSlash(rel))
	}
	if err == nil && t.inMaildir(f) {
		err = t.completeMaildir(usual, f.Maildir)
	}
	return err
}

// isCopy reports whether an existing output has the time of the input f, as precisely as its file
// system stores times. A retrieved input has no time.
func isCopy(there fs.FileInfo, f *input.File) bool {
	if f.URL != "" {
		return there.Mode().IsRegular()
	}
	info, err := os.Stat(f.Path)
	if err != nil || !there.Mode().IsRegular() {
		return false
	}
	return slices.ContainsFunc([]time.Duration{1, 100, time.Microsecond,
		time.Millisecond, time.Second, 2 * time.Second}, func(d time.Duration) bool {
		return there.ModTime().Equal(info.ModTime().Truncate(d))
	})
}
