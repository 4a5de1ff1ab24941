package batch_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"absolink/cmd/absolink/internal/batch"
)

// The bound follows the memory in use, leaves a bound of the user alone, and is removed by End.
func TestBoundMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	m := batch.BoundMemory(2, 0)
	if got := debug.SetMemoryLimit(-1); got != 40<<20 {
		t.Errorf("with little in use: got %d MB, want 40", got>>20)
	}
	much := make([]byte, 200<<20)
	runtime.GC()
	m.Adapt()
	if got := debug.SetMemoryLimit(-1); got < 300<<20 || got > 350<<20 {
		t.Errorf("with 200 MB in use: got %d MB, want half as much again", got>>20)
	}
	runtime.KeepAlive(much)
	much = nil
	runtime.GC()
	m.Adapt()
	if got := debug.SetMemoryLimit(-1); got != 40<<20 {
		t.Errorf("with little in use again: got %d MB, want 40", got>>20)
	}
	m.Remove()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("in the end: got %d, want none", got)
	}
	m = batch.BoundMemory(2, 512<<20)
	if got := debug.SetMemoryLimit(-1); got != 552<<20 {
		t.Errorf("with 512 MB more to hold: got %d MB, want 552", got>>20)
	}
	m.Remove()
	debug.SetMemoryLimit(1 << 30)
	m = batch.BoundMemory(2, 0)
	m.Adapt()
	m.Remove()
	if got := debug.SetMemoryLimit(-1); got != 1<<30 {
		t.Errorf("with a bound of the user: got %d, want that", got)
	}
}

// The garbage collector runs less often while the memory is bounded, unless the user or another
// part of the program has set another pace.
func TestBoundedPace(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	for _, test := range []struct {
		before        int
		besides       int64
		during        int // what the program sets meanwhile, or 0
		bounded, want int
	}{
		{100, 0, 0, 400, 100},
		{100, 512 << 20, 0, 100, 100},
		{50, 0, 0, 50, 50},
		{800, 0, 0, 800, 800},
		{100, 0, 30, 400, 30},
		{50, 0, 30, 50, 30},
	} {
		debug.SetGCPercent(test.before)
		m := batch.BoundMemory(2, test.besides)
		bounded := percent()
		if test.during > 0 {
			debug.SetGCPercent(test.during)
		}
		m.Remove()
		if got := percent(); bounded != test.bounded || got != test.want {
			t.Errorf("%+v: got %d and then %d", test, bounded, got)
		}
	}
}
