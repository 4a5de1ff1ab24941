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

// SkipExisting returns true if the output of f exists, and then sets the outcome in e. The outcome
// is Skipped if an earlier run has written this output, and otherwise Refused.
func (t *Tree) SkipExisting(f *input.File, e *report.Entry) bool {
	path, info := t.existing.output(f)
	if info == nil {
		return false
	}
	if !isFinished(info, f) {
		e.Result.Refuse(
			fmt.Errorf("%s is there with another time than the input: it is not an output of an earlier run, or the "+
				"input has changed since; remove it to have it written", path))
		return true
	}
	e.Result.Skip("finished by an earlier run")
	if err := t.addFinished(f, path); err != nil {
		e.FailWrite(err)
	}
	return true
}

// addFinished reserves path for the finished output of f. Finish then gives the directories above
// it the modes of the input directories.
func (t *Tree) addFinished(f *input.File, path string) error {
	if err := t.makeLayoutDirs(f); err != nil {
		return err
	}
	usual := t.RelPath(f)
	err := t.tree.ReserveFinished(path, usual, directoryOf(*f))
	rel, relErr := filepath.Rel(t.existing.dir, path)
	if relErr == nil && filepath.ToSlash(rel) != usual {
		t.tree.SetOutputPath(usual, filepath.ToSlash(rel))
	}
	if err == nil && t.toMaildir(f) {
		err = t.completeMaildir(usual, f.Maildir)
	}
	return err
}

// isFinished reports whether output, an existing file, has the modification time of the input f, as
// precisely as its file system stores times. A retrieved input has no time: then any regular file
// counts.
func isFinished(output fs.FileInfo, f *input.File) bool {
	if f.URL != "" {
		return output.Mode().IsRegular()
	}
	info, err := os.Stat(f.Path)
	if err != nil || !output.Mode().IsRegular() {
		return false
	}
	precisions := []time.Duration{1, 100, time.Microsecond, time.Millisecond, time.Second, 2 * time.Second}
	return slices.ContainsFunc(precisions, func(d time.Duration) bool {
		return output.ModTime().Equal(info.ModTime().Truncate(d))
	})
}
