package batch_test

import (
	"bytes"
	"context"
	"errors"
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

func numbers(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func TestRunKeepsOrder(t *testing.T) {
	tests := []struct {
		name string
		o    batch.Options
	}{
		{"zero options", batch.Options{}},
		{"one job", batch.Options{Jobs: 1}},
		{"eight jobs", batch.Options{Jobs: 8}},
		{"eight jobs that hold one byte", batch.Options{Jobs: 8, MaxHeld: 1}},
		{"three jobs far ahead", batch.Options{Jobs: 3, PerJob: 100}},
	}
	var want bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&want, "%d begins\n%d ends\n", i, i)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			var emitted []int
			err := batch.Run(t.Context(), tt.o, &got, numbers(300), func(i int, w io.Writer) int {
				fmt.Fprintf(w, "%d begins\n", i)
				if i%7 == 0 {
					time.Sleep(time.Millisecond)
				}
				fmt.Fprintf(w, "%d ends\n", i)
				return i
			}, func(i int) { emitted = append(emitted, i) })
			if err != nil {
				t.Errorf("Run: got error %v, want none", err)
			}
			if got.String() != want.String() {
				t.Errorf("Run: output out of order: got %.80q, want %.80q", got.String(), want.String())
			}
			if !slices.IsSorted(emitted) || len(emitted) != 300 {
				t.Errorf("Run: emitted %d results, sorted %v; want 300, sorted", len(emitted), slices.IsSorted(emitted))
			}
		})
	}
}

// A task that writes far more than its limit does not hold all of it in memory.
func TestRunWritesThrough(t *testing.T) {
	var n counter
	err := batch.Run(t.Context(), batch.Options{Jobs: 4, MaxHeld: 1 << 10},
		&n, numbers(8), func(i int, w io.Writer) int {
			line := []byte(strings.Repeat("x", 1<<16))
			for range 64 {
				w.Write(line)
			}
			return 0
		}, func(int) {})
	if err != nil || n != 8*64<<16 {
		t.Errorf("Run: got %d bytes and error %v, want %d and none", n, err, 8*64<<16)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func TestRunStops(t *testing.T) {
	t.Run("when the context is done", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var begun, emitted atomic.Int64
		err := batch.Run(ctx, batch.Options{Jobs: 4}, io.Discard, numbers(1e6), func(i int, w io.Writer) int {
			if begun.Add(1) == 10 {
				cancel()
			}
			return i
		}, func(int) { emitted.Add(1) })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Run: got error %v, want %v", err, context.Canceled)
		}
		if b, e := begun.Load(), emitted.Load(); b != e || b > 1000 {
			t.Errorf("Run: began %d and emitted %d, want as many and far fewer than a million", b, e)
		}
	})
	t.Run("what it writes ends at the first item that was cut", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var out strings.Builder
		var later sync.WaitGroup
		later.Add(2)
		var emitted []int
		batch.Run(ctx, batch.Options{Jobs: 4}, &out, numbers(4), func(i int, w io.Writer) int {
			if i == 1 {
				later.Wait()
				io.WriteString(w, "half of 1")
				cancel()
				return i
			}
			fmt.Fprintln(w, i)
			if i > 1 {
				later.Done()
			}
			return i
		}, func(i int) { emitted = append(emitted, i) })
		if got, want := out.String(), "0\nhalf of 1"; got != want || len(emitted) != 4 {
			t.Errorf("Run: wrote %q and emitted %v, want %q and all", got, emitted, want)
		}
	})
	t.Run("when the output fails", func(t *testing.T) {
		var begun atomic.Int64
		err := batch.Run(t.Context(), batch.Options{Jobs: 4}, broken{}, numbers(1e6), func(i int, w io.Writer) int {
			begun.Add(1)
			w.Write([]byte("x"))
			return i
		}, func(int) {})
		if !errors.Is(err, errBroken) || begun.Load() > 1000 {
			t.Errorf("Run: got error %v after %d items, want %v after far fewer than a million",
				err, begun.Load(), errBroken)
		}
	})
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// After an error of the output, each later Write returns that error. The output gets no empty
// pieces, and nothing after the error.
func TestWriteErrors(t *testing.T) {
	out := new(brittle)
	var mu sync.Mutex
	wrong := 0
	err := batch.Run(t.Context(), batch.Options{Jobs: 2, MaxHeld: 4}, out, numbers(4), func(i int, w io.Writer) int {
		if i == 3 { // writes nothing
			return i
		}
		for n := range 3 {
			text := strings.Repeat("x", 5)
			k, err := io.WriteString(w, text)
			if failed := i > 0 || n > 0; failed != errors.Is(err, errBroken) || failed != (k < len(text)) || k < 0 {
				mu.Lock()
				wrong++
				mu.Unlock()
			}
		}
		return i
	}, func(int) {})
	if !errors.Is(err, errBroken) || wrong > 0 {
		t.Errorf("Run: got error %v, and %d writes with a wrong result", err, wrong)
	}
	if out.empty > 0 || out.writes != 2 {
		t.Errorf("the output got %d empty pieces and %d in all, want 0 and 2", out.empty, out.writes)
	}
}

// brittle fails at the second Write.
type brittle struct{ writes, empty int }

func (b *brittle) Write(p []byte) (int, error) {
	b.writes++
	if len(p) == 0 {
		b.empty++
	}
	if b.writes > 1 {
		return 0, errBroken
	}
	return len(p), nil
}

// The output of an item is all of its pieces, in their order, whatever their sizes are.
func TestPiecesOfOutput(t *testing.T) {
	const most = 40
	pieces := func(i int) (list []string) {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		for n := range random.IntN(12) {
			list = append(list, strings.Repeat(string(rune('a'+n)), random.IntN(most)))
		}
		return list
	}
	var want strings.Builder
	for i := range 200 {
		want.WriteString(strings.Join(pieces(i), "") + "\n")
	}
	for _, o := range []batch.Options{{Jobs: 1}, {Jobs: 1, MaxHeld: 1}, {Jobs: 3, MaxHeld: most / 2},
		{Jobs: 3, MaxHeld: 3 * most}, {Jobs: 8, MaxHeld: 10, PerJob: 1}, {Jobs: 2, MaxHeld: 1 << 20, PerJob: 50}} {
		var got strings.Builder
		err := batch.Run(t.Context(), o, &got, numbers(200), func(i int, w io.Writer) int {
			for _, piece := range pieces(i) {
				if n, err := io.WriteString(w, piece); n != len(piece) || err != nil {
					t.Errorf("%+v: Write of %d bytes: got %d, %v", o, len(piece), n, err)
				}
			}
			io.WriteString(w, "\n")
			return i
		}, func(int) {})
		if err != nil || got.String() != want.String() {
			t.Errorf("%+v: got %.200q, %v, want %.200q", o, got.String(), err, want.String())
		}
	}
}

// After an interrupt Run takes no further item, even if items never end.
func TestRunStopsTaking(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	taken := 0
	endless := func(yield func(int) bool) {
		for yield(taken) {
			taken++
		}
	}
	err := batch.Run(ctx, batch.Options{Jobs: 2}, io.Discard, endless, func(i int, _ io.Writer) int {
		if i == 20 {
			cancel()
		}
		return i
	}, func(int) {})
	if !errors.Is(err, context.Canceled) || taken < 20 {
		t.Errorf("Run: got %v after %d items, want %v", err, taken, context.Canceled)
	}
}

// Items that come one after the other need few workers, however many jobs there may be.
func TestFewWorkersForSlowItems(t *testing.T) {
	const items = 20
	before := runtime.NumGoroutine()
	emitted := make(chan struct{})
	slow := func(yield func(int) bool) {
		for i := range items {
			if !yield(i) {
				return
			}
			<-emitted
			time.Sleep(2 * time.Millisecond) // the worker waits for the next item meanwhile
		}
	}
	most := 0
	err := batch.Run(t.Context(), batch.Options{Jobs: items}, io.Discard, slow, func(i int, _ io.Writer) int {
		most = max(most, runtime.NumGoroutine()-before)
		return i
	}, func(int) { emitted <- struct{}{} })
	if err != nil || most > items/2 {
		t.Errorf("Run: %d workers for items that come one by one, %v, want few", most, err)
	}
}

// With one task in flight, all items get their slots, in order, and no output piece is empty.
func TestRunOneInFlight(t *testing.T) {
	for _, o := range []batch.Options{{Jobs: 1, PerJob: 1}, {Jobs: 2, PerJob: 1}, {Jobs: 1, PerJob: 2},
		{Jobs: 3, PerJob: 3}} {
		out := new(brittle)
		n := 0
		same := func(i int, w io.Writer) int { return i }
		err := batch.Run(t.Context(), o, io.Discard, numbers(50), same, func(i int) {
			if i != n {
				t.Errorf("%+v: got item %d, want %d", o, i, n)
			}
			n++
		})
		if err != nil || n != 50 {
			t.Errorf("%+v: got %d items, %v, want 50", o, n, err)
		}
		if err := batch.Run(t.Context(), o, out, numbers(9), same, func(int) {}); err != nil || out.writes > 0 {
			t.Errorf("%+v: tasks without output wrote %d pieces, %v", o, out.writes, err)
		}
	}
}

// The channel of TurnOf is closed when all earlier items are emitted, and not before.
func TestTurnOf(t *testing.T) {
	begun := make(chan struct{})
	var first atomic.Bool // the first item was emitted
	work := func(i int, w io.Writer) int {
		turned := batch.TurnOf(w)
		switch i {
		case 0:
			<-turned // the first item has its turn from the start
			<-begun
		case 1:
			select {
			case <-turned:
				t.Error("the turn of the second item came before the first one was emitted")
			default:
			}
			close(begun)
			<-turned
			if !first.Load() {
				t.Error("the turn of the second item came, and the first one is not emitted")
			}
		}
		return i
	}
	err := batch.Run(t.Context(), batch.Options{Jobs: 2}, io.Discard,
		slices.Values([]int{0, 1}), work, func(i int) { first.Store(true) })
	if err != nil {
		t.Fatal(err)
	}
	if got := batch.TurnOf(io.Discard); got != nil {
		t.Error("Turned of another writer: got a channel, want nil")
	}
}

// Run starts enough workers to work on all items at once, and not more.
func TestRunStartsWorkers(t *testing.T) {
	for _, tt := range []struct{ jobs, items, want int }{{1 << 30, 0, 0},
		{1 << 30, 1, 1}, {1 << 30, 7, 7}, {3, 50, 3}, {1, 5, 1}} {
		before := runtime.NumGoroutine()
		var all sync.WaitGroup
		all.Add(tt.want)
		var most atomic.Int64
		o := batch.Options{Jobs: tt.jobs}
		if tt.jobs > 1<<20 {
			o.PerJob = 1 // callers bound Jobs; here the memory must not grow with it
			o.Jobs = 1 << 16
		}
		n := 0
		err := batch.Run(t.Context(), o, io.Discard, numbers(tt.items), func(i int, w io.Writer) int {
			if i < tt.want { // these items wait for each other, so all must be begun
				all.Done()
				all.Wait()
			}
			most.Store(max(most.Load(), int64(runtime.NumGoroutine()-before)))
			return i
		}, func(int) { n++ })
		if err != nil || n != tt.items || most.Load() > int64(tt.want) {
			t.Errorf("%d jobs and %d items: emitted %d on %d goroutines (%v), want at most %d",
				tt.jobs, tt.items, n, most.Load(), err, tt.want)
		}
	}
}
