package run

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// account is the files beside the results: nil where there are none.
type account struct {
	report  io.WriteCloser
	dead    deadLetters
	outputs []openedOutput // that are open
}

// close closes the files.
func (a *account) close() error {
	a.dead.close()
	if a.report == nil {
		return nil
	}
	return a.report.Close()
}

// reportStart is what every line of a report begins with.
var reportStart = []byte(`{"source":`)

// checkReport refuses a report in the place of an input, or of a file in a
// directory that is an input, unless that is an earlier report, and one on
// standard output, which holds results only.
func (o *Options) checkReport() error {
	path := o.Report
	switch {
	case path != "-":
	case o.Stream || !o.Prints:
		return nil
	case o.Inputs.Units != "":
		return flag.Errorf("--report -: standard output is for results; add --stream, or give a file, ./- for one of " +
			"that name")
	default:
		return flag.Errorf("--report -: standard output is for results; give a file, ./- for one of that name")
	}
	old, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, a := range slices.Concat(o.Inputs.Args(), []string{o.Inputs.URLs, o.Inputs.Units}) {
		in, err := os.Stat(a)
		switch {
		case err != nil:
		case os.SameFile(in, old):
			return flag.Errorf("--report %s is the input %s; give another name", path, a)
		case in.IsDir() && files.Within(path, a) && !replaceableReport(path, old):
			return flag.Errorf("--report %s is a file of the input %s, which would be lost; give another name", path, a)
		}
	}
	return nil
}

// replaceableReport reports whether a file is empty or an earlier report.
func replaceableReport(path string, info fs.FileInfo) bool {
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(reportStart))
	n, _ := f.Read(head)
	return bytes.Equal(head[:n], reportStart)
}

// openedOutput is a file that the run writes beside its results.
type openedOutput struct {
	what string
	info fs.FileInfo
}

// openOutput opens the file that a flag names, which is made if it is not there and keeps
// what it holds. Only then is it sure which file that is: one that is written to already
// is refused.
func (r *Run) openOutput(option, name, what string, mode int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return nil, flag.Errorf("%s %s: %s", option, name, files.Why(name, err))
	}
	if err := r.Claim(option+" "+name, what, f.Stat); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Claim notes a file that is open, which a user has called name, and refuses one that is
// another output as well.
func (r *Run) Claim(name, what string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	for _, o := range append(r.account.outputs, openedOutput{"standard output", regular(r.streams.Out)}) {
		if o.info != nil && os.SameFile(o.info, info) {
			return flag.Errorf("%s is %s; give another name", name, o.what)
		}
	}
	r.account.outputs = append(r.account.outputs, openedOutput{what, info})
	return nil
}

// deadLetters gets the units of what has failed: all that makes the exit status 1, and with
// units 4. Lines are written one by one at the end of the file, so that processes may share
// it.
type deadLetters struct {
	f    *os.File // nil if there is none
	last unit.Unit
}

func (r *Run) openDeadLetters() error {
	if r.o.DeadLetter == "" || r.o.DeadLetter == "-" {
		return nil
	}
	f, err := r.openOutput("--dead-letter", r.o.DeadLetter, "the file of dead letters", os.O_APPEND)
	if err != nil {
		return err
	}
	r.account.dead.f = f
	return nil
}

// dead tells the file of dead letters, and the stream that goes to out, what e is about if
// it has failed: the file once what reads it again, where several records lie in one member.
// What is wrong with a container is that of its items, unless it could not be read to its end.
func (r *Run) dead(e *report.Entry, out io.Writer) {
	d := &r.account.dead
	failed := e.Result.Lost() || e.Items.None() && e.Problems.Defects() > 0
	if d.f == nil && !r.o.Stream || !failed || !e.Subject.HasUnit() {
		return
	}
	again := e.Subject.Unit == d.last
	d.last = e.Subject.Unit
	line := []byte(e.Subject.Unit.Text + "\n") // of what is no unit
	if e.Subject.Unit.Path != "" {
		line = e.Subject.Unit.Append(nil)
	}
	if d.f != nil && !again && (e.Subject.Unit.Path != "" || r.isNoUnit(e.Subject.Unit.Text)) {
		if _, err := d.f.Write(line); err != nil {
			r.Console.Printf("--dead-letter: %v", err)
			r.Totals.Faults = true
		}
	}
	if r.o.Stream {
		r.stream.dead++
		r.toStream(out, r.o.appendDead(nil, e, string(bytes.TrimSuffix(line, []byte("\n")))))
	}
}

// isNoUnit reports whether a line is a dead letter as it is: that fails again, and reads nothing.
// Lines of an index are none: as a unit they may name any file.
func (r *Run) isNoUnit(text string) bool {
	_, err := unit.Parse(strings.TrimSuffix(text, "\r"))
	return err != nil && r.o.Inputs.UnitsFormat == unit.Lines
}

func (d *deadLetters) close() {
	if d.f != nil {
		d.f.Close()
	}
}

// toStdout is standard output where nothing else is printed there.
type toStdout struct{ io.Writer }

func (toStdout) Close() error { return nil }

// openReport makes the file of --report.
func (r *Run) openReport() error {
	switch {
	case r.o.Report == "" || r.o.Report == "-" && r.o.Stream:
		return nil
	case r.o.Report == "-":
		r.account.report = toStdout{r.streams.Out}
		return nil
	}
	f, err := r.openOutput("--report", r.o.Report, "the report", 0)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return flag.Errorf("--report %s: %s", r.o.Report, files.Why(r.o.Report, err))
		}
	}
	r.account.report = f
	return nil
}
