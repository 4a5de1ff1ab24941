// Package cut prints units of work, one a line. The units of a mailbox or web archive are parts of
// it that begin and end at messages or records. Any other file is one unit.
package cut

import (
	"cmp"
	"context"
	"io"
	"iter"
	"path/filepath"
	"runtime"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/mbox"
	"absolink/mime/warc"
)

// Cutter prints units. It is a [run.Command] and its worker.
type Cutter struct {
	Size    flag.Size // maximum size of a unit in bytes; only a unit with a single item may be larger
	MaxSize flag.Size // size in bytes of the largest record that is held in memory
	Mbox    mbox.Variant
	Jobs    int // the number of goroutines that read a web archive of gzip members; 0 means one for each processor

	Absolute bool // units have absolute paths
	Blind    bool // files are cut at multiples of Size, without a search for items
}

// NewWorker returns c, which may work on any number of inputs at once.
func (c *Cutter) NewWorker(*run.Run) container.Worker { return c }

// Unmatched returns nil: a Cutter has no filters.
func (c *Cutter) Unmatched() []string { return nil }

// Work prints the units of one input.
func (c *Cutter) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.URL != "" {
		e.Result.SetOutcome(report.Listed)
		c.cutURL(in, out)
		return
	}
	if in.Kind == input.Other && e.SkipUnread(in) {
		return
	}
	e.Result.SetOutcome(report.Listed)
	path, err := c.unitPath(in.Source)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	if in.Kind == input.WACZ {
		c.cutWACZ(ctx, in, out, e)
		return
	}
	c.cutFile(ctx, in, path, out, e)
}

// cutWACZ prints the units of the web archives in a WACZ.
func (c *Cutter) cutWACZ(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	r := &input.Reader{Options: input.Options{MaxSize: int64(c.MaxSize), Peek: true}}
	for _, name := range e.ListArchives(in) {
		archive, err := r.OpenArchive(ctx, in, name)
		if err != nil {
			e.Problems.Add(report.Problem{Offset: -1, Text: name + ": " + err.Error()})
			continue
		}
		path, err := c.unitPath(archive.Source)
		if err == nil {
			c.cutFile(ctx, archive, path, out, e)
		}
		archive.Close()
		if err != nil {
			e.Result.Fail(err)
			return
		}
	}
}

// cutFile prints the units of a file that is not a WACZ. path is the path in the units.
func (c *Cutter) cutFile(ctx context.Context, in *input.Document, path string, out io.Writer, e *report.Entry) {
	if c.Blind {
		if err := c.cutBlind(in, path, out); err != nil {
			e.Result.Fail(err)
		}
		return
	}
	if !in.Kind.Container() || !in.Addressable() {
		printUnit(out, unit.Unit{Path: path})
		return
	}
	content, err := in.Stream(ctx)
	if err == nil {
		err = c.cutContainer(ctx, in, path, content, out)
	}
	if err != nil {
		e.Result.Fail(err)
	}
}

// unitPath returns the path in the units of the input source.
func (c *Cutter) unitPath(source string) (string, error) {
	if c.Absolute {
		return filepath.Abs(source)
	}
	return source, nil
}

// printUnit prints one unit.
func printUnit(out io.Writer, u unit.Unit) { out.Write(u.Append(nil)) }

// bound is the start of an item of a container, or the end of the container.
type bound struct {
	offset int64
	item   int   // number of the item, from 1
	line   int64 // number of its first line, from 1; 0 in compressed containers, which have no lines
}

// cutContainer prints the units of a container.
func (c *Cutter) cutContainer(ctx context.Context, in *input.Document,
	path string, content io.Reader, out io.Writer) error {
	start := bound{item: 1} // of the next unit
	if in.Kind == input.Mbox || input.IsPlainRecordAt(in.At, 0) {
		start.line = 1
	}
	last := start // the last bound at which the next unit may end
	cut := func(end bound) {
		printUnit(out, unit.Unit{Path: path, Ranged: true, Offset: start.offset,
			Length: end.offset - start.offset, Item: start.item, Line: start.line})
		start = end
	}
	for b, err := range c.bounds(in, content, out) {
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

// bounds yields the start of each item, and the end of the container. Several items may have the
// same offset, such as records in one gzip member.
func (c *Cutter) bounds(in *input.Document, content io.Reader, out io.Writer) iter.Seq2[bound, error] {
	return func(yield func(bound, error) bool) {
		next := c.nextMessage(content)
		if in.Kind == input.WARC {
			r := warc.NewReader(content,
				warc.Options{Limit: int(c.MaxSize), OnlyPlaces: true, Ahead: c.readAhead(in, out)})
			defer r.Stop()
			next = nextRecord(r)
		}
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

// readAhead returns the number of goroutines that read ahead in the web archive in. If it is more
// than 1, all inputs before the archive are done, so that only one archive is read ahead at a time.
func (c *Cutter) readAhead(in *input.Document, out io.Writer) int {
	jobs := cmp.Or(c.Jobs, runtime.GOMAXPROCS(0))
	if jobs == 1 || in.URL != "" || container.IsSmall(in) || !startsWithGzip(in.At) {
		return 1
	}
	batch.AwaitTurn(out)
	return container.AheadOf(jobs)
}

// startsWithGzip reports whether a file begins with a gzip member.
func startsWithGzip(file io.ReaderAt) bool {
	var magic [2]byte
	file.ReadAt(magic[:], 0)
	return magic == [2]byte{0x1f, 0x8b}
}

// nextMessage returns a function that returns the start of the next message, or io.EOF.
func (c *Cutter) nextMessage(content io.Reader) func() (bound, error) {
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

// nextRecord returns a function that returns the start of the next record of r, or io.EOF.
func nextRecord(r *warc.Reader) func() (bound, error) {
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
