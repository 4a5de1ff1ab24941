package command

import (
	"context"
	"errors"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/reference"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/write"
)

// The service does the work of the commands. A request is a command line: the flags stand in the
// query, and the only input is the body. The same functions make and check the flags. Flags that
// name a file, a journal or something to retrieve are not accepted.

// caller is a command with registered flags, which may be set.
type caller interface {
	// call checks the flags and returns the prepared work.
	call(format record.Format) (serve.Prepared, error)
}

// Register adds the flags of the command with this name to c: extract, base, rewrite or resolve.
func Register(name string, c *cobra.Command) { register(name, c) }

func register(name string, c *cobra.Command) caller {
	switch name {
	case "extract":
		x := new(Extract)
		x.Register(c)
		return x
	case "base":
		x := new(Base)
		x.Register(c)
		return x
	case "rewrite":
		x := new(Rewrite)
		x.Register(c)
		return x
	}
	x := resolution{reference.NewFlags()}
	x.Register(c)
	return x
}

// PrepareFor returns the function that checks the flags of a request. The body has at most size
// bytes.
func PrepareFor(size flag.Size) serve.Prepare {
	return func(command string, format record.Format, flags url.Values) (serve.Prepared, error) {
		c := &cobra.Command{Use: command}
		x := register(command, c)
		if err := checkExpressions(flags); err != nil {
			return nil, err
		}
		if err := serve.SetFlags(c, flags); err != nil {
			return nil, err
		}
		if o, ok := x.(interface{ bound(flag.Size) }); ok {
			o.bound(size)
		}
		return x.call(format)
	}
}

// bound sets the limits for a request.
func (o *Common) bound(size flag.Size) { o.Run.Reading.MaxSize = size }

// bound sets the limits for a request.
func (x *Rewrite) bound(size flag.Size) {
	x.Common.bound(size)
	sum := 0
	for _, arg := range x.Write.Move.Patterns {
		expr, _, _ := site.SplitPair(arg)
		sum += programSize(expr)
	}
	if sum > 0 {
		x.Write.Move.MaxMatched = maxSteps / sum
	}
}

// ready checks the flags that all commands share.
func (o *Common) ready() error {
	o.Run.Account.Progress, o.Run.Account.Quiet = console.Never, true
	if err := o.Check(nil); err != nil {
		return err
	}
	o.Run.Jobs = 1 // the service runs requests concurrently
	return nil
}

// again is a call of a command that reads documents. It keeps the run and its workers between
// bodies.
type again struct {
	o       *Common
	run     *run.Run // nil before the first body
	command run.Command
	// output returns the writer to which the run must write, and a function that completes the
	// output. It is nil if the run writes to its output directly.
	output func(io.Writer) (w io.Writer, end func() error)
	begin  func(*run.Run) (run.Command, error)
	err    io.Writer     // takes the messages
	result *serve.Result // of the current body
}

// again returns a call of the command that begin returns.
func (o *Common) again(begin func(*run.Run) (run.Command, error)) *again {
	return &again{o: o, begin: begin, err: io.Discard}
}

// SetBase implements serve.Prepared.
func (a *again) SetBase(uri string) error { return a.o.Links.Bases.SetRetrieval(uri) }

// Do implements serve.Call.
func (a *again) Do(ctx context.Context, b *serve.Body, out io.Writer) (*serve.Result, error) {
	return a.do(ctx, &b.Given, out, new(serve.Result))
}

// do is Do for g. It sets and returns result, which must be empty.
func (a *again) do(ctx context.Context, g *input.Given, out io.Writer, result *serve.Result) (*serve.Result, error) {
	a.result = result
	if err := a.ready(run.Streams{Given: g, Out: out, Err: a.err}); err != nil {
		return nil, err
	}
	to := out
	end := func() error { return nil }
	if a.output != nil {
		to, end = a.output(out)
	}
	if err := a.run.Do(ctx, to, a.command); err != nil {
		return nil, err
	}
	if err := end(); err != nil {
		return nil, err
	}
	a.result.Totals = a.run.Account.Totals
	return a.result, ctx.Err()
}

// ready makes the run, or resets it for the next body.
func (a *again) ready(s run.Streams) (err error) {
	if a.run != nil {
		a.run.Reset(s)
		return nil
	}
	options := a.o.Run
	options.Account.OnReport = func(e *report.Entry) { a.result.Add(e) }
	if a.run, err = run.New(s, &options); err != nil {
		return err
	}
	a.command, err = a.begin(a.run)
	return err
}

func (x *Extract) call(format record.Format) (serve.Prepared, error) {
	x.List.Format = format
	if err := x.Prepare(false); err != nil {
		return nil, err
	}
	if err := x.ready(); err != nil {
		return nil, err
	}
	a := x.again(func(*run.Run) (run.Command, error) { return &x.List, nil })
	a.output = x.List.Output
	return a, nil
}

func (x *Base) call(format record.Format) (serve.Prepared, error) {
	x.List.Format = format
	if err := x.ready(); err != nil {
		return nil, err
	}
	return x.again(func(*run.Run) (run.Command, error) { return &x.List, nil }), nil
}

func (x *Rewrite) call(record.Format) (serve.Prepared, error) {
	if err := x.Prepare(nil); err != nil {
		return nil, err
	}
	if err := x.ready(); err != nil {
		return nil, err
	}
	return x.again(func(r *run.Run) (run.Command, error) { return write.Begin(context.Background(), r, &x.Write) }), nil
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

// try returns the error of the flags, if any.
func (x resolution) try() error {
	_, err := reference.New(x.Options, io.Discard, console.New(io.Discard, "", console.Never, false))
	return err
}

// SetBase implements serve.Prepared.
func (x resolution) SetBase(uri string) error {
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
