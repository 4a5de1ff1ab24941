package reportpage

import (
	"context"
	"errors"
	"io"
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/secret"
)

// Files is a Summary of files. It leaves out files and lines that it cannot read.
type Files struct {
	Summary
	Stdin      io.Reader                     // read if a name is [input.Stdin]
	Tell       func(format string, a ...any) // called for each file or line that is left out
	Incomplete bool                          // set if something was left out
}

// Reports counts the lines of reports, files that --report wrote.
func (f *Files) Reports(ctx context.Context, names []string) {
	for _, name := range names {
		f.read(ctx, name, "a report", f.Summary.Read)
	}
}

// Records counts the hosts in records that extract printed.
func (f *Files) Records(ctx context.Context, names []string) {
	for _, name := range names {
		f.read(ctx, name, "the records of extract", f.ReadRecords)
	}
}

const maxBadLines = 10 // the number of bad lines of a file that are named

// read calls take with the content of a file, and names the lines that take rejects. of is the kind
// of file, for messages.
func (f *Files) read(ctx context.Context, name, of string, take func(io.Reader, func(int, error)) error) {
	in, err := f.open(ctx, name)
	if err == nil {
		bad := 0
		err = take(in, func(number int, err error) {
			bad++
			if bad <= maxBadLines {
				f.Tell("%s: line %d is not a line of %s, and is left out: %v", name, number, of, err)
			}
		})
		if bad > maxBadLines {
			f.Tell("%s: %d more lines are not lines of %s, and are left out", name, bad-maxBadLines, of)
		}
		f.Incomplete = f.Incomplete || bad > 0
		in.Close()
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		f.Tell("%s: %v", secret.URL(name), err)
		f.Incomplete = true
	}
}

// open opens a file, or standard input.
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
