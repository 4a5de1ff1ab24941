package main

import (
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/mbox"
	"absolink/mime/warc"
)

// cutting is the command units.
type cutting struct {
	options
	size flag.Size
	r    *runner
}

func (p *program) unitsCommand() *cobra.Command {
	x := &cutting{size: 64 << 20}
	c := &cobra.Command{
		Use:   "units [INPUT...]",
		Short: "Cut large containers into units of work",
		Long: `Print units, one a line, for --units of extract and base: the path of a file, or of
a part of a mailbox or web archive its path, offset and length in bytes, and number
and line of its first item, separated by tabs. Parts begin and end with messages and
records, and none is larger than --size unless one of these is. What is compressed
as a whole is one unit. In directories what is no document is left out.
` + exitHelp + `130 interrupted.`,
		Example: "  absolink units --size 256M mail/ crawl/ > units\n" +
			"  parallel -k --pipe -N1 absolink extract --units - < units > links.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			return p.cut(c.Context(), x, args)
		},
	}
	x.options.register(c)
	keep(c, "type", "mbox", "include", "exclude", "follow", "jobs", "max-size", "progress", "quiet", "verbose")
	c.Flags().Var(&x.size, "size", "largest unit, in bytes or with K, M, G")
	return c
}

// keep takes all flags but these away from c.
func keep(c *cobra.Command, names ...string) {
	all := c.Flags()
	c.ResetFlags()
	c.Flags().SortFlags = false
	for _, name := range names {
		c.Flags().AddFlag(all.Lookup(name))
	}
}

func (p *program) cut(ctx context.Context, x *cutting, args []string) error {
	if len(args) == 0 {
		return usagef("an input is missing; standard input has no name that a unit could bear")
	}
	for _, a := range args {
		if a == input.Stdin || isURL(a) {
			return usagef("%s cannot be cut into units; a file or a directory is needed", a)
		}
	}
	r, err := p.newRunner(&x.options, args, true)
	if err != nil {
		return err
	}
	x.r, r.whole, r.peek = r, true, true
	return r.run(ctx, args, p.out, x.print)
}

// print prints the units of one input.
func (x *cutting) print(ctx context.Context, _ *worker, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind == input.Other && unread(in, e) {
		return
	}
	e.Outcome = report.Listed
	if !in.Kind.Container() || in.At == nil || in.Coding != coding.None {
		x.line(out, e, unit.Unit{Path: in.Source})
		return
	}
	content, err := in.Mailbox(ctx)
	if err == nil {
		err = x.container(ctx, in, content, out, e)
	}
	if err != nil {
		e.Fail(report.Failed, err)
	}
}

// line prints one unit.
func (x *cutting) line(out io.Writer, e *report.Entry, u unit.Unit) {
	line, err := u.Append(nil)
	if err != nil {
		e.Fail(report.Failed, err)
		return
	}
	out.Write(line)
}

// bound is where an item of a container begins.
type bound struct {
	offset int64
	item   int
	line   int64
}

// container prints the units of a container.
func (x *cutting) container(ctx context.Context, in *input.Document, content io.Reader, out io.Writer, e *report.Entry) error {
	start := bound{item: 1}
	if in.Kind == input.Mbox || plainAt(in.At, 0) {
		start.line = 1
	}
	last := start
	cut := func(to bound) {
		x.line(out, e, unit.Unit{Path: in.Source, Ranged: true, Offset: start.offset, Length: to.offset - start.offset, Item: start.item, Line: start.line})
		start = to
	}
	for b, err := range x.bounds(in, content) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case b.offset-start.offset > int64(x.size) && last.offset > start.offset:
			cut(last)
		}
		if b.offset > last.offset {
			last = b
		}
	}
	cut(bound{offset: in.Size})
	return nil
}

// bounds yields the bounds of the items, and that of the end. Items that share an
// offset, as records in one member, follow each other.
func (x *cutting) bounds(in *input.Document, content io.Reader) iter.Seq2[bound, error] {
	next := x.messages(content)
	if in.Kind == input.WARC {
		next = x.records(content)
	}
	return func(yield func(bound, error) bool) {
		for {
			b, err := next()
			if err == io.EOF {
				yield(bound{offset: in.Size}, nil)
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (x *cutting) messages(content io.Reader) func() (bound, error) {
	r := mbox.NewReader(content, mbox.Options{Variant: x.mbox, Hold: heldMessage})
	return func() (bound, error) {
		m, err := r.Next()
		if err != nil {
			return bound{}, err
		}
		m.Release()
		return bound{m.Offset, m.Number, m.Line}, nil
	}
}

func (x *cutting) records(content io.Reader) func() (bound, error) {
	r := warc.NewReader(content, warc.Options{Limit: int(x.maxSize)})
	return func() (bound, error) {
		rec, err := r.Next()
		if err != nil {
			return bound{}, err
		}
		rec.Release()
		return bound{rec.Offset, rec.Number, rec.Line}, nil
	}
}

// plainAt reports whether a record begins at an offset without being compressed.
func plainAt(r io.ReaderAt, at int64) bool {
	var b [5]byte
	n, _ := r.ReadAt(b[:], at)
	return bytes.EqualFold(b[:n], []byte("WARC/"))
}

// recordAt reports whether something begins at an offset that can be a record, or the
// member that holds one.
func recordAt(r io.ReaderAt, at int64) bool {
	var b [4]byte
	n, _ := r.ReadAt(b[:], at)
	return at == 0 || plainAt(r, at) || coding.Detect(b[:n], "") != coding.None
}
