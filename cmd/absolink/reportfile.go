package main

import (
	"bytes"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/output"
)

// reportStart is what every line of a report begins with.
var reportStart = []byte(`{"source":`)

// checkReport refuses a report in the place of an input, or of a file in a
// directory that is an input, unless that is an earlier report, and one on
// standard output, which holds results only.
func checkReport(path string, args []string) error {
	if path == "-" {
		return usagef("--report -: standard output is for results; give a file, ./- for one of that name")
	}
	old, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, a := range args {
		in, err := os.Stat(a)
		switch {
		case err != nil:
		case os.SameFile(in, old):
			return usagef("--report %s is the input %s", path, a)
		case in.IsDir() && output.Within(path, a) && !replaceableReport(path, old):
			return usagef("--report %s is a file of the input %s; it would be lost", path, a)
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
func (r *runner) openOutput(flag, name, what string, mode int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return nil, usagef("%s: %v", flag, err)
	}
	if err := r.claim(flag+" "+name, what, f.Stat); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// claim notes a file that is open, which a user has called name, and refuses one that is
// another output as well.
func (r *runner) claim(name, what string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	for _, o := range append(r.outputs, openedOutput{"standard output", regular(r.out)}) {
		if o.info != nil && os.SameFile(o.info, info) {
			return usagef("%s is %s; give another name", name, o.what)
		}
	}
	r.outputs = append(r.outputs, openedOutput{what, info})
	return nil
}
