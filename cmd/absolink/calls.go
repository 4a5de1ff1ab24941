package main

import (
	"context"
	"errors"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/reference"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve"
	"absolink/cmd/absolink/internal/serve/viewer"
	"absolink/cmd/absolink/internal/write"
)

// The service does what the commands do: a request is a command line of which the flags stand
// in the query and the one input is the body. The flags are made and checked by the same
// functions; none is taken that names a file, a journal or something to be retrieved.

// caller is a command whose flags are registered, and may be set.
type caller interface {
	// call checks the flags and returns what does the work.
	call(format record.Format) (serve.Prepared, error)
}

// register adds the flags of a command to c.
func register(command string, c *cobra.Command) caller {
	switch command {
	case "extract":
		x := new(extraction)
		x.register(c)
		return x
	case "base":
		x := new(explanation)
		x.register(c)
		return x
	case "rewrite":
		x := new(rewriting)
		x.register(c)
		return x
	}
	x := resolution{reference.NewFlags()}
	x.Register(c)
	return x
}

// prepareFor returns what prepares commands for bodies of at most so many bytes.
func prepareFor(size flag.Size) serve.Prepare {
	return func(command string, format record.Format, flags url.Values) (serve.Prepared, error) {
		c := &cobra.Command{Use: command}
		x := register(command, c)
		if err := serve.SetFlags(c, flags); err != nil {
			return nil, err
		}
		if o, ok := x.(interface{ bound(flag.Size) }); ok {
			o.bound(size)
		}
		return x.call(format)
	}
}

// bound sets the limits of what a request may ask for.
func (o *options) bound(size flag.Size) { o.run.MaxSize = size }

// ready checks what all commands that read documents have in common.
func (o *options) ready() error {
	o.run.Progress, o.run.Quiet = console.Never, true
	if err := o.check(nil); err != nil {
		return err
	}
	o.run.Jobs = 1 // requests are what goes on at once
	return nil
}

// again is a call of a command that reads documents. It keeps the run and its workers from one
// body to the next.
type again struct {
	o       *options
	run     *run.Run // nil before the first body
	command run.Command
	output  func(io.Writer) io.Writer // nil = the run writes to what it is given
	begin   func(*run.Run) (run.Command, error)
	result  *serve.Result // of the body at hand
}

// again returns a call that does the command that begin returns.
func (o *options) again(begin func(*run.Run) (run.Command, error)) *again {
	return &again{o: o, begin: begin}
}

// Rebase implements serve.Prepared.
func (a *again) Rebase(uri string) error { return a.o.links.Rebase(uri) }

// Do implements serve.Call.
func (a *again) Do(ctx context.Context, b *serve.Body, out io.Writer) (*serve.Result, error) {
	a.result = new(serve.Result)
	if err := a.ready(run.Streams{Given: &b.Given, Out: out, Err: io.Discard}); err != nil {
		return nil, err
	}
	to := out
	if a.output != nil {
		to = a.output(out)
	}
	if err := a.run.Do(ctx, to, a.command); err != nil {
		return nil, err
	}
	a.result.Totals = a.run.Totals
	return a.result, ctx.Err()
}

// ready makes the run, or has it begin anew.
func (a *again) ready(s run.Streams) (err error) {
	if a.run != nil {
		a.run.Reset(s)
		return nil
	}
	options := a.o.run
	options.Told = func(e *report.Entry) { a.result.Add(e) }
	if a.run, err = run.New(s, &options); err != nil {
		return err
	}
	a.command, err = a.begin(a.run)
	return err
}

func (x *extraction) call(format record.Format) (serve.Prepared, error) {
	x.Format = format
	if err := x.Prepare(&x.run, false); err != nil {
		return nil, err
	}
	if err := x.ready(); err != nil {
		return nil, err
	}
	a := x.again(func(*run.Run) (run.Command, error) { return &x.Links, nil })
	a.output = func(out io.Writer) io.Writer {
		out, _ = x.Output(out) // columns, which have an end, are no format of the service
		return out
	}
	return a, nil
}

func (x *explanation) call(format record.Format) (serve.Prepared, error) {
	x.Format = format
	if err := x.ready(); err != nil {
		return nil, err
	}
	return x.again(func(*run.Run) (run.Command, error) { return &x.Bases, nil }), nil
}

func (x *rewriting) call(record.Format) (serve.Prepared, error) {
	if err := x.prepare(nil); err != nil {
		return nil, err
	}
	if err := x.ready(); err != nil {
		return nil, err
	}
	return x.again(func(r *run.Run) (run.Command, error) { return write.Begin(context.Background(), r, &x.write) }), nil
}

// resolution is the command resolve.
type resolution struct{ *reference.Flags }

func (x resolution) call(format record.Format) (serve.Prepared, error) {
	x.Format = format
	if err := x.Check(); err != nil {
		return nil, err
	}
	return x, x.try()
}

// try finds what is wrong with the flags.
func (x resolution) try() error {
	_, err := reference.New(x.Options, io.Discard, console.New(io.Discard, "", console.Never, false))
	return err
}

// Rebase implements serve.Prepared.
func (x resolution) Rebase(uri string) error {
	x.Base = uri
	return x.try()
}

// Do implements serve.Call.
func (x resolution) Do(ctx context.Context, b *serve.Body, out io.Writer) (*serve.Result, error) {
	var pairs []serve.Pair
	var err error
	if b.IsJSON() {
		if pairs, err = serve.Pairs(b.Reader()); err != nil {
			return nil, err
		}
	}
	s, err := reference.New(x.Options, out, console.New(io.Discard, "", console.Never, false))
	if err != nil {
		return nil, err
	}
	if pairs == nil {
		err = s.Lines(ctx, b.Reader())
	} else {
		err = s.Pairs(func(yield func(base, ref string) bool) {
			for _, p := range pairs {
				if ctx.Err() != nil || !yield(p.Base, *p.Ref) {
					return
				}
			}
		})
	}
	return new(serve.Result), errors.Join(err, ctx.Err())
}

// pageOf returns what shows documents to people, on the workers of a server.
func (x *service) pageOf(work func(context.Context, serve.Call, *serve.Body, io.Writer) (*serve.Result, error)) *viewer.Pages {
	return viewer.New(&viewer.Options{MaxSize: int64(x.size), KeepSize: int64(x.keep),
		View: func(ctx context.Context, flags url.Values, b *input.Given, make func(*links.Options) run.Command) error {
			e, c := new(extraction), &cobra.Command{Use: "extract"}
			e.register(c)
			if err := serve.SetFlags(c, serve.Taken("extract", flags)); err != nil {
				return err
			}
			if e.bound(x.size); e.Format == record.Text {
				e.Format = record.JSONL
			}
			if err := e.ready(); err != nil {
				return err
			}
			command := make(&e.links)
			_, err := work(ctx, e.again(func(*run.Run) (run.Command, error) { return command, nil }), &serve.Body{Given: *b}, io.Discard)
			return err
		},
		Rewrite: func(ctx context.Context, flags url.Values, b *input.Given, diff bool, out io.Writer) (string, error) {
			w, c := new(rewriting), &cobra.Command{Use: "rewrite"}
			w.register(c)
			if err := serve.SetFlags(c, serve.Taken("rewrite", flags)); err != nil {
				return "", err
			}
			w.bound(x.size)
			w.write.Diff = diff
			call, err := w.call(record.Text)
			if err != nil {
				return "", err
			}
			result, err := work(ctx, call, &serve.Body{Given: *b}, out)
			if err != nil {
				return "", err
			}
			return result.Reason, nil
		}})
}
