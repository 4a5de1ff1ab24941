package account

import (
	"io"
	"os"
	"strings"

	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// letters is the file of --dead-letter. Each line is written by itself at the end of the file, so
// that several processes may share it.
type letters struct {
	f    *os.File // nil if there is none
	last unit.Unit
}

func (l *letters) close() {
	if l.f != nil {
		l.f.Close()
	}
}

func (a *Account) openLetters() error {
	if a.o.DeadLetter == "" || a.o.DeadLetter == "-" {
		return nil
	}
	f, err := a.open("--dead-letter", a.o.DeadLetter, "the file of dead letters", os.O_APPEND)
	if err != nil {
		return err
	}
	a.opened.letters.f = f
	return nil
}

// writeLetter writes the unit of e to the file of dead letters, and a record of it to the stream,
// if e has failed: if it was lost, or has a defect. Defects of a container are those of its items.
// The file names a unit once, the stream each item in it.
func (a *Account) writeLetter(e *report.Entry, out io.Writer) {
	l := &a.opened.letters
	failed := e.Result.Lost() || e.Items.None() && e.Problems.Defects() > 0
	if l.f == nil && !a.o.Stream.On || !failed || !e.Subject.HasUnit() {
		return
	}
	u := e.Subject.Unit
	again := u == l.last
	l.last = u
	line := u.Text // of a line that is no unit
	if u.Path != "" {
		line = strings.TrimSuffix(string(u.Append(nil)), "\n")
	}
	if l.f != nil && !again && (u.Path != "" || a.isNoUnit(strings.TrimSuffix(u.Text, "\r"))) {
		if _, err := io.WriteString(l.f, line+"\n"); err != nil {
			a.Console.Printf("--dead-letter: %v", err)
			a.Totals.Faults = true
		}
	}
	if a.o.Stream.On {
		a.unit.dead++
		a.write(out, a.o.Stream.appendDead(nil, e, line))
	}
}
