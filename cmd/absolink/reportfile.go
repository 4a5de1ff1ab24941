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
