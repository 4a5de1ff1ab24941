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

// Options say where a run reports the outcomes of its inputs.
type Options struct {
	Files
	Messages
	Stream Stream

	ResultsOnStdout bool                // results go to standard output, so a terminal shows no progress bar among them
	ByClient        bool                // a client sends the inputs, each with its URL
	OnReport        func(*report.Entry) // called with each reported entry, in order; may be nil
}

// Files are the files that a run writes besides its results.
type Files struct {
	Report     string // file for a line of JSON about each input and item; "" for no report, "-" for standard output
	DeadLetter string // file for the units of failed inputs; "" for no file, "-" for the stream
}

// Stream adds records to the results: one for each failed input, and a trailer for each unit. With
// the report "-" it also adds a record for each line of the report.
type Stream struct {
	On      bool
	Edges   bool           // adds records that sum up the links between hosts and between domains
	Columns *record.Layout // writes records in columns; if nil, records are JSON objects
}

// Messages select the messages on standard error.
type Messages struct {
	Progress     console.Mode
	Quiet        bool // print errors only
	Verbose      bool
	Summary      bool            // print a summary at the end, unless Quiet
	MailSummary  bool            // print a summary if there were mailboxes, unless Quiet
	WritesCopies bool            // the run also writes copies of files that it does not edit
	OutsideHint  string          // advice for a symbolic link that leads out of an input directory
	HelpfulFlags func() []string // returns flags that find more references, for a run without a link; may be nil
}

// check refuses an output that is also an input or another output.
func (o *Options) check(inputs *source.Set, in io.Reader, stdout io.Writer) error {
	if o.ResultsOnStdout {
		if err := checkStdout(inputs, in, stdout); err != nil {
			return err
		}
	}
	if err := o.checkReport(inputs); err != nil {
		return err
	}
	return o.checkLetters(inputs)
}

// checkStdout refuses standard output if it is also an input, or a list of inputs: the run would
// read its own output and never end.
func checkStdout(inputs *source.Set, in io.Reader, stdout io.Writer) error {
	out := regularFile(stdout)
	if out == nil {
		return nil
	}
	args := inputs.Args()
	if len(args) == 0 && inputs.URLs == "" {
		args = []string{input.Stdin}
	}
	for _, arg := range append(slices.Clip(args), inputs.URLs, inputs.Units) {
		info := regularFile(in)
		if arg != input.Stdin {
			info, _ = os.Stat(arg) // a missing file is reported later
		}
		switch {
		case info == nil || !os.SameFile(info, out):
		case slices.Contains(args, arg):
			return flag.Errorf("the output is the input %s; give another file, or use rewrite --in-place", arg)
		default:
			return flag.Errorf("the output is the list of inputs %s; give another file", arg)
		}
	}
	return nil
}

// regularFile returns the os.FileInfo of an open regular file. It returns nil for anything else.
func regularFile(stream any) os.FileInfo {
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

// checkReport refuses a report that is also an input, or that is on standard output among results.
// It also refuses an existing file in a directory that is an input, unless it is an earlier report.
func (o *Options) checkReport(inputs *source.Set) error {
	path := o.Report
	if path == "-" {
		return o.checkReportOnStdout(inputs)
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

// checkReportOnStdout refuses a report on standard output among results, unless it is part of the
// stream.
func (o *Options) checkReportOnStdout(inputs *source.Set) error {
	switch {
	case o.Stream.On || !o.ResultsOnStdout:
		return nil
	case inputs.Units != "":
		return flag.Errorf("--report -: standard output is for results; add --stream, or give a file (./- for a file " +
			"named -)")
	}
	return flag.Errorf("--report -: standard output is for results; give a file (./- for a file named -)")
}

// checkLetters refuses a file of dead letters that is also an input, a list of inputs or another
// output.
func (o *Options) checkLetters(inputs *source.Set) error {
	if o.DeadLetter == input.Stdin {
		if o.Stream.On {
			return nil
		}
		return flag.Errorf("--dead-letter -: standard output is for results; add --stream, or give a file (./- for a " +
			"file named -)")
	}
	old, err := os.Stat(o.DeadLetter)
	if err != nil { // it is new, or the flag is not given
		return nil
	}
	for _, arg := range slices.Concat(inputs.Args(), []string{inputs.URLs, inputs.Units, o.Report}) {
		if in, err := os.Stat(arg); err == nil && os.SameFile(in, old) {
			return flag.Errorf("--dead-letter %s is %s, which is read or written too; give another name",
				o.DeadLetter, arg)
		}
	}
	return nil
}

// reportPrefix is the beginning of every line of a report.
var reportPrefix = []byte(`{"source":`)

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
	head := make([]byte, len(reportPrefix))
	n, _ := f.Read(head)
	return bytes.Equal(head[:n], reportPrefix)
}
