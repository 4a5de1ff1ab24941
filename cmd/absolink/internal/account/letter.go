package account

import (
	"io"
	"os"
	"strings"

	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// deadLetters is the file of --dead-letter. Each line is appended by one write, so that several
// processes can share the file. The zero value writes nothing.
type deadLetters struct {
	f         *os.File
	fromLines bool      // the units come from a list of lines, not from an index
	lastUnit  unit.Unit // unit of the last call of write
}

// open opens the file, unless path is "" or "-".
func (l *deadLetters) open(path string, fromLines bool, c *outputs) (err error) {
	if path == "" || path == "-" {
		return nil
	}
	l.fromLines = fromLines
	l.f, err = c.open("--dead-letter", path, "the file of dead letters", os.O_APPEND)
	return err
}

// close closes the file, if there is one.
func (l *deadLetters) close() {
	if l.f != nil {
		l.f.Close()
	}
}

// deadLetter returns the line of --units that reads the input of e again. It returns false if the
// input has no unit. It also returns false if the input was not lost and has no defect. A defect of
// a container counts only if the container has no items.
func deadLetter(e *report.Entry) (line string, ok bool) {
	failed := e.Result.Lost() || e.Items.Empty() && e.Problems.Defects() > 0
	u := &e.Subject.Unit
	switch {
	case !failed || !e.Subject.HasUnit():
		return "", false
	case u.Path == "":
		return u.Text, true // a line that is not a unit
	}
	return strings.TrimSuffix(string(u.Append(nil)), "\n"), true
}

// write writes the line of a unit, unless the last call had the same unit. A line that is not a
// unit is written unchanged: another run refuses it again and reads nothing. But if the units come
// from an index, an invalid line is left out. Read as a line of --units, it could be valid and name
// any file, while an index may name only files below --prefix. Of a line that was too long, Text
// has only the beginning. If that is a valid unit, it is left out too: another run would read a
// unit that nobody named.
func (l *deadLetters) write(u unit.Unit, line string) error {
	if l.f == nil {
		return nil
	}
	repeated := u == l.lastUnit
	l.lastUnit = u
	if repeated {
		return nil
	}
	if u.Path == "" {
		_, err := unit.Parse(strings.TrimSuffix(u.Text, "\r"))
		if err == nil || !l.fromLines {
			return nil
		}
	}
	_, err := io.WriteString(l.f, line+"\n")
	return err
}
