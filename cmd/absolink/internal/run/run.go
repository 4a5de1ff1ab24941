// Package run runs a command on its inputs, on many goroutines. Output, messages and reports come
// in the order of the inputs. They do not depend on the number of goroutines.
//
//	r, err := run.New(streams, &options)
//	if err != nil {
//		return err // a *flag.Error
//	}
//	err = r.Do(ctx, streams.Out, command) // a Command
//
// An input is a file, a URL, standard input, or a unit. A unit is a line of a list: it names a
// file, or a range of a file (package unit). A mailbox or web archive is a container: it consists
// of items, which are messages or records.
//
// Package run connects three packages:
//
//   - batch is the loop: it calls handle for each input, on several goroutines, and keeps the
//     order.
//   - container works on the items of a container with the same loop. The worker of the command
//     passes containers to it through Run.Containers.
//   - account reports the outcome of every input and item, through Run.Account.
//
// An input takes this path: [Run.Do] → handle → open → Work of the command's worker →
// Account.Report. Run opens each input for the worker. A worker that needs an input once more calls
// [Run.Reopen].
//
// Files in reading order: options.go, unit.go (units that are refused), room.go (memory), run.go,
// retrieve.go and open.go (opening an input), handle.go (one input), do.go (all inputs).
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

// Command is the command that a run executes.
type Command interface {
	// NewWorker returns a worker for r. Any goroutine may call it.
	NewWorker(r *Run) container.Worker
	// Unmatched returns a message for each value of a flag that matched nothing in any input.
	Unmatched() []string
}

// Settler is a Command that decides the outcome of some inputs without opening them.
type Settler interface {
	// Settle returns true if it has set the outcome of f in e. f may be a file that the run leaves
	// out.
	Settle(f *input.File, e *report.Entry) bool
}

// Streams are the standard streams of the process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Given    *input.Given // the only input, if the caller passes its content; otherwise nil
}

// Run is one run of a command over all its inputs.
type Run struct {
	Account    *account.Account
	Containers *container.Runner

	streams Streams
	o       *Options
	command Command
	workers batch.Pool[container.Worker]
	readers batch.Pool[*input.Reader]
	moved   input.Moved  // finds Maildir messages that a mail program has moved
	room    room         // limits the total size of the inputs in progress, if the run replaces files in place
	given   job          // the job of Streams.Given
	entry   report.Entry // the entry of Streams.Given; each run reuses it

	clients sync.Once
	named   *fetch.Client                // for URLs on the command line, and for ranges
	listed  *fetch.Client                // for the URLs of a list; asks robots.txt unless IgnoreRobots is set
	memory  atomic.Pointer[batch.Memory] // limits the memory of the process; nil before the first call of Run.client
}

// job is one step of a run: an input, a file that the run leaves out, a list that cannot be read,
// or the end of a unit.
type job struct {
	file input.File
	err  error // why the file or the list cannot be found or read, or nil
}

// New returns a run with the options o, which must not change afterwards. The error is a
// *[flag.Error].
func New(s Streams, o *Options) (*Run, error) {
	a, err := account.New(&o.Account, &o.Inputs, s.In, s.Out, s.Err)
	if err != nil {
		return nil, err
	}
	r := &Run{Account: a, o: o}
	if o.InPlace {
		r.room = newRoom(o.itemsAtOnce())
	}
	r.workers.New = func() container.Worker { return r.command.NewWorker(r) }
	r.readers.New = func() *input.Reader { return new(input.Reader) }
	r.Containers = &container.Runner{Options: o.containerOptions(), Workers: &r.workers, Account: a, Emit: r.report}
	r.setStreams(s)
	return r, nil
}

// Reset prepares r for another run of the same command with the same options. It keeps the workers.
// Call Reset only after Do has returned.
func (r *Run) Reset(s Streams) {
	r.Account.Reset(s.Out)
	r.setStreams(s)
}

// setStreams sets the streams of r. It also sets the options that depend on Streams.Given.
func (r *Run) setStreams(s Streams) {
	r.streams = s
	given := s.Given != nil
	r.workers.Single = given && r.o.Jobs == 1
	r.readers.Single = r.workers.Single
	r.Containers.Reading = r.readerOptions()
	r.Containers.Shared = given
}

// readerOptions returns the options for opening inputs.
func (r *Run) readerOptions() input.Options {
	o := r.o.Reading
	return input.Options{Kind: o.Kind, MaxSize: int64(o.MaxSize), Stdin: r.streams.In, Given: r.streams.Given,
		Scripts: o.Scripts, Peek: o.Peek, Manifest: o.Manifest}
}

// Reopen opens the input f once more, with a new Reader. The caller must close the document.
func (r *Run) Reopen(ctx context.Context, f input.File) (*input.Document, error) {
	return (&input.Reader{Options: r.readerOptions()}).Open(ctx, f)
}

// report reports an entry. It also adapts the limit of the memory to the memory in use.
func (r *Run) report(e *report.Entry, out io.Writer) {
	r.Account.Report(e, out)
	r.memory.Load().Adapt()
}
