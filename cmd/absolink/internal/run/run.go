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
// Files in reading order: options.go, unit.go (inputs that are units), run.go, retrieve.go and
// open.go (opening an input), handle.go (one input on its way), do.go (all inputs).
package run

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
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

// tell tells an entry, and adapts the bound of the memory to what is in use now.
func (r *Run) tell(e *report.Entry, out io.Writer) {
	r.Account.Tell(e, out)
	r.memory.Load().Follow()
}
