package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// A container, that is a mailbox or a web archive, goes through a run item by item:
// message by message, or record by record. A small one is the work of the goroutine
// that has opened it, like any other input. A large one waits until all inputs
// before it are done, and then its items are read in their order, worked on by as
// many goroutines as --jobs says, and accounted for in their order again, so that the
// output depends neither on their number nor on the size of the container. They go
// from one goroutine to the next in bundles, since that takes as much time as the work
// of a small item does. How many bytes of items are on their way is bounded.
const (
	smallContainer = 1 << 20
	onTheWay       = 4 << 20
	bundleSize     = 64 << 10 // bytes from which on a bundle is full
	bundleItems    = 256
)

// Item is one message of a mailbox or one record of a web archive on its way through a run.
type Item interface {
	// Work opens the item and has w do the work, on any goroutine.
	Work(ctx context.Context, w Worker, out io.Writer)
	// Account is that of the item, once Work has begun. Its Inner is "" for what stands before
	// the first item and is none.
	Account() *report.Entry
	Held() int64  // bytes of memory, up to Release
	Until() int64 // offset in the container at which the next item begins
	Release()
}

// Items are the items of a container.
type Items interface {
	// Next returns the items in their order, and io.EOF behind the last one. Any other error is
	// that of reading; it is not called again then.
	Next() (Item, error)
}

// container is a mailbox or a web archive on its way through a run.
type container struct {
	r      *Run
	in     *input.Document
	entry  *report.Entry // of the container
	items  Items
	small  bool
	links  report.Unresolved // of all items
	step   int64             // up to where stored bytes are accounted for
	end    int64             // of the stored bytes
	read   error             // why the container was not read to its end
	room   *room
	memory *memory // nil = not bounded
	out    io.Writer
}

// Each has the work of all items of the container in done, and accounts for them. done, unless it
// is nil, is called with each item that was worked on when all before it are done; its error ends
// the container. The error is that of done, of reading, or of ctx.
func (r *Run) Each(ctx context.Context, in *input.Document, items Items,
	out io.Writer, e *report.Entry, done func(Item) error) error {
	c := &container{r: r, in: in, entry: e, items: items, small: IsSmall(in),
		room: newRoom(onTheWay), out: out, end: in.StoredSize}
	if u := in.Range(); u != nil {
		c.step = u.Offset
		c.end = u.End()
	}
	var err error
	if c.small {
		err = c.alone(ctx, done)
	} else {
		err = c.large(ctx, done)
	}
	if in.StoredSize < 0 {
		e.Subject.Bytes = c.step
	}
	r.NoteUnresolved(e, c.links)
	return err
}

// Items has workers take the items of a container that is only read.
func (r *Run) Items(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	e.Result.Set(report.Listed)
	if in.Kind == input.WACZ {
		r.archives(ctx, in, out, e)
		return
	}
	content, err := in.Stream(ctx)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	defer content.Close()
	if in.Kind == input.WARC {
		err = r.Each(ctx, in, r.records(in, content), out, e, nil)
	} else {
		err = r.Each(ctx, in, r.Messages(in, content, nil), out, e, nil)
	}
	if err != nil {
		e.Result.Fail(err)
	}
	if in.Kind == input.Mbox {
		e.Problems.NoteChange(in)
	}
}

// IsSmall reports whether a container is read by the goroutine that has opened it,
// without waiting for its turn.
func IsSmall(in *input.Document) bool {
	size := in.Size
	if u := in.Range(); u != nil {
		size = min(u.Length, size)
	}
	return in.At != nil && size <= smallContainer
}

// large takes the items of a large container when its turn has come.
func (c *container) large(ctx context.Context, done func(Item) error) error {
	batch.Turn(c.out)
	if c.r.streams.Given == nil { // else others are at work in the process
		c.memory = boundMemory(c.r.o.jobs(), 0)
		defer c.memory.end()
	}
	if c.r.o.jobs() == 1 {
		return c.alone(ctx, done)
	}
	if c.inMembers() {
		a := c.ahead(ctx)
		defer a.close()
		c.items = a
	}
	return c.together(ctx, done)
}

// alone takes the items one by one. The one at hand when ctx ends comes to nothing.
func (c *container) alone(ctx context.Context, done func(Item) error) error {
	for size := int64(0); ; {
		m, err := c.items.Next()
		switch {
		case err == io.EOF:
			return ctx.Err()
		case err != nil:
			return errors.Join(ctx.Err(), err)
		}
		c.work(ctx, m, c.out)
		if ctx.Err() == nil {
			err = c.finish(m, done)
		}
		size += m.Held()
		m.Release()
		if size > bundleSize {
			c.memory.follow()
			size = 0
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// together takes them on several goroutines. After an error those that are on
// their way come to nothing.
func (c *container) together(ctx context.Context, done func(Item) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := batch.Run(ctx, batch.Options{Jobs: c.r.o.jobs()}, c.out,
		c.bundles(ctx), func(bundle []Item, out io.Writer) []Item {
			for _, m := range bundle {
				c.work(ctx, m, out)
			}
			return bundle
		}, func(bundle []Item) {
			for _, m := range bundle {
				if context.Cause(ctx) == nil {
					if err := c.finish(m, done); err != nil {
						cancel(err)
					}
				}
				size := m.Held()
				m.Release()
				c.room.give(size)
			}
			c.memory.follow()
		})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(err, c.read)
}

// bundles yields the items, many small ones at a time, as there is room for them. One
// that has to wait for room does not keep others from going on.
func (c *container) bundles(ctx context.Context) iter.Seq[[]Item] {
	return func(yield func([]Item) bool) {
		var full []Item
		size := int64(0)
		pass := func() bool {
			bundle := full
			full, size = nil, 0
			return len(bundle) == 0 || yield(bundle)
		}
		for {
			m, err := c.items.Next()
			if err != nil {
				if err != io.EOF {
					c.read = err
				}
				break
			}
			if !c.room.try(m.Held()) && !(pass() && c.room.take(ctx, m.Held())) {
				m.Release()
				return
			}
			full, size = append(full, m), size+m.Held()
			if (size >= bundleSize || len(full) == bundleItems) && !pass() {
				return
			}
		}
		pass()
	}
}

// work does the work of one item. A defect of the program that it brings to light costs
// that item alone, and its worker is not used again.
func (c *container) work(ctx context.Context, m Item, out io.Writer) {
	began := time.Now()
	defer func() {
		e := m.Account()
		if p := recover(); p != nil {
			e.Edits.N = 0
			e.Result.FailForGood(fmt.Errorf("internal error, please report it with the %s: %v", e.Subject.Inner, p))
		}
		e.Seconds = time.Since(began).Seconds()
	}()
	h := c.r.hand()
	m.Work(ctx, h.Worker, out)
	c.r.done(h)
	if c.in.Coding != coding.None {
		m.Account().Problems.Unplace()
	}
}

// finish accounts for an item. What is wrong with what stands before the first item is
// the container's own.
func (c *container) finish(m Item, done func(Item) error) error {
	if done != nil {
		if err := done(m); err != nil {
			return err
		}
	}
	c.account(m.Account(), m.Until())
	return nil
}

// spareEntries are accounts of items that have been told, whose memory others take.
var spareEntries = sync.Pool{New: func() any { return new(report.Entry) }}

func newEntry(s report.Subject) *report.Entry {
	e := spareEntries.Get().(*report.Entry)
	*e = report.Entry{Subject: s}
	return e
}

// account adds the account of an item, which ends at an offset, to that of the container, and
// tells it. It must not be used after that.
func (c *container) account(e *report.Entry, to int64) {
	if c.in.Coding != coding.None {
		to = c.in.Taken()
	}
	e.Step = to - c.step
	c.step = to
	c.entry.Step = max(c.end-c.step, 0)
	if e.Subject.Inner == "" {
		c.entry.Problems.Join(&e.Problems)
		return
	}
	c.entry.Items.Count(e.Subject.Inner)
	c.links.Add(e.Links.Unresolved())
	if c.small {
		c.entry.Items.Entries = append(c.entry.Items.Entries, e)
		return
	}
	c.r.Emit(e, c.out)
	spareEntries.Put(e)
}
