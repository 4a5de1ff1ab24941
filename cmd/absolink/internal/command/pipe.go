package command

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/pipe"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve"
	"absolink/cmd/absolink/internal/write"
)

// With --pipe, a command does its work on one document after the other, as the service does. The
// flags are those of the service, and some more. Flags that name inputs, outputs or something to
// retrieve are not accepted.

// pipeFlags are the flags that a command accepts with --pipe, besides those of the service.
var pipeFlags = strings.Fields("pipe format jobs max-size quiet verbose map-file")

// pipeHints say what takes the place of a flag that --pipe refuses.
var pipeHints = map[string]string{
	"base":       `give the URI of each document as "url" in its frame`,
	"root":       `give the URI of each document as "url" in its frame`,
	"files-from": "send each document in a frame",
	"urls":       "send each document in a frame, retrieved by you",
	"units":      "send each document in a frame",
	"output":     "each answer holds its document",
	"in-place":   "each answer holds its document",
	"report":     "the end record of each answer has the outcome",
	"seen":       "keep the URIs that you have seen",
	"stream":     "each answer has an end record without it",
	"strict":     "the end record of each answer has the numbers of links and problems",
	"dry-run":    `"absolink extract --pipe" lists the links`,
	"diff":       "compare the document in the answer with your own",
}

// checkPipe refuses arguments and flags that make no sense with --pipe.
func checkPipe(c *cobra.Command, args []string) (err error) {
	if len(args) > 0 {
		return flag.Errorf("--pipe reads documents from standard input, each in a frame: leave %s out", args[0])
	}
	known := append(serve.Parameters(c.Name()), pipeFlags...)
	c.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && (!slices.Contains(known, f.Name) || f.Name == "base") {
			hint := cmp.Or(pipeHints[f.Name], "it is not for documents in memory")
			err = flag.Errorf("--pipe cannot be used with --%s: leave --%[1]s out; %s", f.Name, hint)
		}
	})
	return err
}

// pipeOptions checks the flags that all commands share, and returns the options of a pipe without
// New. Messages about the command line go to stderr.
func (o *Common) pipeOptions(form pipe.Form) (*pipe.Options, error) {
	o.Run.Account.Progress = console.Never
	o.Run.Account.ByClient = true
	if err := o.Check(nil); err != nil {
		return nil, err
	}
	jobs := cmp.Or(o.Run.Jobs, runtime.GOMAXPROCS(0))
	o.Run.Jobs = 1 // frames are worked on concurrently
	check := func(g *input.Given) error {
		if err := o.Links.Bases.CheckURL(g.URL); err != nil {
			return err
		}
		return links.CheckCharset("charset", g.Charset)
	}
	return &pipe.Options{Jobs: jobs, MaxSize: int64(o.Run.Reading.MaxSize), Form: form, Check: check}, nil
}

// PipeOptions checks the flags, which are those of c, and the arguments. It returns the options for
// answering frames. The error is a *flag.Error.
func (x *Extract) PipeOptions(c *cobra.Command, args []string, stderr io.Writer) (*pipe.Options, error) {
	if err := checkPipe(c, args); err != nil {
		return nil, err
	}
	form, err := x.pipeForm(&x.List.Format, record.JSONL, record.TSV, record.Arrow)
	if err != nil {
		return nil, err
	}
	x.List.Pipe = true
	if err := x.Prepare(false); err != nil {
		return nil, err
	}
	o, err := x.pipeOptions(form)
	if err != nil {
		return nil, err
	}
	o.New, err = newPiped(stderr, func() *again {
		a := x.again(func(*run.Run) (run.Command, error) { return &x.List, nil })
		a.output = x.List.Output
		return a
	})
	return o, err
}

// pipeForm returns the form of the answers for a format of records. Without a format it sets JSON
// lines. It refuses formats other than those in known.
func (o *Common) pipeForm(f *record.Format, known ...record.Format) (pipe.Form, error) {
	if !o.gave("format") {
		*f = record.JSONL
	}
	var names []string
	for _, k := range known {
		names = append(names, k.String())
	}
	switch {
	case slices.Contains(known, *f):
	case *f == record.CSV:
		return 0, flag.Errorf("--pipe cannot be used with --format csv, in which a value with a line end could look "+
			"like the end of an answer: use --format %s", flag.Or(names))
	default:
		return 0, flag.Errorf("--pipe cannot be used with --format %v: use --format %s", *f, flag.Or(names))
	}
	switch *f {
	case record.TSV:
		return pipe.Rows, nil
	case record.Arrow:
		return pipe.Columns, nil
	}
	return pipe.Lines, nil
}

// piped does the work on the documents of frames.
type piped struct {
	*again
	result   serve.Result // of the current document
	messages messages
}

// newPiped returns a function that makes a piped from each result of next. It makes the first one
// at once, and prints the messages about the command line to stderr. The error is a *flag.Error.
func newPiped(stderr io.Writer, next func() *again) (func() (pipe.Call, error), error) {
	make := func() (*piped, error) {
		p := &piped{again: next()}
		p.err = &p.messages
		return p, p.ready(run.Streams{Given: new(input.Given), Out: io.Discard, Err: p.err})
	}
	first, err := make()
	if err != nil {
		return nil, err
	}
	for _, line := range first.messages.list() {
		io.WriteString(stderr, line+"\n")
	}
	return func() (pipe.Call, error) {
		if p := first; p != nil {
			first = nil
			return p, nil
		}
		return make()
	}, nil
}

// Do implements pipe.Call.
func (p *piped) Do(ctx context.Context, g *input.Given, out io.Writer) (pipe.Result, error) {
	p.messages = messages{}
	p.result = serve.Result{}
	result, err := p.do(ctx, g, out, &p.result)
	if err != nil {
		return pipe.Result{}, err
	}
	if w, ok := p.command.(*write.Command); ok {
		w.SumUpInput(p.run.Account)
	}
	r := &result.Entry.Result
	t := &result.Totals
	answer := pipe.Result{Outcome: string(r.Outcome()), Edits: t.Edits.Links, Links: t.Links.ByStatus.Sum(),
		Problems: t.Problems, Messages: p.messages.list()}
	switch o := r.Outcome(); {
	case r.Lost():
		answer.Problems++
		answer.Error = cmp.Or(r.Reason(), "not read")
	case o == report.Skipped, o == report.Copied, r.HasClass(report.Unavailable):
		answer.Error = cmp.Or(r.Reason(), "not read")
	}
	answer.Done = answer.Error == ""
	return answer, nil
}

// maxMessages is the largest number of messages about one document. A mailbox may have a hundred
// for each of its messages.
const maxMessages = 1000

// messages collects the lines that a command prints about a document.
type messages struct {
	lines []string
	left  int // number of lines that are left out
}

// Write adds a line.
func (m *messages) Write(line []byte) (int, error) {
	if len(m.lines) < maxMessages {
		m.lines = append(m.lines, string(bytes.TrimSuffix(line, []byte("\n"))))
	} else {
		m.left++
	}
	return len(line), nil
}

// list returns the lines. If some are left out, the last line says how many.
func (m *messages) list() []string {
	if m.left == 0 {
		return m.lines
	}
	return append(m.lines, "absolink: "+console.Plural(m.left, "more message", "more messages"))
}

// PipeOptions is like [Extract.PipeOptions].
func (x *Base) PipeOptions(c *cobra.Command, args []string, stderr io.Writer) (*pipe.Options, error) {
	if err := checkPipe(c, args); err != nil {
		return nil, err
	}
	form, err := x.pipeForm(&x.List.Format, record.JSONL, record.TSV)
	if err != nil {
		return nil, err
	}
	if err := x.Prepare(); err != nil {
		return nil, err
	}
	if _, _, err := x.List.Output(io.Discard); err != nil {
		return nil, err
	}
	o, err := x.pipeOptions(form)
	if err != nil {
		return nil, err
	}
	o.New, err = newPiped(stderr, func() *again {
		return x.again(func(*run.Run) (run.Command, error) { return &x.List, nil })
	})
	return o, err
}

// PipeOptions is like [Extract.PipeOptions].
func (x *Rewrite) PipeOptions(c *cobra.Command, args []string, stderr io.Writer) (*pipe.Options, error) {
	if err := checkPipe(c, args); err != nil {
		return nil, err
	}
	if err := x.Prepare(nil); err != nil {
		return nil, err
	}
	o, err := x.pipeOptions(pipe.Document)
	if err != nil {
		return nil, err
	}
	var shared *write.Command // by all runs, since the rules may be many
	o.New, err = newPiped(stderr, func() *again {
		return x.again(func(r *run.Run) (_ run.Command, err error) {
			if shared == nil {
				shared, err = write.Begin(context.Background(), r, &x.Write)
			}
			return shared, err
		})
	})
	return o, err
}
