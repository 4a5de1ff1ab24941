package run

import (
	"context"
	"io"
	"os"
	"runtime"
	"slices"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/mime/httpmsg"
	"absolink/mime/mbox"
)

// Streams are the standard streams of the process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Given    *input.Given // what stands for In; nil = In does itself
}

// HTTPBase says whether header fields of responses give a base. The zero value is RFC9110.
type HTTPBase uint8

const (
	RFC9110 HTTPBase = iota // no field does (RFC 9110 Section 8.7)
	RFC2616                 // Content-Base, then Content-Location (RFC 2616 Section 14.14)
)

// String returns rfc9110 or rfc2616.
func (b HTTPBase) String() string { return [...]string{RFC9110: "rfc9110", RFC2616: "rfc2616"}[b] }

// Options say how a run goes.
type Options struct {
	Inputs   source.Set // that has taken the arguments
	Kind     input.Kind // of the inputs; Other = by content, then name
	Mbox     mbox.Variant
	HTTPBase HTTPBase
	MaxSize  flag.Size                                   // largest document that is read, in bytes
	Scripts  bool                                        // scripts are documents
	Peek     bool                                        // inputs are read as far as it takes to tell their kind
	Manifest func(ctx context.Context, path string) bool // as in input.Options
	Lengths  bool                                        // what a message of a mailbox says of its length is needed

	Fetch        fetch.Options
	IgnoreRobots bool // robots.txt is not asked before the URLs of lists

	// inputs, and items of one, at once, at most 1,024; 0 = as many as processors, and at least 16
	// URLs of a list
	Jobs       int
	Progress   console.Mode
	Report     string // file that gets a line of JSON per input and item; "" = none
	DeadLetter string // file that gets the units of what failed; "" = none
	// standard output gets records of what failed and, behind those of each unit, one of the unit
	Stream  bool
	Columns *record.Layout // by which records of Stream are written; nil = as objects
	Quiet   bool
	Verbose bool

	// More returns the flags that would find references. It is asked if none was found at all, and
	// the user is told; if it is nil the user is not.
	More func() []string

	Prints    bool   // results go to standard output: on a terminal a bar would stand among them
	Header    string // what standard output begins with
	SumUp     bool   // what was done is summed up, unless Quiet
	SumUpMail bool   // so it is if there were mailboxes
	Copies    bool   // what is left out of a directory is missing in the output
	OutHint   string // what to do about a link out of a directory

	Told func(*report.Entry) // is called with the account of each input and item, in their order; nil = nothing is
}

// mostJobs is how many goroutines work at most, whatever Options.Jobs is.
const mostJobs = 1024

// jobs returns how many items of a container are worked on at once.
func (o *Options) jobs() int {
	if o.Jobs > 0 {
		return min(o.Jobs, mostJobs)
	}
	return runtime.GOMAXPROCS(0)
}

// listedAtOnce is how many URLs of a list are retrieved at once: waiting takes no processor.
const listedAtOnce = 16

// atOnce returns how many inputs are worked on at once.
func (o *Options) atOnce() int {
	if o.Inputs.URLs != "" && o.Jobs == 0 {
		return max(o.jobs(), listedAtOnce)
	}
	return o.jobs()
}

// http returns how responses are read.
func (o *Options) http() httpmsg.Options {
	return httpmsg.Options{RFC2616: o.HTTPBase == RFC2616, Limit: int(o.MaxSize)}
}

// check refuses outputs in the place of inputs, or of each other.
func (o *Options) check(s Streams) error {
	if o.Prints {
		if err := o.checkStdout(s); err != nil {
			return err
		}
	}
	if err := o.checkReport(); err != nil {
		return err
	}
	return o.checkDead()
}

// checkStdout refuses to write to a file that is read, which would not end, or
// add to it what does not belong there.
func (o *Options) checkStdout(s Streams) error {
	out := regular(s.Out)
	if out == nil {
		return nil
	}
	args := o.Inputs.Args()
	if len(args) == 0 && o.Inputs.URLs == "" {
		args = []string{input.Stdin}
	}
	for _, a := range args {
		in := regular(s.In)
		if a != input.Stdin {
			in, _ = os.Stat(a) // what cannot be found is named later
		}
		if in != nil && os.SameFile(in, out) {
			return flag.Errorf("the output is the input %s; give another file, or use rewrite --in-place", a)
		}
	}
	return nil
}

// regular returns the os.FileInfo of an open regular file, nil for all else.
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

// checkDead refuses a file of dead letters in the place of an input or another output.
func (o *Options) checkDead() error {
	if o.DeadLetter == input.Stdin {
		if o.Stream {
			return nil
		}
		return flag.Errorf("--dead-letter -: standard output is for results; add --stream, or give a file, ./- for " +
			"one of that name")
	}
	old, err := os.Stat(o.DeadLetter)
	if o.DeadLetter == "" || err != nil {
		return nil
	}
	for _, a := range slices.Concat(o.Inputs.Args(), []string{o.Inputs.Units, o.Report}) {
		if in, err := os.Stat(a); err == nil && os.SameFile(in, old) {
			return flag.Errorf("--dead-letter %s is %s, which is read or written too; give another name",
				o.DeadLetter, a)
		}
	}
	return nil
}
