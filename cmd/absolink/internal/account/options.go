package account

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
)

// Options say where a run tells what became of its inputs.
type Options struct {
	Files
	Messages
	Stream Stream

	Prints bool                // results go to standard output: on a terminal, no bar is shown among them
	Told   func(*report.Entry) // gets each entry, in order; nil = nothing does
}

// Files are the files beside the results.
type Files struct {
	Report     string // gets a line of JSON per input and item; "" = none
	DeadLetter string // gets the units of failed inputs; "" = none
}

// Stream says how records of failed inputs, and trailers of units, are written among the results.
type Stream struct {
	On      bool
	Columns *record.Layout // nil = as objects
}

// Messages say what is printed on standard error.
type Messages struct {
	Progress  console.Mode
	Quiet     bool // errors only
	Verbose   bool
	SumUp     bool            // sum up at the end, unless Quiet
	SumUpMail bool            // sum up if there were mailboxes
	Copies    bool            // what is left out of a directory is missing in the output
	OutHint   string          // what to do about a link that leads out of a directory
	More      func() []string // flags that find more references, for a run that found none; nil = say nothing
}

// check refuses outputs in the place of inputs, or of each other.
func (o *Options) check(inputs *source.Set, in io.Reader, stdout io.Writer) error {
	if o.Prints {
		if err := checkStdout(inputs, in, stdout); err != nil {
			return err
		}
	}
	if err := o.checkReport(inputs); err != nil {
		return err
	}
	return o.checkLetters(inputs)
}

// checkStdout refuses standard output that is a file which is read: reading it would not end.
func checkStdout(inputs *source.Set, in io.Reader, stdout io.Writer) error {
	out := regular(stdout)
	if out == nil {
		return nil
	}
	args := inputs.Args()
	if len(args) == 0 && inputs.URLs == "" {
		args = []string{input.Stdin}
	}
	for _, arg := range args {
		info := regular(in)
		if arg != input.Stdin {
			info, _ = os.Stat(arg) // a file that is not there is named later
		}
		if info != nil && os.SameFile(info, out) {
			return flag.Errorf("the output is the input %s; give another file, or use rewrite --in-place", arg)
		}
	}
	return nil
}

// regular returns the os.FileInfo of an open regular file, nil for everything else.
func regular(stream any) os.FileInfo {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// checkReport refuses a report that is an input, and one in a directory that is an input unless it
// is an earlier report. It also refuses one on standard output among results.
func (o *Options) checkReport(inputs *source.Set) error {
	path := o.Report
	switch {
	case path != "-":
	case o.Stream.On || !o.Prints:
		return nil
	case inputs.Units != "":
		return flag.Errorf("--report -: standard output is for results; add --stream, or give a file, ./- for one of " +
			"that name")
	default:
		return flag.Errorf("--report -: standard output is for results; give a file, ./- for one of that name")
	}
	old, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, arg := range slices.Concat(inputs.Args(), []string{inputs.URLs, inputs.Units}) {
		in, err := os.Stat(arg)
		switch {
		case err != nil:
		case os.SameFile(in, old):
			return flag.Errorf("--report %s is the input %s; give another name", path, arg)
		case in.IsDir() && files.Within(path, arg) && !replaceableReport(path, old):
			return flag.Errorf("--report %s is a file of the input %s, which would be lost; give another name",
				path, arg)
		}
	}
	return nil
}

// checkLetters refuses a file of dead letters that is an input or another output.
func (o *Options) checkLetters(inputs *source.Set) error {
	if o.DeadLetter == input.Stdin {
		if o.Stream.On {
			return nil
		}
		return flag.Errorf("--dead-letter -: standard output is for results; add --stream, or give a file, ./- for " +
			"one of that name")
	}
	old, err := os.Stat(o.DeadLetter)
	if o.DeadLetter == "" || err != nil {
		return nil
	}
	for _, arg := range slices.Concat(inputs.Args(), []string{inputs.Units, o.Report}) {
		if in, err := os.Stat(arg); err == nil && os.SameFile(in, old) {
			return flag.Errorf("--dead-letter %s is %s, which is read or written too; give another name",
				o.DeadLetter, arg)
		}
	}
	return nil
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
