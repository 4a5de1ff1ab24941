// Package container runs workers on the items of mailboxes and web archives: message by message,
// record by record.
//
//	loop.List(ctx, in, out, entry) // runs workers on the items of a container that is only read
//
// The goroutine that opens a small container also works on its items. A large container waits until
// all inputs before it are done. Then several goroutines work on its items, which are reported in
// their order. So the output depends neither on the number of goroutines nor on the size of the
// container.
//
// Files in reading order: item.go (items, and their units), loop.go, mailbox.go (messages),
// archive.go (records), starts.go (the offsets of records in an archive), container.go (the walk
// through a container), list.go (the containers of a command that only reads).
package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"golang.org/x/sync/semaphore"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Items pass from one goroutine to the next in bundles: passing a small item takes as much time as
// the work on it. The bytes of all items in flight are bounded.
const (
	smallContainer = 1 << 20
	mostHeld       = 4 << 20  // bytes of the items in flight
	bundleSize     = 64 << 10 // a bundle with so many bytes is full
	bundleItems    = 256
)

// walk is the walk of a loop through a container.
type walk struct {
	loop   *Loop
	in     *input.Document
	entry  *report.Entry // of the container
	items  Items
	done   func(Item) error // nil if there is nothing to do
	small  bool
	links  report.Unresolved // of all items
	step   int64             // the stored bytes before this offset are reported
	end    int64             // end of the stored bytes
	memory *batch.Memory     // nil if the memory is not bounded
	out    io.Writer
}

// Each runs workers on all items of the container in, and reports their entries. It calls done,
// unless done is nil, with each item that was worked on, in the order of the items. An error of
// done ends the walk. Each returns the error of done, of reading, or of ctx.
func (l *Loop) Each(ctx context.Context, in *input.Document, items Items,
	out io.Writer, e *report.Entry, done func(Item) error) error {
	w := &walk{loop: l, in: in, entry: e, items: items, done: done, small: IsSmall(in), out: out, end: in.StoredSize}
	if u := in.Range(); u != nil {
		w.step = u.Offset
		w.end = u.End()
	}
	var err error
	if w.small {
		err = w.sequentially(ctx)
	} else {
		err = w.large(ctx)
	}
	if in.StoredSize < 0 {
		e.Subject.Bytes = w.step
	}
	l.Account.NoteUnresolved(e, w.links)
	return err
}

// IsSmall reports whether the goroutine that opens a container also reads it, without waiting for a
// turn.
func IsSmall(in *input.Document) bool {
	size := in.Size
	if u := in.Range(); u != nil {
		size = min(u.Length, size)
	}
	return in.At != nil && size <= smallContainer
}

// large works on the items of a large container when the container has its turn.
func (w *walk) large(ctx context.Context) error {
	batch.Turn(w.out)
	if !w.loop.Shared {
		w.memory = batch.BoundMemory(w.loop.Jobs, 0)
		defer w.memory.End()
	}
	if w.loop.Jobs == 1 {
		return w.sequentially(ctx)
	}
	if r, ok := w.items.(*records); ok {
		r.readAhead(w.loop.Jobs)
		defer r.stop()
	}
	return w.concurrently(ctx)
}

// sequentially works on the items one by one. When ctx ends, it drops the current item.
func (w *walk) sequentially(ctx context.Context) error {
	for size := int64(0); ; {
		item, err := w.items.Next()
		switch {
		case err == io.EOF:
			return ctx.Err()
		case err != nil:
			return errors.Join(ctx.Err(), err)
		}
		w.work(ctx, item, w.out)
		if ctx.Err() == nil {
			err = w.finish(item)
		}
		size += item.Held()
		item.Release()
		if size > bundleSize {
			w.memory.Follow()
			size = 0
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// bundle is a group of items, with their share of the semaphore.
type bundle struct {
	items []Item
	size  int64 // bytes of memory
	held  int64 // of the semaphore
}

// concurrently works on the items with several goroutines. After an error, it drops the items in
// flight.
func (w *walk) concurrently(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var failed error // the error of reading
	held := semaphore.NewWeighted(mostHeld)
	err := batch.Run(ctx, batch.Options{Jobs: w.loop.Jobs}, w.out,
		w.bundles(ctx, held, &failed), func(b bundle, out io.Writer) bundle {
			for _, item := range b.items {
				w.work(ctx, item, out)
			}
			return b
		}, func(b bundle) {
			for _, item := range b.items {
				if context.Cause(ctx) == nil {
					if err := w.finish(item); err != nil {
						cancel(err)
					}
				}
				item.Release()
			}
			held.Release(b.held)
			w.memory.Follow()
		})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(err, failed)
}

// bundles yields the items, many small ones at a time, while less than mostHeld bytes are in
// flight. A larger item waits until it is alone. The items before a waiting item are yielded first.
// bundles sets failed to the error of reading.
func (w *walk) bundles(ctx context.Context, held *semaphore.Weighted, failed *error) iter.Seq[bundle] {
	return func(yield func(bundle) bool) {
		var b bundle
		pass := func() bool {
			full := b
			b = bundle{}
			return len(full.items) == 0 || yield(full)
		}
		for {
			item, err := w.items.Next()
			if err != nil {
				if err != io.EOF {
					*failed = err
				}
				break
			}
			size := item.Held()
			weight := min(size, mostHeld)
			if !held.TryAcquire(weight) && !(pass() && held.Acquire(ctx, weight) == nil) {
				item.Release()
				return
			}
			b = bundle{append(b.items, item), b.size + size, b.held + weight}
			if (b.size >= bundleSize || len(b.items) == bundleItems) && !pass() {
				return
			}
		}
		pass()
	}
}

// work works on one item. If the program panics, only this item fails, and its worker is not used
// again.
func (w *walk) work(ctx context.Context, item Item, out io.Writer) {
	began := time.Now()
	defer func() {
		e := item.Account()
		if p := recover(); p != nil {
			e.Edits.N = 0
			e.Result.FailForGood(fmt.Errorf("internal error, please report it with the %s: %v", e.Subject.Inner, p))
		}
		e.Seconds = time.Since(began).Seconds()
	}()
	worker := w.loop.Workers.Take()
	item.Work(ctx, worker, out)
	w.loop.Workers.Put(worker)
	if w.in.Coding != coding.None {
		item.Account().Problems.Unplace()
	}
}

// finish adds the entry of an item to the entry of the container, and reports it. The entry must
// not be used after that. A problem in the text before the first item is a problem of the
// container.
func (w *walk) finish(item Item) error {
	if w.done != nil {
		if err := w.done(item); err != nil {
			return err
		}
	}
	e, until := item.Account(), item.Until()
	if w.in.Coding != coding.None {
		until = w.in.Taken()
	}
	e.Step = until - w.step
	w.step = until
	w.entry.Step = max(w.end-w.step, 0)
	if e.Subject.Inner == "" {
		w.entry.Problems.Join(&e.Problems)
		return nil
	}
	w.entry.Items.Count(e.Subject.Inner)
	w.links.Add(e.Links.Unresolved())
	if w.small {
		w.entry.Items.Entries = append(w.entry.Items.Entries, e)
		return nil
	}
	w.loop.Emit(e, w.out)
	spareEntries.Put(e)
	return nil
}
