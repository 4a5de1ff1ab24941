package account

import (
	"io"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/report"
)

// outputs are the open output files of a run. No two of them may be the same file.
type outputs struct {
	stdout io.Writer
	list   []output
}

// output is an open regular file.
type output struct {
	role string // description for messages, such as "the report"
	info fs.FileInfo
}

// add adds an open file. It ignores a file that is not regular. The error is a *[flag.Error] if the
// file is already another output. name is the name that the user gave.
func (c *outputs) add(name, role string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	for _, other := range append(c.list, output{"standard output", regularFile(c.stdout)}) {
		if other.info != nil && os.SameFile(other.info, info) {
			return flag.Errorf("%s is %s; give another name", name, other.role)
		}
	}
	c.list = append(c.list, output{role, info})
	return nil
}

// open opens a file for writing, and adds it to the outputs. name is its path, and option is the
// flag that gave the path. open creates a missing file, and keeps the content of an existing file.
// mode is 0 or os.O_APPEND.
func (c *outputs) open(option, name, role string, mode int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return nil, flag.Errorf("%s %s: %s", option, name, files.Why(name, err))
	}
	if err := c.add(option+" "+name, role, f.Stat); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// reportFile is the file of --report. The zero value writes nothing.
type reportFile struct {
	w io.Writer
	f *os.File // nil if w is standard output
}

// open creates the file, or empties an earlier report. The path - is standard output.
func (l *reportFile) open(path string, c *outputs) error {
	switch path {
	case "":
		return nil
	case "-":
		l.w = c.stdout
		return nil
	}
	f, err := c.open("--report", path, "the report", 0)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return flag.Errorf("--report %s: %s", path, files.Why(path, err))
		}
	}
	l.w = f
	l.f = f
	return nil
}

// write writes the line of e. After an error it closes the file and writes nothing more.
func (l *reportFile) write(e *report.Entry) error {
	if l.w == nil {
		return nil
	}
	_, err := l.w.Write(e.AppendJSON(nil))
	if err != nil {
		l.close()
		*l = reportFile{}
	}
	return err
}

// close closes the file, if there is one.
func (l *reportFile) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
