// Package run takes the inputs of a command to its work, many at once, and keeps account of
// what becomes of each. Output, messages and account come in the order of the inputs,
// whatever the number of goroutines.
//
//	r, err := run.New(streams, &options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = r.Do(ctx, streams.Out, command) // a Command
//
// An input goes this way: [Run.Do] has package batch call handle for it, on any goroutine,
// which opens the file and gives it to a [Worker] of the command. A worker that reads a
// mailbox or a web archive item by item calls [Run.Items], or [Run.Each] with items of its
// own: each item goes from the reader of the container through package batch to its Work,
// and with that to a worker again. What became of the input, or item, is told by [Run.Emit].
//
//	run.go        the run, and one input on its way
//	options.go    what it is told
//	file.go       opening an input, or passing it over
//	retrieve.go   opening a URL
//	container.go  the items of a mailbox or web archive on their way
//	ranges.go     or those of an archive in gzip members
//	mailbox.go    messages, archive.go records
//	memory.go     what they take in memory, room.go on their way
//	section.go    the range of a container that a unit says
//	tell.go       lines on standard error
//	account.go    the report, dead letters, and files that are written to twice
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Command is what a run is for.
type Command interface {
	// NewWorker returns a worker for r. It is called on any goroutine.
	NewWorker(r *Run) Worker
	// Unmatched says what the command line asks for and no input had.
	Unmatched() []string
}

// Worker does the work of a command on one goroutine at a time.
type Worker interface {
	// Work takes one input, or one item of an input. It writes results to out and what it
	// learnt into e. in is valid until it returns.
	Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry)
}

// Settler is a Command that settles some inputs before they are opened.
type Settler interface {
	// Settle reports whether f, which may be none of the inputs by f.IsInput, is settled in e.
	Settle(f *input.File, e *report.Entry) bool
}

// Run is one run over all inputs.
type Run struct {
	Console *console.Console
	Totals  report.Totals // of what was emitted

	streams Streams
	o       *Options
	command Command
	hands   sync.Pool // of *hand
	idle    []*hand   // those of a run with Streams.Given, which is the work of one goroutine
	account account

	stream   stream // with Options.Stream
	streamed error  // of writing it

	retrieving    atomic.Pointer[memory] // bounds it once there is a client, unless there is a bound already
	clients       sync.Once
	named, listed *fetch.Client   // for URLs that are named, and for those of a list, under robots.txt
	indexes       sync.Map        // of web archives that are read in units: *warc.Index by source
	moved         input.Moved     // of Maildirs
	common        int             // problems that are Common
	whole         map[string]bool // sources of which it was said that the server does not support ranges
}

// hand is what one goroutine keeps from input to input.
type hand struct {
	Worker
	reader input.Reader
	full   bool // it holds the memory of a large document, and is not used again
}

// New returns a run under o, which is not to be changed any more. The error, a *flag.Error,
// says why nothing is done.
func New(s Streams, o *Options) (*Run, error) {
	if err := o.check(s); err != nil {
		return nil, err
	}
	r := &Run{streams: s, o: o}
	r.hands.New = func() any {
		return &hand{Worker: r.command.NewWorker(r), reader: input.Reader{Options: r.inputOptions()}}
	}
	terminal := console.IsTerminal(s.Err) && !(o.Prints && console.IsTerminal(s.Out))
	r.Console = console.New(s.Err, "absolink", o.Progress, terminal)
	return r, nil
}

// Reset readies r, whose Do has returned, for doing the same command again under the same
// options, with the workers of the last time.
func (r *Run) Reset(s Streams) {
	r.streams, r.Totals, r.stream, r.streamed = s, report.Totals{}, stream{}, nil
	r.common = 0
}

// hand returns a worker that no goroutine has, to be given to done unless its work panicked:
// what it holds may be anything then.
func (r *Run) hand() *hand {
	if n := len(r.idle) - 1; n >= 0 && r.streams.Given != nil {
		h := r.idle[n]
		r.idle = r.idle[:n]
		return h
	}
	return r.hands.Get().(*hand)
}

func (r *Run) done(h *hand) {
	if r.streams.Given != nil && r.o.Jobs == 1 {
		r.idle = append(r.idle, h)
		return
	}
	r.hands.Put(h)
}

func (r *Run) inputOptions() input.Options {
	return input.Options{Kind: r.o.Kind, MaxSize: int64(r.o.MaxSize), Stdin: r.streams.In,
		Given: r.streams.Given, Scripts: r.o.Scripts, Peek: r.o.Peek, Manifest: r.o.Manifest}
}

// Do has the workers of c take all inputs. What they write goes to out. It is called when
// all is checked: an earlier report is lost from here on.
func (r *Run) Do(ctx context.Context, out io.Writer, c Command) error {
	r.command = c
	if err := r.Begin(); err != nil {
		return err
	}
	if r.o.Header != "" {
		if _, err := io.WriteString(r.streams.Out, r.o.Header); err != nil {
			return err
		}
	}
	switch {
	case r.o.Progress == console.Always: // from the first input on
		r.count(ctx)
	case r.Console.Shown():
		go r.count(ctx)
	}
	jobs := r.o.atOnce()
	if r.streams.Given != nil {
		err := r.given(ctx, out)
		return r.End(err)
	}
	err := batch.Run(ctx, batch.Options{Jobs: jobs, Ahead: filesAhead(jobs)},
		out, r.jobs(ctx), func(j job, out io.Writer) *report.Entry {
			return r.handle(ctx, j, out)
		}, func(e *report.Entry) {
			if e.UnitEnd != nil && ctx.Err() != nil {
				return // its unit may have been interrupted: another goroutine takes what stands for its end
			}
			r.Emit(e, out)
		})
	r.Console.Close()
	r.retrieving.Load().end()
	if err == nil {
		err = r.streamed
	}
	if err := r.End(err); err != nil {
		return err
	}
	r.sayUnmatched()
	return nil
}

// given takes the one input that stands for standard input. Nothing waits for its turn.
func (r *Run) given(ctx context.Context, out io.Writer) error {
	for j := range r.jobs(ctx) {
		r.Emit(r.handle(ctx, j, out), out)
	}
	return ctx.Err()
}

// filesAhead returns how many files are in flight per worker. A page is read in a tenth
// of a millisecond: with a few only, all wait whenever one worker is kept waiting. What
// they write is held in memory, so that where there are many workers each has few.
func filesAhead(workers int) int { return max(32/max(workers, 1), 4) }

// count finds out how much there is to do, for the bar.
func (r *Run) count(ctx context.Context) {
	files, bytes, known := 0, int64(0), true
	for f, err := range r.o.Inputs.All(ctx, nil) {
		if ctx.Err() != nil {
			return
		}
		if f.Last != nil {
			continue
		}
		files++
		if f.Bytes < 0 && err == nil {
			known = false
		}
		bytes += max(f.Bytes, 0)
	}
	if !known {
		bytes = -1
	}
	r.Console.Total(files, bytes)
}

// job is one input, and why it cannot be had.
type job struct {
	file input.File
	err  error
}

// jobs yields the inputs. Lists of them come from standard input up to when ctx is done.
func (r *Run) jobs(ctx context.Context) iter.Seq[job] {
	return func(yield func(job) bool) {
		for f, err := range r.o.Inputs.All(ctx, r.streams.In) {
			if !yield(job{f, err}) {
				return
			}
		}
	}
}

// Reopen opens again what was opened for f. It must be closed.
func (r *Run) Reopen(ctx context.Context, f input.File) (*input.Document, error) {
	return (&input.Reader{Options: r.inputOptions()}).Open(ctx, f)
}

// handle does one job. A message of a Maildir that its reader has given other flags, or
// moved from new to cur, since it was named is looked for, and tried again.
func (r *Run) handle(ctx context.Context, j job, out io.Writer) *report.Entry {
	e := r.try(ctx, j, out)
	for n := 0; e.Result.Is(report.Missing) && j.file.IsMail() && ctx.Err() == nil; n++ {
		again, found := r.moved.Again(j.file)
		switch {
		case !found:
			e.Result.Rephrase("is not there any more: a mail program has removed it, or moved it to another folder, " +
				"since the run began")
			return e
		case n == input.MovesFollowed:
			e.Result.Rephrase("is moved again and again by another program: it stays as it is")
			return e
		}
		j = job{file: again}
		e = r.try(ctx, j, out)
	}
	return e
}

// try does one job. A defect of the program that an input brings to light costs that
// input alone.
func (r *Run) try(ctx context.Context, j job, out io.Writer) (e *report.Entry) {
	if j.file.Last != nil {
		return &report.Entry{UnitEnd: j.file.Last}
	}
	began := time.Now()
	size := max(j.file.Bytes, 0)
	e = &report.Entry{Step: size,
		Subject: report.Subject{Source: j.file.Source, Unit: fileUnit(j.file), Bytes: size}}
	defer func() {
		if p := recover(); p != nil {
			e.Result.Fail(fmt.Errorf("internal error, please report it with the input: %v", p))
		}
	}()
	switch {
	case j.err != nil:
		e.Subject.List = j.file.IsList() && j.file.Unit == nil
		if e.Subject.List {
			e.Result.FailForGood(intended(&j.file, j.err))
		} else {
			e.Result.FailUnread(intended(&j.file, j.err))
		}
	case r.settles(&j.file, e):
	case !j.file.IsInput():
		r.skip(j.file, e)
	default:
		r.open(ctx, j.file, out, e)
	}
	if ctx.Err() != nil && e.Result.Outcome() == report.Failed {
		e.Result.Mark(report.Cancelled)
	}
	e.Seconds = time.Since(began).Seconds()
	return e
}

func (r *Run) settles(f *input.File, e *report.Entry) bool {
	s, ok := r.command.(Settler)
	return ok && s.Settle(f, e)
}

// Doubt tells what values of a flag cannot be meant. The run goes on, and each counts as a
// defect.
func (r *Run) Doubt(flag string, texts []string) {
	for _, text := range texts {
		r.Totals.Problems++
		r.Totals.Fault()
		if !r.o.Quiet {
			r.Console.Printf("%s: %s", flag, text)
		}
	}
}

// Begin opens the files that the run gives account in. A *flag.Error says why that cannot
// be done.
func (r *Run) Begin() error {
	if err := r.openReport(); err != nil {
		return err
	}
	return r.openDeadLetters()
}

// End closes what Begin has opened, and sums up. err is how the work ended, and is returned
// unless it is nil.
func (r *Run) End(err error) error {
	closed := r.account.close()
	if err == nil {
		err = closed
	}
	if errors.Is(err, context.Canceled) {
		written := "no file is half written"
		if r.o.Prints {
			written = "standard output has the first results only"
		}
		r.Console.Printf("interrupted: %s; %s",
			console.Plural(r.Totals.Inputs.N, "input was done", "inputs were done"), written)
		return err
	}
	summed := r.o.SumUp || r.o.SumUpMail && r.Totals.Messages.N > 0
	if r.o.Verbose || summed && !r.o.Quiet {
		r.Console.Printf("%s", r.Totals.String())
	}
	return err
}
