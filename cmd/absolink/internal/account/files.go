package account

import (
	"bytes"
	"io"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/report"
)

// opened are the files that an account writes beside the results. The zero value has none.
type opened struct {
	report  io.WriteCloser
	letters letters
	claimed []claimed
}

// claimed is a file that is open for writing.
type claimed struct {
	what string // for a user
	info fs.FileInfo
}

func (f *opened) close() error {
	f.letters.close()
	if f.report == nil {
		return nil
	}
	return f.report.Close()
}

// Claim notes an open file that a user has called name, and that nothing else may be written to.
// The error is a *[flag.Error] if it is another output as well.
func (a *Account) Claim(name, what string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	for _, other := range append(a.opened.claimed, claimed{"standard output", regular(a.stdout)}) {
		if other.info != nil && os.SameFile(other.info, info) {
			return flag.Errorf("%s is %s; give another name", name, other.what)
		}
	}
	a.opened.claimed = append(a.opened.claimed, claimed{what, info})
	return nil
}

// open opens the file that a flag names, and claims it. It creates the file if it is not there, and
// else keeps its content.
func (a *Account) open(option, name, what string, mode int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return nil, flag.Errorf("%s %s: %s", option, name, files.Why(name, err))
	}
	if err := a.Claim(option+" "+name, what, f.Stat); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// reportStart begins every line of a report.
var reportStart = []byte(`{"source":`)

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

// toStdout writes a report to standard output, which stays open.
type toStdout struct{ io.Writer }

func (toStdout) Close() error { return nil }

// openReport creates the file of --report, or empties it.
func (a *Account) openReport() error {
	path := a.o.Report
	switch {
	case path == "" || path == "-" && a.o.Stream.On:
		return nil
	case path == "-":
		a.opened.report = toStdout{a.stdout}
		return nil
	}
	f, err := a.open("--report", path, "the report", 0)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return flag.Errorf("--report %s: %s", path, files.Why(path, err))
		}
	}
	a.opened.report = f
	return nil
}

// writeReport writes the line of e. After an error nothing more is written.
func (a *Account) writeReport(e *report.Entry, out io.Writer) {
	if a.opened.report != nil {
		if _, err := a.opened.report.Write(e.AppendJSON(nil)); err != nil {
			a.Console.Printf("--report: %v", err)
			a.Totals.Fault()
			a.opened.report.Close()
			a.opened.report = nil
		}
	}
	if a.o.Stream.On && a.o.Report == "-" {
		a.write(out, appendReport(nil, e))
	}
}
