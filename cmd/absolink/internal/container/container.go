// Package container takes the items of mailboxes and web archives to workers: message by message,
// record by record.
//
//	loop.List(ctx, in, out, entry) // has workers take the items of a container that is only read
//
// A small container is the work of the goroutine that has opened it, like any other input. A large
// one waits until all inputs before it are done. Then several goroutines work on its items, which
// are accounted for in their order. So the output depends neither on the number of goroutines nor
// on the size of the container.
//
// Files in reading order: item.go (items, and their units), loop.go, mailbox.go (messages),
// archive.go (records), starts.go (where records of an archive begin), container.go (a container on
// its way), list.go (the containers of a command that only reads).
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

// Items go from one goroutine to the next in bundles, since that takes as much time as the work of
// a small item does. The bytes of items on their way are bounded.
const (
	smallContainer = 1 << 20
	mostHeld       = 4 << 20  // bytes of items on their way
	bundleSize     = 64 << 10 // bytes from which a bundle is full
	bundleItems    = 256
)

// walk is a container on its way through a loop.
type walk struct {
	loop   *Loop
	in     *input.Document
	entry  *report.Entry // of the container
	items  Items
	done   func(Item) error // nil = nothing is done
	small  bool
	links  report.Unresolved // of all items
	step   int64             // stored bytes up to here are accounted for
	end    int64             // of the stored bytes
	memory *batch.Memory     // nil = not bounded
	out    io.Writer
}

// Each has workers take all items of the container in, and tells their entries. done, unless it is
// nil, is called with each item after the work on it, when all items before it are done; its error
// ends the container. The error is that of done, of reading, or of ctx.
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

// IsSmall reports whether a container is read by the goroutine that has opened it, without waiting
// for its turn.
func IsSmall(in *input.Document) bool {
	size := in.Size
	if u := in.Range(); u != nil {
		size = min(u.Length, size)
	}
	return in.At != nil && size <= smallContainer
}

// large takes the items of a large container when its turn has come.
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

// sequentially takes the items one by one. The item at hand when ctx ends comes to nothing.
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

// bundle is some items, with the bytes of the semaphore that they hold.
type bundle struct {
	items []Item
	size  int64 // bytes of memory
	held  int64 // of the semaphore
}

// concurrently takes the items on several goroutines. After an error, the items on their way come
// to nothing.
func (w *walk) concurrently(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var failed error // of reading
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

// bundles yields the items, many small ones at a time, as long as fewer than mostHeld bytes are on
// their way. A larger item goes alone. An item that has to wait does not hold back the items before
// it. bundles sets failed to the error of reading.
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

// work does the work of one item. A defect of the program that it brings to light costs that item
// alone, and its worker is not used again.
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

// finish accounts for an item: it adds its entry to that of the container, and tells it. The entry
// must not be used after that. Problems of text before the first item are the container's own.
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
