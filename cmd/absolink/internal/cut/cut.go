// Package cut prints the units of work of containers, one a line: parts of mailboxes and web
// archives that begin and end at messages and records, and whole files that cannot be cut.
package cut

import (
	"context"
	"io"
	"iter"
	"path/filepath"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/mbox"
	"absolink/mime/warc"
)

// Cutter is a run.Command, and its worker, that prints units.
type Cutter struct {
	Size    flag.Size // largest unit, in bytes, unless one item is larger
	MaxSize flag.Size // largest record that is held in memory, in bytes
	Mbox    mbox.Variant

	Absolute bool // units have absolute paths
	Blind    bool // files are cut by their sizes alone
}

// NewWorker returns c, which may work on any number of inputs at once.
func (c *Cutter) NewWorker(*run.Run) container.Worker { return c }

// Unmatched returns nil: a Cutter has no filters.
func (c *Cutter) Unmatched() []string { return nil }

// Work prints the units of one input.
func (c *Cutter) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind == input.Other && e.SkipUnread(in) {
		return
	}
	e.Result.SetOutcome(report.Listed)
	path, err := c.path(in.Source)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	if in.Kind == input.WACZ {
		c.archives(ctx, in, out, e)
		return
	}
	c.file(ctx, in, path, out, e)
}

// archives prints the units of the web archives in a WACZ.
func (c *Cutter) archives(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	r := &input.Reader{Options: input.Options{MaxSize: int64(c.MaxSize), Peek: true}}
	for _, name := range e.ListArchives(in) {
		sub, err := r.OpenArchive(ctx, in, name)
		if err != nil {
			e.Problems.Add(report.Problem{Offset: -1, Text: name + ": " + err.Error()})
			continue
		}
		path, err := c.path(sub.Source)
		if err != nil {
			e.Result.Fail(err)
			return
		}
		c.file(ctx, sub, path, out, e)
		sub.Close()
	}
}

// file prints the units of a file that is not a WACZ.
func (c *Cutter) file(ctx context.Context, in *input.Document, path string, out io.Writer, e *report.Entry) {
	if c.Blind {
		if err := c.blind(in, path, out); err != nil {
			e.Result.Fail(err)
		}
		return
	}
	if !in.Kind.Container() || !in.Addressable() {
		c.line(out, unit.Unit{Path: path})
		return
	}
	content, err := in.Stream(ctx)
	if err == nil {
		err = c.container(ctx, in, path, content, out)
	}
	if err != nil {
		e.Result.Fail(err)
	}
}

// path returns the path of the units of a source.
func (c *Cutter) path(source string) (string, error) {
	if c.Absolute {
		return filepath.Abs(source)
	}
	return source, nil
}

// line prints one unit.
func (c *Cutter) line(out io.Writer, u unit.Unit) { out.Write(u.Append(nil)) }

// bound is the beginning of an item of a container.
type bound struct {
	offset int64
	item   int
	line   int64
}

// container prints the units of a container.
func (c *Cutter) container(ctx context.Context, in *input.Document,
	path string, content io.Reader, out io.Writer) error {
	start := bound{item: 1}
	if in.Kind == input.Mbox || input.IsPlainRecordAt(in.At, 0) {
		start.line = 1
	}
	last := start
	cut := func(to bound) {
		c.line(out, unit.Unit{Path: path, Ranged: true, Offset: start.offset,
			Length: to.offset - start.offset, Item: start.item, Line: start.line})
		start = to
	}
	for b, err := range c.bounds(in, content) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case b.offset-start.offset > int64(c.Size) && last.offset > start.offset:
			cut(last)
		}
		if b.offset > last.offset {
			last = b
		}
	}
	cut(bound{offset: in.Size})
	return nil
}

// bounds yields the bounds of the items, and the end of the container. Items with the same offset,
// such as records in one gzip member, follow each other.
func (c *Cutter) bounds(in *input.Document, content io.Reader) iter.Seq2[bound, error] {
	next := c.messages(content)
	if in.Kind == input.WARC {
		next = c.records(content)
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

func (c *Cutter) messages(content io.Reader) func() (bound, error) {
	r := mbox.NewReader(content, mbox.Options{Variant: c.Mbox, Hold: container.MaxHeldMessage})
	return func() (bound, error) {
		m, err := r.Next()
		if err != nil {
			return bound{}, err
		}
		m.Release()
		return bound{m.Offset, m.Number, m.Line}, nil
	}
}

func (c *Cutter) records(content io.Reader) func() (bound, error) {
	r := warc.NewReader(content, warc.Options{Limit: int(c.MaxSize)})
	var rec warc.Record
	return func() (bound, error) {
		if err := r.Read(&rec); err != nil {
			return bound{}, err
		}
		b := bound{rec.Offset, rec.Number, rec.Line}
		rec.Release()
		return b, nil
	}
}
