package account

import (
	"io"
	"os"
	"strings"

	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// letters is the file of --dead-letter. Each line is written by itself at the end of the file, so
// that several processes may share it. The zero value writes nothing.
type letters struct {
	f     *os.File
	lines bool // the units come from a list of lines, and not from an index
	last  unit.Unit
}

// open opens the file.
func (l *letters) open(path string, lines bool, c *claims) (err error) {
	if path == "" || path == "-" {
		return nil
	}
	l.lines = lines
	l.f, err = c.open("--dead-letter", path, "the file of dead letters", os.O_APPEND)
	return err
}

func (l *letters) close() {
	if l.f != nil {
		l.f.Close()
	}
}

// letterOf returns the line of --units that reads again the input of e. It reports false unless e
// has failed: unless the input was lost, or has a defect. Defects of a container are those of its
// items.
func letterOf(e *report.Entry) (line string, ok bool) {
	failed := e.Result.Lost() || e.Items.None() && e.Problems.Defects() > 0
	u := &e.Subject.Unit
	switch {
	case !failed || !e.Subject.HasUnit():
		return "", false
	case u.Path == "":
		return u.Text, true // a line that is no unit
	}
	return strings.TrimSuffix(string(u.Append(nil)), "\n"), true
}

// write writes the line of a unit, unless the last line was of the same unit. A line that is no
// unit is written as it is: it fails again and reads nothing. But a line of an index is left out:
// as a unit it might name any file.
func (l *letters) write(u unit.Unit, line string) error {
	if l.f == nil {
		return nil
	}
	again := u == l.last
	l.last = u
	if u.Path == "" {
		_, err := unit.Parse(strings.TrimSuffix(u.Text, "\r"))
		again = again || err == nil || !l.lines
	}
	if again {
		return nil
	}
	_, err := io.WriteString(l.f, line+"\n")
	return err
}
