// Package batch runs one function over many items on several goroutines. All visible results come
// in the order of the items.
//
// The output of an item is held back until all items before it are done. It is held in memory, up
// to a limit. An item that reaches the limit waits for its turn, and from then on writes to the
// output directly. The oldest unfinished item never waits, so the run always moves on. The held
// output is at most the limit times the number of items in flight.
//
// Files in reading order: held.go (the writers of items), batch.go (the order), pool.go (workers),
// memory.go (the bound on the memory of the process).
package batch

import (
	"cmp"
	"context"
	"io"
	"iter"
	"sync"
	"sync/atomic"
)

// Options bound a run. Zero fields have the defaults.
type Options struct {
	Jobs    int // the largest number of worker goroutines; default 1
	MaxHeld int // bytes of output that one item holds back while it waits for its turn; default 256 KiB

	// PerJob is the number of items in flight for each of Jobs, so that a slow item does not stop
	// the others; default 4. An item is in flight from its start until its result is emitted.
	PerJob int
}

const (
	defaultMaxHeld = 256 << 10
	defaultPerJob  = 4
)

// Run calls work for each item, on up to o.Jobs goroutines. It calls emit with each result, one
// after the other, in the order of items. Run writes to out what work has written to w, before it
// emits the result of the item. w must not be used after work has returned.
//
// When ctx is done, Run begins no further item. It still finishes and emits the items that it has
// begun. But from the first unfinished item on it writes nothing to out, because work may have
// stopped early. So out holds the beginning of the output of a whole run.
//
// Run returns the first error of out, or else ctx.Err(). After an error of out it begins no further
// item.
func Run[T, R any](ctx context.Context, o Options, out io.Writer, items iter.Seq[T],
	work func(item T, w io.Writer) R, emit func(R)) error {
	r := newRun[T, R](ctx, o, out)
	defer r.cancel()
	r.dispatch(items, func() { r.work(work, emit) })
	r.workers.Wait()
	if r.out.err != nil {
		return r.out.err
	}
	return ctx.Err()
}

// run is the state of one Run.
type run[T, R any] struct {
	ctx        context.Context
	cancel     context.CancelFunc
	jobs       int
	maxHeld    int
	out        *sink
	workers    sync.WaitGroup
	unfinished atomic.Int64 // number of tasks that were dispatched and are not finished

	slots        chan struct{}    // has an element for each task in flight
	queue        chan *task[T, R] // to the workers
	spareBuffers chan []byte      // buffers of finished tasks

	mu       sync.Mutex
	inFlight []*task[T, R] // in the order of items
	emitting bool          // a worker is emitting tasks
	emitted  int           // number of emitted tasks whose element is still in slots
}

// task is an item with its state and its result.
type task[T, R any] struct {
	item      T
	result    R
	w         taskWriter
	begun     bool // work was called
	done      bool // work has returned, or will not be called
	cancelled bool // ctx was done before done was set, so work may have stopped early
}

func newRun[T, R any](ctx context.Context, o Options, out io.Writer) *run[T, R] {
	r := &run[T, R]{jobs: max(o.Jobs, 1), maxHeld: o.MaxHeld}
	if r.maxHeld <= 0 {
		r.maxHeld = defaultMaxHeld
	}
	flight := r.jobs * cmp.Or(o.PerJob, defaultPerJob)
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.out = &sink{w: out, onError: r.cancel}
	r.slots = make(chan struct{}, flight)
	r.queue = make(chan *task[T, R], flight)
	r.spareBuffers = make(chan []byte, flight)
	return r
}

// dispatch puts every item into the queue, once a slot is free. It starts another worker if there
// are fewer workers than unfinished tasks, so that a few items never start many workers.
func (r *run[T, R]) dispatch(items iter.Seq[T], worker func()) {
	defer close(r.queue)
	started := 0
	for item := range items {
		if r.ctx.Err() != nil {
			return
		}
		r.slots <- struct{}{}
		t := &task[T, R]{item: item}
		t.w = taskWriter{limit: r.maxHeld, turn: make(chan struct{}), out: r.out, spareBuffers: r.spareBuffers}
		r.mu.Lock()
		r.inFlight = append(r.inFlight, t)
		if len(r.inFlight) == 1 {
			close(t.w.turn)
		}
		r.mu.Unlock()
		if started < min(r.jobs, int(r.unfinished.Add(1))) {
			r.workers.Go(worker)
			started++
		}
		r.queue <- t
	}
}

// work is a worker: it runs f on the tasks in the queue.
func (r *run[T, R]) work(f func(T, io.Writer) R, emit func(R)) {
	for t := range r.queue {
		t.begun = r.ctx.Err() == nil
		if t.begun {
			t.result = f(t.item, &t.w)
		}
		t.cancelled = r.ctx.Err() != nil
		r.finish(t, emit)
		r.unfinished.Add(-1)
	}
}

// finish marks a task as done, and emits all done tasks that have no unfinished task before them.
// If another worker is emitting already, finish leaves them to that worker.
func (r *run[T, R]) finish(t *task[T, R], emit func(R)) {
	r.mu.Lock()
	t.done = true
	mine := !r.emitting
	for mine && len(r.inFlight) > 0 && r.inFlight[0].done {
		t := r.inFlight[0]
		r.emitting = true
		r.mu.Unlock()
		r.emit(t, emit)
		r.mu.Lock()
		r.emitting = false
		r.inFlight = r.inFlight[1:]
		if len(r.inFlight) > 0 {
			close(r.inFlight[0].w.turn)
		}
		r.freeSlots()
	}
	r.mu.Unlock()
}

// freeSlots counts one emitted task, and frees the slots of emitted tasks. It frees many slots at a
// time, so that dispatch does not wake for each.
func (r *run[T, R]) freeSlots() {
	r.emitted++
	if r.emitted < cap(r.slots)/4 {
		return
	}
	for ; r.emitted > 0; r.emitted-- {
		<-r.slots
	}
}

// emit writes the output of a task and emits its result. After a cancelled task it closes the
// output.
func (r *run[T, R]) emit(t *task[T, R], emit func(R)) {
	if t.begun {
		t.w.flush()
		t.w.putBuffer()
		emit(t.result)
	}
	r.out.closed = r.out.closed || t.cancelled
}
