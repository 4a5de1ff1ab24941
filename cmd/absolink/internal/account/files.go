package account

import (
	"io"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/report"
)

// claims are the open output files. Nothing else may be written to them.
type claims struct {
	stdout io.Writer
	list   []claimed
}

type claimed struct {
	what string // shown to the user
	info fs.FileInfo
}

// claim notes an open file, which the user called name. The error is a *[flag.Error] if the file is
// another output as well.
func (c *claims) claim(name, what string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	for _, other := range append(c.list, claimed{"standard output", regular(c.stdout)}) {
		if other.info != nil && os.SameFile(other.info, info) {
			return flag.Errorf("%s is %s; give another name", name, other.what)
		}
	}
	c.list = append(c.list, claimed{what, info})
	return nil
}

// open opens the file that a flag names, and claims it. It creates a missing file. It keeps the
// content of an existing file.
func (c *claims) open(option, name, what string, mode int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return nil, flag.Errorf("%s %s: %s", option, name, files.Why(name, err))
	}
	if err := c.claim(option+" "+name, what, f.Stat); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// lines writes the lines of --report. The zero value writes nothing.
type lines struct {
	w io.Writer
	f *os.File // nil if w is standard output
}

// open creates the file, or empties it. The path - is standard output.
func (l *lines) open(path string, c *claims) error {
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

// write writes the line of e. After an error it writes nothing more.
func (l *lines) write(e *report.Entry) error {
	if l.w == nil {
		return nil
	}
	_, err := l.w.Write(e.AppendJSON(nil))
	if err != nil {
		l.close()
		*l = lines{}
	}
	return err
}

func (l *lines) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
