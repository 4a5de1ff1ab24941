// Package run takes the inputs of a command to its workers, many at once. Output, messages and
// account come in the order of the inputs, whatever the number of goroutines.
//
//	r, err := run.New(streams, &options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = r.Do(ctx, streams.Out, command) // a Command
//
// Three packages share the work, and run puts them together:
//
//   - batch is the loop: it calls handle for each input, on several goroutines, and keeps the
//     order.
//   - container takes the items of a mailbox or web archive through the same loop. A worker gives
//     it the container, by Run.Containers.
//   - account tells the outcome of every input and item, by Run.Account.
//
// An input goes this way: [Run.Do] → handle → open → Work of the command's worker, which opens no
// file itself → Account.Tell.
//
// Files in reading order: run.go (the run), handle.go (one input on its way), open.go (opening it),
// retrieve.go (retrieving it), unit.go (inputs that are units), options.go.
package run

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/fetch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Command is what a run is for.
type Command interface {
	// NewWorker returns a worker for r. It is called on any goroutine.
	NewWorker(r *Run) container.Worker
	// Unmatched says what the command line asks for and no input had.
	Unmatched() []string
}

// Settler is a Command that settles some inputs before they are opened.
type Settler interface {
	// Settle reports whether f, which may be left out of the inputs, is settled in e.
	Settle(f *input.File, e *report.Entry) bool
}

// Streams are the standard streams of the process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Given    *input.Given // what stands for In; nil = In does itself
}

// Run is one run over all inputs.
type Run struct {
	Account    *account.Account
	Containers *container.Loop

	streams Streams
	o       *Options
	command Command
	workers batch.Pool[container.Worker]
	readers batch.Pool[*input.Reader]
	moved   input.Moved // of Maildirs

	clients       sync.Once
	named, listed *fetch.Client                // for URLs that are named; for URLs of a list, which obey robots.txt
	memory        atomic.Pointer[batch.Memory] // bounded once there is a client
}

// New returns a run under o, which must not change any more. The error is a *flag.Error.
func New(s Streams, o *Options) (*Run, error) {
	a, err := account.New(&o.Account, &o.Inputs, s.In, s.Out, s.Err)
	if err != nil {
		return nil, err
	}
	r := &Run{Account: a, o: o}
	r.workers.New = func() container.Worker { return r.command.NewWorker(r) }
	r.readers.New = func() *input.Reader { return new(input.Reader) }
	r.Containers = &container.Loop{Options: o.containers(), Workers: &r.workers, Account: a, Emit: r.tell}
	r.use(s)
	return r, nil
}

// Reset readies r, whose Do has returned, for the same command under the same options, with the
// workers of the last time.
func (r *Run) Reset(s Streams) {
	r.Account.Reset(s.Out)
	r.use(s)
}

// use has r read and write s.
func (r *Run) use(s Streams) {
	r.streams = s
	given := s.Given != nil
	r.workers.Single = given && r.o.Jobs == 1
	r.readers.Single = r.workers.Single
	r.Containers.Reading = r.reading()
	r.Containers.Shared = given
}

// reading returns how inputs are opened.
func (r *Run) reading() input.Options {
	o := r.o.Reading
	return input.Options{Kind: o.Kind, MaxSize: int64(o.MaxSize), Stdin: r.streams.In, Given: r.streams.Given,
		Scripts: o.Scripts, Peek: o.Peek, Manifest: o.Manifest}
}

// Reopen opens again what was opened for f. It must be closed.
func (r *Run) Reopen(ctx context.Context, f input.File) (*input.Document, error) {
	return (&input.Reader{Options: r.reading()}).Open(ctx, f)
}

// Do has the workers of c take all inputs. What they write goes to out. It is called when
// everything is checked: an earlier report is lost from here on.
func (r *Run) Do(ctx context.Context, out io.Writer, c Command) error {
	r.command = c
	if err := r.Account.Open(); err != nil {
		return err
	}
	if r.o.Header != "" {
		if _, err := io.WriteString(r.streams.Out, r.o.Header); err != nil {
			return err
		}
	}
	if r.streams.Given != nil { // the one input, and nothing waits for its turn
		for j := range r.jobs(ctx) {
			r.tell(r.handle(ctx, j, out), out)
		}
		return r.Account.Close(ctx.Err())
	}
	switch bar := r.Account.Console; {
	case r.o.Account.Progress == console.Always: // from the first input on
		r.count(ctx)
	case bar.Shown():
		go r.count(ctx)
	}
	jobs := r.o.atOnce()
	err := batch.Run(ctx, batch.Options{Jobs: jobs, Ahead: filesAhead(jobs)}, out, r.jobs(ctx),
		func(j job, out io.Writer) *report.Entry { return r.handle(ctx, j, out) },
		func(e *report.Entry) {
			if e.UnitEnd != nil && ctx.Err() != nil {
				return // an input of the unit may have been interrupted on another goroutine
			}
			r.tell(e, out)
		})
	r.Account.Console.Close()
	r.memory.Load().End()
	if err := r.Account.Close(err); err != nil {
		return err
	}
	r.Account.NameUnmatched(c.Unmatched())
	return nil
}

// tell tells an entry, and adapts the bound of the memory to what is in use now.
func (r *Run) tell(e *report.Entry, out io.Writer) {
	r.Account.Tell(e, out)
	r.memory.Load().Follow()
}

// filesAhead returns how many files are in flight per worker. A page is read in a tenth of a
// millisecond: with a few only, all workers wait whenever one is kept waiting. Their output is held
// in memory, so that each of many workers has few.
func filesAhead(workers int) int { return max(32/max(workers, 1), 4) }

// count finds out how much there is to do, for the progress bar.
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
	r.Account.Console.Total(files, bytes)
}
