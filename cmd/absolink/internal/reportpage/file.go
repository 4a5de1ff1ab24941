package reportpage

import (
	"context"
	"errors"
	"io"
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/secret"
)

// Files adds up files into a Summary. It leaves out files and lines that it cannot read.
type Files struct {
	Summary
	Stdin      io.Reader                     // read if a name is [input.Stdin]
	Warn       func(format string, a ...any) // reports each file or line that is left out
	Incomplete bool                          // set if something was left out
}

// ReadReports adds files that --report wrote.
func (f *Files) ReadReports(ctx context.Context, names []string) {
	for _, name := range names {
		f.readFile(ctx, name, "a report", f.Summary.AddReport)
	}
}

// ReadRecords adds the hosts of the links in files of records that extract printed.
func (f *Files) ReadRecords(ctx context.Context, names []string) {
	for _, name := range names {
		f.readFile(ctx, name, "the records of extract", f.AddRecords)
	}
}

// maxBadLines is the number of bad lines in a file that are reported one by one.
const maxBadLines = 10

// readFile calls add with the content of the file name, and reports errors. add must call its
// second argument for each bad line, with the number of the line and an error. contents describes
// the file in messages, such as "a report".
func (f *Files) readFile(ctx context.Context, name, contents string, add func(io.Reader, func(int, error)) error) {
	err := f.addFile(ctx, name, contents, add)
	if err != nil && !errors.Is(err, context.Canceled) {
		f.Warn("%s: %v", secret.URL(name), err)
		f.Incomplete = true
	}
}

// addFile opens a file and calls add, as readFile says. It reports bad lines, and returns the error
// of opening or reading.
func (f *Files) addFile(ctx context.Context, name, contents string, add func(io.Reader, func(int, error)) error) error {
	file, err := f.open(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	bad := 0
	err = add(file, func(lineNumber int, err error) {
		bad++
		if bad <= maxBadLines {
			f.Warn("%s: line %d is not a line of %s, and is left out: %v", name, lineNumber, contents, err)
		}
	})
	if bad > maxBadLines {
		f.Warn("%s: %d more lines are not lines of %s, and are left out", name, bad-maxBadLines, contents)
	}
	f.Incomplete = f.Incomplete || bad > 0
	return err
}

// open opens the file name, or standard input if name is [input.Stdin].
func (f *Files) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == input.Stdin {
		return io.NopCloser(input.Interruptible(ctx, f.Stdin)), nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	return in, nil
}
