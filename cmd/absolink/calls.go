package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// documentFlags are those that extract, rewrite and base take in a query.
var documentFlags = strings.Fields(`base default-base force-base rules excess-dots same-scheme mime-base http-base
	no-inherit-across-messages file-base type mbox charset max-depth trust-base
	lazy scripts comments bare-hosts html5-objects kind element attribute scheme status host rel match no-match same-host select
	absolutize-fragments`)

// serviceFlags are those that each command takes in a query.
var serviceFlags = map[string][]string{
	"extract": append(slices.Clone(documentFlags), "fields", "unique", "pages", "context"),
	"base":    documentFlags,
	"rewrite": append(slices.Clone(documentFlags), "normalize", "base-element", "map", "map-regex", "unwayback", "to", "keep", "any-depth", "dkim", "break-signatures", "verify"),
	"resolve": strings.Fields("base rules document excess-dots same-scheme escape"),
}

// repeatable are the kinds of flags that may be given several times.
var repeatable = []string{"LIST", "func"}

// flagsOf returns the flags of the commands for the description of the service.
func flagsOf() map[string][]serve.Flag {
	all := make(map[string][]serve.Flag)
	for command, names := range serviceFlags {
		c := new(cobra.Command)
		register(command, c)
		flag.Group(c)
		for _, name := range names {
			f := c.Flags().Lookup(name)
			all[command] = append(all[command], serve.Flag{Name: name, Usage: f.Usage, Type: typeOf(f), Values: flag.Values(f), Repeats: slices.Contains(repeatable, f.Value.Type())})
		}
	}
	return all
}

// typeOf returns the type that JSON has for the value of a flag.
func typeOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "boolean"
	case "int":
		return "integer"
	}
	return "string"
}

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
		if err := setFlags(c, serviceFlags[command], flags); err != nil {
			return nil, err
		}
		if o, ok := x.(interface{ bound(flag.Size) }); ok {
			o.bound(size)
		}
		return x.call(format)
	}
}

// setFlags sets the flags of c by the parameters of a query, of which it takes those names.
func setFlags(c *cobra.Command, names []string, params url.Values) error {
	fs := c.Flags()
	for name, values := range params {
		if !slices.Contains(names, name) {
			hint := "/v1/openapi.json names all"
			if near := flag.Nearest(name, slices.Values(names)); near != "" {
				hint = "did you mean " + near + "?"
			}
			return usagef("--%.100s is no parameter of %s; %s", name, c.Name(), hint)
		}
		f := fs.Lookup(name)
		if len(values) > 1 && !slices.Contains(repeatable, f.Value.Type()) {
			return usagef("--%s is given %d times, and only one can count", name, len(values))
		}
		for _, v := range values {
			if v == "" && f.Value.Type() == "bool" {
				v = "true"
			}
			if err := fs.Set(name, v); err != nil {
				return usagef("--%s %.200q: %v", name, v, wrong(err))
			}
		}
	}
	return flag.CheckEmpty(c)
}

// wrong returns what is wrong with the value of a flag, without the value.
func wrong(err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalid.Unwrap()
	}
	return err
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
	x.format = format
	layout, err := x.layout(false)
	if err != nil {
		return nil, err
	}
	if err := x.ready(); err != nil {
		return nil, err
	}
	command := x.lister(layout)
	a := x.again(func(*run.Run) (run.Command, error) { return command, nil })
	a.output = command.Output
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
	if err := x.prepare(nil, false); err != nil {
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
	var pairs []pair
	var err error
	if isJSON(b.Type) {
		if pairs, err = pairsOf(b.Reader()); err != nil {
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

// isJSON reports whether a Content-Type says that lines are JSON.
func isJSON(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	return slices.Contains([]string{"application/jsonl", "application/x-ndjson", "application/json-lines", "application/json"}, strings.ToLower(strings.TrimSpace(media)))
}

// pair is a line of JSON for resolve.
type pair struct {
	Base string
	Ref  *string
}

// pairsOf reads all lines before one is answered, so that a bad one is told by its offset.
func pairsOf(in io.Reader) ([]pair, error) {
	list, d := []pair{}, json.NewDecoder(bufio.NewReader(in))
	for {
		at := d.InputOffset()
		var p pair
		err := d.Decode(&p)
		switch {
		case err == io.EOF:
			return list, nil
		case err == nil && p.Ref == nil:
			err = errors.New(`"ref" is missing`)
		}
		if err != nil {
			return nil, &serve.Problem{Status: http.StatusBadRequest, Offset: &at, Detail: `a line is no {"base","ref"}: ` + err.Error()}
		}
		list = append(list, p)
	}
}

// pageOf returns what shows documents to people, on the workers of a server.
func (x *service) pageOf(work func(context.Context, serve.Call, *serve.Body, io.Writer) (*serve.Result, error)) *viewer.Pages {
	return viewer.New(&viewer.Options{MaxSize: int64(x.size), KeepSize: int64(x.keep),
		View: func(ctx context.Context, flags url.Values, b *input.Given, make func(*links.Options) run.Command) error {
			e, c := new(extraction), &cobra.Command{Use: "extract"}
			e.register(c)
			if err := setFlags(c, serviceFlags["extract"], taken("extract", flags)); err != nil {
				return err
			}
			if e.bound(x.size); e.format == record.Text {
				e.format = record.JSONL
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
			if err := setFlags(c, serviceFlags["rewrite"], taken("rewrite", flags)); err != nil {
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

// taken returns those of the flags of a page that a command takes.
func taken(command string, flags url.Values) url.Values {
	own := make(url.Values)
	for name, values := range flags {
		if slices.Contains(serviceFlags[command], name) {
			own[name] = values
		}
	}
	return own
}
