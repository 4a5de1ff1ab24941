// Package batch runs one function over many items on several goroutines, and keeps all visible
// results in the order of the items.
//
// The output of an item is held back until all items before it are done. It is held in memory, up
// to a limit. A writer that reaches the limit waits for its turn, and from then on writes straight
// through. The oldest unfinished item never waits, so the run always moves on. The memory is
// bounded by the limit times the number of items in flight.
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

// Options bound a run. Fields that are zero take their defaults.
type Options struct {
	Jobs    int // the largest number of worker goroutines, which start as items come; default 1
	MaxHeld int // the number of bytes that one item may hold back while it waits for its turn; default 256 KiB

	// PerJob is the number of items in flight per goroutine, so that a slow item does not stop the
	// others; default 4.
	PerJob int
}

const (
	defaultMaxHeld = 256 << 10
	defaultPerJob  = 4
)

// Run calls work for each item, on up to o.Jobs goroutines. It calls emit with each result, one
// after the other, in the order of items. Data that work writes to w is written to out in the same
// order, before emit gets the result of the item. w must not be used after work has returned.
//
// When ctx is done, no further item is begun. Items that were begun are finished and emitted. But
// out gets nothing from the items after the first unfinished one, which may have stopped early. So
// out holds the beginning of the output of a whole run.
//
// Run returns the first error of out, which also stops it from beginning items, or else ctx.Err().
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
	unfinished atomic.Int64 // tasks that were dealt and that a worker has not finished

	slots        chan struct{}    // has an element for each task that was dealt and has not landed
	queue        chan *task[T, R] // to the workers
	spareBuffers chan []byte      // memory of finished writers, for later writers

	mu       sync.Mutex
	inFlight []*task[T, R] // the tasks in flight, in the order of items
	emitting bool          // a worker is emitting finished tasks
	emitted  int           // tasks that were emitted and still have their element in flight
}

// task is an item with its state and its result.
type task[T, R any] struct {
	item      T
	result    R
	w         taskWriter
	begun     bool
	done      bool // work has returned, or will not be called
	cancelled bool // ctx was done before the task was
}

func newRun[T, R any](ctx context.Context, o Options, out io.Writer) *run[T, R] {
	jobs, hold := max(o.Jobs, 1), o.MaxHeld
	if hold <= 0 {
		hold = defaultMaxHeld
	}
	flight := jobs * cmp.Or(o.PerJob, defaultPerJob)
	r := &run[T, R]{jobs: jobs, maxHeld: hold}
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.out = &sink{w: out, onError: r.cancel}
	r.slots = make(chan struct{}, flight)
	r.queue = make(chan *task[T, R], flight)
	r.spareBuffers = make(chan []byte, flight)
	return r
}

// dispatch hands every item to a worker, once there is room for the item in flight. It starts
// another worker while there are fewer workers than unfinished tasks: a few items never start many
// workers.
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

// finish notes that a task is done, and emits the done tasks at the head of the order. If another
// worker is emitting already, settle leaves the task to that worker.
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

// freeSlots makes room in flight for the tasks that were emitted. It does so for many tasks at a
// time, so that deal is not woken for each.
func (r *run[T, R]) freeSlots() {
	r.emitted++
	if len(r.inFlight) > 0 && r.emitted < cap(r.slots)/4 {
		return
	}
	for ; r.emitted > 0; r.emitted-- {
		<-r.slots
	}
}

func (r *run[T, R]) emit(t *task[T, R], emit func(R)) {
	if t.begun {
		t.w.flush()
		t.w.putBuffer()
		emit(t.result)
	}
	r.out.closed = r.out.closed || t.cancelled
}
