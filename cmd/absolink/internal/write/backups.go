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

// A backup holds the only original once a run in place has rewritten the file beside it:
// a later run leaves it as it is, whatever its own --backup.

// backupSuffixes are usual values of --backup, here and in other programs.
var backupSuffixes = []string{"~", ".orig", ".bak", ".old", ".backup", ".save"}

// original returns the base name of the file that in is a backup of, "" if it is none, or
// is only written to standard output: NAME where in is NAME with a suffix and NAME stands
// beside it.
func (c *Command) original(in *input.Document) string {
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

// passBackup settles in, a backup of the file original.
func (c *Command) passBackup(ctx context.Context, in *input.Document, original string, out io.Writer, e *report.Entry) {
	e.Result.Skip("a backup of " + original)
	e.Result.Mark(report.Backup)
	c.copy(ctx, in, out, e)
}
