// Package batch is the loop of a run: it runs one function over many items on several goroutines,
// and keeps everything that can be seen in the order of the items.
//
// The output of an item is held back until all items before it are done. It is held in memory up to
// a limit; a writer that reaches the limit waits for its turn, and from then on writes straight
// through. The oldest unfinished item never waits, so the run always moves on, and memory is
// bounded by the window times the limit.
//
// Files in reading order: held.go (the writers of items), batch.go (order), pool.go (workers),
// memory.go.
package batch

import (
	"cmp"
	"context"
	"io"
	"iter"
	"sync"
	"sync/atomic"
)

// Options bound a run. Zero fields take the defaults.
type Options struct {
	Jobs int // goroutines that work at most, started as items come; default 1
	Hold int // bytes that one item may hold back while it waits for its turn; default 256 KiB

	// Ahead is how many items are in flight per goroutine, so that a slow one does not
	// stop the others; default 4.
	Ahead int
}

const (
	defaultHold  = 256 << 10
	defaultAhead = 4
)

// Run calls work for each item, on o.Jobs goroutines at once, and emit with
// each result, one after the other, in the order of items. What work writes to w
// reaches out in that order too, before emit is called with its result; w must
// not be used after work has returned.
//
// When ctx is done no further item is begun; those begun are finished and
// emitted. Of what was written nothing reaches out behind the first of these, nor behind one
// that was not begun: they may lack something, and out holds what a whole run writes first.
// Run returns the first error of out, after which no further item is begun either, else
// ctx.Err().
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
	unfinished atomic.Int64 // tasks that are dealt, and that no worker is done with

	flight chan struct{}    // holds one for each task that is dealt and has not landed
	todo   chan *task[T, R] // to the workers
	spare  chan []byte      // memory of writers that are done, for those to come

	mu       sync.Mutex
	order    []*task[T, R] // in flight, as dealt
	emitting bool          // some worker emits what is done
	landed   int           // tasks that are emitted and still in flight
}

// task is one item on its way.
type task[T, R any] struct {
	item   T
	result R
	w      held
	begun  bool
	done   bool // work has returned, or will not begin
	cut    bool // ctx was done before that
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

// deal hands every item to a worker, once there is room for it in flight. It starts another worker
// if there are fewer than tasks: few items never need many.
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

// settle notes that a task is done, and emits those that have their turn, unless
// another worker is about it: that one goes on then.
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

// land makes room for as many tasks as were emitted, many at a time: whoever deals
// them need not be woken for each.
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
