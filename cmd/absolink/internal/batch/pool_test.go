package batch_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/batch"
)

// A value of a pool has one taker at a time, and a pool that one goroutine uses makes a value only
// if all are in use.
func TestPool(t *testing.T) {
	for _, single := range []bool{false, true} {
		made, most := 0, 0
		p := batch.Pool[*int]{Single: single, New: func() *int { made++; return new(int) }}
		random := rand.New(rand.NewPCG(1, 2))
		var taken []*int
		for range 2000 {
			if n := len(taken); n > 0 && random.IntN(3) == 0 {
				i := random.IntN(n)
				p.Put(taken[i])
				taken = slices.Delete(taken, i, i+1)
				continue
			}
			v := p.Take()
			if v == nil || slices.Contains(taken, v) {
				t.Fatalf("single %v: Take returned a value that is in use, or nil", single)
			}
			taken = append(taken, v)
			most = max(most, len(taken))
			if len(taken) == 20 {
				for _, v := range taken {
					p.Put(v)
				}
				taken = nil
			}
		}
		if single && made != most {
			t.Errorf("%d values were made, want %d: as many as were in use at a time", made, most)
		}
	}
}

// Several goroutines may use a pool: no value has two takers.
func TestPoolOfGoroutines(t *testing.T) {
	p := batch.Pool[*atomic.Bool]{New: func() *atomic.Bool { return new(atomic.Bool) }}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5000 {
				v := p.Take()
				if v.Swap(true) {
					t.Error("a value has two takers")
					return
				}
				runtime.Gosched()
				v.Store(false)
				p.Put(v)
			}
		})
	}
	all.Wait()
}

// After an interrupt, writing still succeeds, although the bytes are dropped.
func TestWriteAfterInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	batch.Run(ctx, batch.Options{Jobs: 1, MaxHeld: 2}, &out, numbers(3), func(i int, w io.Writer) int {
		if i == 1 {
			cancel()
		}
		if n, err := io.WriteString(w, "12345"); n != 5 || err != nil {
			t.Errorf("item %d: Write: got %d, %v, want 5", i, n, err)
		}
		return i
	}, func(int) {})
	if s := out.String(); s != "1234512345" {
		t.Errorf("wrote %q, want the output of two items", s)
	}
}

// AwaitTurn returns when all earlier items are emitted, and not before.
func TestAwaitTurn(t *testing.T) {
	const items = 50
	var emitted atomic.Int64
	err := batch.Run(t.Context(), batch.Options{Jobs: 8}, io.Discard, numbers(items), func(i int, w io.Writer) int {
		batch.AwaitTurn(w)
		if n := int(emitted.Load()); n != i {
			t.Errorf("the turn of item %d came after %d items were emitted", i, n)
		}
		return i
	}, func(int) { emitted.Add(1) })
	if err != nil || emitted.Load() != items {
		t.Errorf("Run: emitted %d items, %v, want %d", emitted.Load(), err, items)
	}
	batch.AwaitTurn(io.Discard) // returns
}

// watched is a context that counts the functions which wait for its end.
type watched struct {
	context.Context
	waiting atomic.Int64
}

func (w *watched) Done() <-chan struct{} { return make(chan struct{}) }

// AfterFunc is called by package context for a context that is derived from w.
func (w *watched) AfterFunc(func()) (stop func() bool) {
	w.waiting.Add(1)
	return func() bool { w.waiting.Add(-1); return true }
}

// After Run, nothing waits for the end of the context.
func TestRunReleasesContext(t *testing.T) {
	for _, out := range []io.Writer{io.Discard, broken{}} {
		ctx := &watched{Context: t.Context()}
		during := int64(0)
		batch.Run(ctx, batch.Options{}, out, numbers(9), func(i int, w io.Writer) int {
			if i == 0 {
				during = ctx.waiting.Load()
			}
			fmt.Fprint(w, i)
			return i
		}, func(int) {})
		if n := ctx.waiting.Load(); n != 0 || during != 1 {
			t.Errorf("%d functions wait for the end of the context after Run, %d in Run, want 0 and 1", n, during)
		}
	}
}

// Run takes items in groups of a quarter of the items in flight, so that it does not wake for each.
func TestRunTakesGroups(t *testing.T) {
	for _, o := range []batch.Options{{Jobs: 1, PerJob: 1}, {Jobs: 2, PerJob: 2}, {Jobs: 1, PerJob: 7},
		{Jobs: 2, PerJob: 4}, {Jobs: 4, PerJob: 4}, {Jobs: 4, PerJob: 10}} {
		flight := o.Jobs * o.PerJob
		group := max(flight/4, 1)
		var taken atomic.Int64
		items := func(yield func(int) bool) {
			for i := range 100 {
				taken.Add(1)
				if !yield(i) {
					return
				}
			}
		}
		emitted := 0
		err := batch.Run(t.Context(), o, io.Discard, items, func(i int, _ io.Writer) int { return i }, func(int) {
			if emitted%group == group-1 {
				time.Sleep(100 * time.Microsecond) // Run could take more items meanwhile
			}
			// Run takes one item before it waits for a place.
			if n := int(taken.Load()); n > flight+emitted/group*group+1 {
				t.Errorf("%+v: %d items are taken while item %d is emitted", o, n, emitted)
			}
			emitted++
		})
		if err != nil || emitted != 100 {
			t.Errorf("%+v: emitted %d items, %v, want 100", o, emitted, err)
		}
	}
}
