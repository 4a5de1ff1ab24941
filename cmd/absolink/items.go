package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/mbox"
	"absolink/mime/warc"
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

// item is one message of a mailbox or one record of a web archive.
type item struct {
	holder interface{ Release() } // what holds its memory
	held   int64                  // bytes of it
	end    int64                  // where the next item begins in the container
	doc    *input.Document        // its content; nil for a record that holds no document
	entry  *report.Entry          // Inner is "" for what stands before the first item and is none
	open   func(*worker, *item)   // if not nil, sets doc, which may be the worker's, and entry, before the work

	msg   *mbox.Message // of a mailbox
	edits []mime.Edit   // of the content of msg
	shown []byte        // what --dry-run or --diff prints of it

	record *warc.Record // of a web archive
	shares bool         // it begins at the offset of the one before
}

// itemWork handles one item, on any goroutine; itemDone gets it when all items before
// it are done, and an error of it ends the container.
type (
	itemWork func(ctx context.Context, w *worker, m *item, out io.Writer)
	itemDone func(m *item) error
)

// container is a mailbox or a web archive on its way through a run.
type container struct {
	r       *runner
	in      *input.Document
	entry   *report.Entry // of the container
	next    func() (*item, error)
	work    itemWork
	done    itemDone
	emit    func(*report.Entry) // takes the account of an item
	links   report.Links        // of all items
	missing int                 // references of all items to parts that are missing
	step    int64               // up to where stored bytes are accounted for
	end     int64               // of the stored bytes
	read    error               // why the container was not read to its end
	room    *room
}

// each takes the items of the container in that next returns through work and done,
// and accounts for them. The error is that of reading, of done, or of ctx.
func (r *runner) each(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry, next func() (*item, error), work itemWork, done itemDone) error {
	b := &container{r: r, in: in, entry: e, next: next, work: work, done: done, room: newRoom(onTheWay), end: in.StoredSize}
	if u := section(in); u != nil {
		b.step, b.end = u.Offset, u.End()
	}
	var err error
	if isSmall(in) {
		b.emit = func(m *report.Entry) { e.Items = append(e.Items, m) }
		err = b.alone(ctx, out)
	} else {
		b.emit = r.emit
		err = b.large(ctx, out)
	}
	if in.StoredSize < 0 {
		e.Bytes = b.step
	}
	r.left(e, &b.links, b.missing)
	return err
}

// isSmall reports whether a container is read by the goroutine that has opened it,
// without waiting for its turn.
func isSmall(in *input.Document) bool {
	size := in.Size
	if u := section(in); u != nil {
		size = min(u.Length, size)
	}
	return in.At != nil && size <= smallContainer
}

// large takes the items of a large container when its turn has come.
func (b *container) large(ctx context.Context, out io.Writer) error {
	batch.Turn(out)
	defer collectEarly()()
	if b.r.o.jobs == 1 {
		return b.alone(ctx, out)
	}
	return b.together(ctx, out)
}

// ballast returns 16 MiB that stay allocated until the process ends. No byte of them is ever
// touched, so none is resident. Only main sets it: it is of the process, and a program
// that calls run again and again collects garbage as it likes.
var ballast func() []byte

// collectEarly makes the garbage collector run at shorter steps until the function that it
// returns is called. Large items come and go, and what they leave would double the memory
// that a container takes. The ballast gives the steps a least length: most items are small,
// and the collector would run all the time. A memory limit instead would make it run all the
// time where one item needs more than the limit.
func collectEarly() (end func()) {
	if ballast == nil {
		return func() {}
	}
	ballast()
	percent := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(percent) }
}

// alone takes the items one by one. The one at hand when ctx ends comes to nothing.
func (b *container) alone(ctx context.Context, out io.Writer) error {
	for m := range b.items() {
		b.handle(ctx, m, out)
		if ctx.Err() != nil {
			m.holder.Release()
			break
		}
		err := b.finish(m)
		m.holder.Release()
		if err != nil {
			return err
		}
	}
	return errors.Join(ctx.Err(), b.read)
}

// together takes them on several goroutines. After an error those that are on
// their way come to nothing.
func (b *container) together(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := batch.Run(ctx, batch.Options{Jobs: b.r.o.jobs}, out, b.bundles(ctx), func(items []*item, out io.Writer) []*item {
		for _, m := range items {
			b.handle(ctx, m, out)
		}
		return items
	}, func(items []*item) {
		for _, m := range items {
			if context.Cause(ctx) == nil {
				if err := b.finish(m); err != nil {
					cancel(err)
				}
			}
			b.release(m)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(err, b.read)
}

// items yields the items.
func (b *container) items() iter.Seq[*item] {
	return func(yield func(*item) bool) {
		for {
			m, err := b.next()
			if err != nil {
				if err != io.EOF {
					b.read = err
				}
				return
			}
			if !yield(m) {
				return
			}
		}
	}
}

// bundles yields the items, many small ones at a time, as there is room for them. One
// that has to wait for room does not keep others from going on.
func (b *container) bundles(ctx context.Context) iter.Seq[[]*item] {
	return func(yield func([]*item) bool) {
		var full []*item
		size := int64(0)
		pass := func() bool {
			items := full
			full, size = nil, 0
			return len(items) == 0 || yield(items)
		}
		for m := range b.items() {
			if !b.room.try(m.held) && !(pass() && b.room.take(ctx, m.held)) {
				m.holder.Release()
				return
			}
			full, size = append(full, m), size+m.held
			if (size >= bundleSize || len(full) == bundleItems) && !pass() {
				return
			}
		}
		pass()
	}
}

// handle does the work of one item. A defect of the program that it brings to
// light costs that item alone.
func (b *container) handle(ctx context.Context, m *item, out io.Writer) {
	began := time.Now()
	defer func() {
		e := m.entry
		if p := recover(); p != nil {
			m.edits = nil
			e.Edits = 0
			e.Fail(report.Failed, fmt.Errorf("internal error, please report it with the %s: %v", e.Inner, p))
		}
		e.Seconds = time.Since(began).Seconds()
	}()
	w := b.r.workers.Get().(*worker)
	if m.open != nil {
		m.open(w, m)
	}
	b.work(ctx, w, m, out)
	b.r.workers.Put(w)
	if b.in.Coding != coding.None {
		m.entry.Unplace()
	}
}

// finish accounts for an item. What is wrong with what stands before the first item is
// the container's own.
func (b *container) finish(m *item) error {
	if err := b.done(m); err != nil {
		return err
	}
	e, to := m.entry, m.end
	if b.in.Coding != coding.None {
		to = b.in.Taken()
	}
	e.Step = to - b.step
	b.step = to
	b.entry.Step = max(b.end-b.step, 0)
	if e.Inner == "" {
		b.entry.Add(e.Problems...)
		return nil
	}
	b.entry.Count(e.Inner)
	b.missing += e.NoPart
	for i, n := range e.Links {
		b.links[i] += n
	}
	b.emit(e)
	return nil
}

// release gives the memory of an item back, and its room.
func (b *container) release(m *item) {
	m.holder.Release()
	b.room.give(m.held)
}

// readItems is each for a container that is only read, by f.
func (r *runner) readItems(ctx context.Context, in *input.Document, out io.Writer, f work, e *report.Entry, next func() (*item, error)) {
	e.Outcome = report.Listed
	err := r.each(ctx, in, out, e, next, func(ctx context.Context, w *worker, m *item, out io.Writer) {
		if m.doc != nil && m.entry.Inner != "" {
			f(ctx, w, m.doc, out, m.entry)
		}
	}, func(*item) error { return nil })
	if err != nil {
		e.Fail(report.Failed, err)
	}
}

// room bounds how many bytes are on their way. One that is larger than all of it
// goes alone.
type room struct {
	most int64
	mu   sync.Mutex
	free sync.Cond // of mu
	used int64
}

func newRoom(most int64) *room {
	r := &room{most: most}
	r.free.L = &r.mu
	return r
}

// try takes room for n bytes if there is some.
func (r *room) try(n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used > 0 && r.used+n > r.most {
		return false
	}
	r.used += n
	return true
}

// take waits until there is room for n bytes. It reports false if ctx ends before.
func (r *room) take(ctx context.Context, n int64) bool {
	stop := context.AfterFunc(ctx, func() { r.mu.Lock(); r.free.Broadcast(); r.mu.Unlock() })
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.used > 0 && r.used+n > r.most {
		if ctx.Err() != nil {
			return false
		}
		r.free.Wait()
	}
	r.used += n
	return true
}

func (r *room) give(n int64) {
	r.mu.Lock()
	r.used -= n
	r.free.Signal()
	r.mu.Unlock()
}
