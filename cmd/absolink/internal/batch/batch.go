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
	Jobs int // the largest number of worker goroutines, which start as items come; default 1
	Hold int // the number of bytes that one item may hold back while it waits for its turn; default 256 KiB

	// Ahead is the number of items in flight per goroutine, so that a slow item does not stop the
	// others; default 4.
	Ahead int
}

const (
	defaultHold  = 256 << 10
	defaultAhead = 4
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
	r.deal(items, func() { r.work(work, emit) })
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
	hold       int
	out        *sink
	workers    sync.WaitGroup
	unfinished atomic.Int64 // tasks that were dealt and that a worker has not finished

	flight chan struct{}    // has an element for each task that was dealt and has not landed
	todo   chan *task[T, R] // to the workers
	spare  chan []byte      // memory of finished writers, for later writers

	mu       sync.Mutex
	order    []*task[T, R] // the tasks in flight, in the order of items
	emitting bool          // a worker is emitting finished tasks
	landed   int           // tasks that were emitted and still have their element in flight
}

// task is an item with its state and its result.
type task[T, R any] struct {
	item   T
	result R
	w      held
	begun  bool
	done   bool // work has returned, or will not be called
	cut    bool // ctx was done before the task was
}

func newRun[T, R any](ctx context.Context, o Options, out io.Writer) *run[T, R] {
	jobs, hold := max(o.Jobs, 1), o.Hold
	if hold <= 0 {
		hold = defaultHold
	}
	flight := jobs * cmp.Or(o.Ahead, defaultAhead)
	r := &run[T, R]{jobs: jobs, hold: hold}
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.out = &sink{w: out, fail: r.cancel}
	r.flight = make(chan struct{}, flight)
	r.todo = make(chan *task[T, R], flight)
	r.spare = make(chan []byte, flight)
	return r
}

// deal hands every item to a worker, once there is room for the item in flight. It starts another
// worker while there are fewer workers than unfinished tasks: a few items never start many workers.
func (r *run[T, R]) deal(items iter.Seq[T], worker func()) {
	defer close(r.todo)
	started := 0
	for item := range items {
		if r.ctx.Err() != nil {
			return
		}
		r.flight <- struct{}{}
		t := &task[T, R]{item: item}
		t.w = held{limit: r.hold, turn: make(chan struct{}), out: r.out, spare: r.spare}
		r.mu.Lock()
		r.order = append(r.order, t)
		if len(r.order) == 1 {
			close(t.w.turn)
		}
		r.mu.Unlock()
		if started < min(r.jobs, int(r.unfinished.Add(1))) {
			r.workers.Go(worker)
			started++
		}
		r.todo <- t
	}
}

func (r *run[T, R]) work(f func(T, io.Writer) R, emit func(R)) {
	for t := range r.todo {
		t.begun = r.ctx.Err() == nil
		if t.begun {
			t.result = f(t.item, &t.w)
		}
		t.cut = r.ctx.Err() != nil
		r.settle(t, emit)
		r.unfinished.Add(-1)
	}
}

// settle notes that a task is done, and emits the done tasks at the head of the order. If another
// worker is emitting already, settle leaves the task to that worker.
func (r *run[T, R]) settle(t *task[T, R], emit func(R)) {
	r.mu.Lock()
	t.done = true
	mine := !r.emitting
	for mine && len(r.order) > 0 && r.order[0].done {
		t := r.order[0]
		r.emitting = true
		r.mu.Unlock()
		r.emit(t, emit)
		r.mu.Lock()
		r.emitting = false
		r.order = r.order[1:]
		if len(r.order) > 0 {
			close(r.order[0].w.turn)
		}
		r.land()
	}
	r.mu.Unlock()
}

// land makes room in flight for the tasks that were emitted. It does so for many tasks at a time,
// so that deal is not woken for each.
func (r *run[T, R]) land() {
	r.landed++
	if len(r.order) > 0 && r.landed < cap(r.flight)/4 {
		return
	}
	for ; r.landed > 0; r.landed-- {
		<-r.flight
	}
}

func (r *run[T, R]) emit(t *task[T, R], emit func(R)) {
	if t.begun {
		t.w.flush()
		t.w.release()
		emit(t.result)
	}
	r.out.ended = r.out.ended || t.cut
}
