package write

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// After a run in place, a backup may be the only copy of the original file. Therefore a later run
// does not edit backups, whatever its own --backup says.

// backupSuffixes are common values of --backup in this and other programs.
var backupSuffixes = []string{"~", ".orig", ".bak", ".old", ".backup", ".save"}

// originalOf returns the base name of the original if the input is a backup. Otherwise it returns
// "". The input is a backup if its name consists of the name of a file beside it and a suffix for
// backups. An input that the command line names counts as a backup only with --in-place or -o.
func (c *Command) originalOf(in *input.Document) string {
	if in.Path == "" || in.Named && !c.o.To.InPlace && c.o.To.Dir == "" {
		return ""
	}
	for _, suffix := range append([]string{c.o.To.Backup}, backupSuffixes...) {
		name, ok := strings.CutSuffix(in.Path, suffix)
		if !ok || suffix == "" {
			continue
		}
		if info, err := os.Lstat(name); err == nil && !info.IsDir() {
			return filepath.Base(name)
		}
	}
	return ""
}

// skipBackup skips the input, which is a backup of the file original. It copies the input as
// writeUnedited does.
func (c *Command) skipBackup(ctx context.Context, in *input.Document, original string, out io.Writer, e *report.Entry) {
	e.Result.Skip("a backup of " + original)
	e.Result.AddClass(report.Backup)
	c.writeUnedited(ctx, in, out, e)
}
