// Package container runs workers on the items of mailboxes and web archives: message by message,
// record by record.
//
//	runner.List(ctx, in, out, entry) // runs workers on the items of a container that is only read
//
// The goroutine that opens a small container also works on its items. A large container waits until
// all inputs before it are done. Then several goroutines work on its items. Items are reported in
// their order. So the output depends neither on the number of goroutines nor on the size of the
// container.
//
// Files in reading order: item.go (items, and their units), runner.go, mailbox.go (messages),
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

// Items go from the reading goroutine to the other goroutines in bundles, because handing over a
// small item takes as much time as the work on it. The bytes of all items in flight are bounded.
const (
	smallContainer = 1 << 20  // size limit in bytes of a container that one goroutine works on
	maxInFlight    = 4 << 20  // limit of the bytes of the items in flight
	bundleSize     = 64 << 10 // a bundle with this number of bytes or more is full
	maxBundleItems = 256
)

// walk is the state of Each: a Runner goes through the items of one container.
type walk struct {
	runner    *Runner
	in        *input.Document
	entry     *report.Entry // entry of the container
	items     Items
	done      func(Item) error  // called with each finished item; may be nil
	small     bool              // the result of IsSmall
	links     report.Unresolved // unresolved links of all finished items
	accounted int64             // offset up to which finished items have counted the stored bytes as progress
	end       int64             // end offset of the stored bytes that are read
	memory    *batch.Memory     // nil if the memory is not bounded
	out       io.Writer
}

// Each runs workers on all items of in, a container, and reports the entry of each item. done is
// called with each finished item, in the order of the items; it may be nil. Each stops at the first
// error of done, of reading, or of ctx, and returns it.
func (rn *Runner) Each(ctx context.Context, in *input.Document, items Items,
	out io.Writer, e *report.Entry, done func(Item) error) error {
	w := &walk{runner: rn, in: in, entry: e, items: items, done: done, small: IsSmall(in), out: out, end: in.StoredSize}
	if u := in.Range(); u != nil {
		w.accounted = u.Offset
		w.end = u.End()
	}
	var err error
	if w.small {
		err = w.workOneByOne(ctx)
	} else {
		err = w.workInTurn(ctx)
	}
	if in.StoredSize < 0 {
		e.Subject.Bytes = w.accounted
	}
	rn.Account.NoteUnresolved(e, w.links)
	return err
}

// IsSmall reports whether in is a small container: the goroutine that opens it also works on its
// items. A container without a ReaderAt counts as large. A large container is read only after all
// inputs before it are done.
func IsSmall(in *input.Document) bool {
	size := in.Size
	if u := in.Range(); u != nil {
		size = min(u.Length, size)
	}
	return in.At != nil && size <= smallContainer
}

// workInTurn waits until all inputs before the container are done, and then works on its items.
// Without Runner.Shared it also bounds the memory of the process.
func (w *walk) workInTurn(ctx context.Context) error {
	batch.AwaitTurn(w.out)
	if !w.runner.Shared {
		w.memory = batch.BoundMemory(w.runner.Jobs, 0)
		defer w.memory.Remove()
	}
	if w.runner.Jobs == 1 {
		return w.workOneByOne(ctx)
	}
	if r, ok := w.items.(*records); ok {
		r.readAhead(w.runner.Jobs)
		defer r.stop()
	}
	return w.workConcurrently(ctx)
}

// workOneByOne works on one item after the other. When ctx is done, it drops the current item.
func (w *walk) workOneByOne(ctx context.Context) error {
	var size int64 // bytes of the items since the last Memory.Adapt
	for {
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
			w.memory.Adapt()
			size = 0
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// bundle is a group of items, with their share of the semaphore.
type bundle struct {
	items  []Item
	size   int64 // bytes of memory
	weight int64 // share of the semaphore
}

// workConcurrently works on the items with several goroutines. After an error, it drops the items
// in flight.
func (w *walk) workConcurrently(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	inFlight := semaphore.NewWeighted(maxInFlight)
	work := func(b bundle, out io.Writer) bundle {
		for _, item := range b.items {
			w.work(ctx, item, out)
		}
		return b
	}
	finish := func(b bundle) {
		for _, item := range b.items {
			if context.Cause(ctx) == nil {
				if err := w.finish(item); err != nil {
					cancel(err)
				}
			}
			item.Release()
		}
		inFlight.Release(b.weight)
		w.memory.Adapt()
	}
	var readErr error
	bundles := w.bundles(ctx, inFlight, &readErr)
	err := batch.Run(ctx, batch.Options{Jobs: w.runner.Jobs}, w.out, bundles, work, finish)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(err, readErr)
}

// bundles yields all items in bundles of several items. It waits while the next item would exceed
// maxInFlight bytes in flight. An item of maxInFlight bytes or more waits until no other item is in
// flight. bundles sets readErr to the error of reading.
func (w *walk) bundles(ctx context.Context, inFlight *semaphore.Weighted, readErr *error) iter.Seq[bundle] {
	return func(yield func(bundle) bool) {
		var b bundle
		yieldBundle := func() bool {
			full := b
			b = bundle{}
			return len(full.items) == 0 || yield(full)
		}
		for {
			item, err := w.items.Next()
			if err != nil {
				if err != io.EOF {
					*readErr = err
				}
				break
			}
			size := item.Held()
			weight := min(size, maxInFlight)
			if !inFlight.TryAcquire(weight) {
				// The items of b have a share of the semaphore: yield them before the wait.
				if !yieldBundle() || inFlight.Acquire(ctx, weight) != nil {
					item.Release()
					return
				}
			}
			b.items = append(b.items, item)
			b.size += size
			b.weight += weight
			if b.size >= bundleSize || len(b.items) == maxBundleItems {
				if !yieldBundle() {
					return
				}
			}
		}
		yieldBundle()
	}
}

// work works on one item. If the program panics, only this item fails, and its worker is not used
// again.
func (w *walk) work(ctx context.Context, item Item, out io.Writer) {
	began := time.Now()
	defer func() {
		e := item.Report()
		if p := recover(); p != nil {
			e.Edits.Links = 0
			e.Result.FailForGood(fmt.Errorf("internal error, please report it with the %s: %v", e.Subject.Inner, p))
		}
		e.Seconds = time.Since(began).Seconds()
	}()
	worker := w.runner.Workers.Take()
	item.Work(ctx, worker, out)
	w.runner.Workers.Put(worker)
	if w.in.Coding != coding.None {
		item.Report().Problems.RemovePositions()
	}
}

// finish calls done, adds the entry of the item to the entry of the container, and reports it. The
// entry must not be used afterwards.
func (w *walk) finish(item Item) error {
	if w.done != nil {
		if err := w.done(item); err != nil {
			return err
		}
	}
	e := item.Report()
	w.setProgress(e, item.EndOffset())
	if e.Subject.Inner == "" { // text before the first item, whose problems are problems of the container
		w.entry.Problems.Join(&e.Problems)
		return nil
	}
	w.entry.Items.Count(e.Subject.Inner)
	w.links.Add(e.Links.Unresolved().In(e.Subject.ItemName(), w.in.Coding == coding.None))
	if w.small { // the item is reported together with the container
		w.entry.Items.Unreported = append(w.entry.Items.Unreported, e)
		return nil
	}
	w.runner.Emit(e, w.out)
	spareEntries.Put(e)
	return nil
}

// setProgress sets Entry.Progress in e, the entry of an item that ends at the offset end, and in
// the entry of the container.
func (w *walk) setProgress(e *report.Entry, end int64) {
	if w.in.Coding != coding.None {
		end = w.in.StoredRead() // end counts decoded bytes, but Progress counts stored bytes
	}
	e.Progress = end - w.accounted
	w.accounted = end
	w.entry.Progress = max(w.end-end, 0)
}
