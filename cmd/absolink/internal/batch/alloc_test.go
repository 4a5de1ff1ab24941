//go:build !race

package batch_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"absolink/cmd/absolink/internal/batch"
)

// A value that was put back is taken again.
func TestPoolReuses(t *testing.T) {
	made := 0
	p := batch.Pool[*int]{New: func() *int { made++; return new(int) }}
	const times = 1000
	for range times {
		p.Put(p.Take())
	}
	if made > times/2 {
		t.Errorf("%d values were made for %d takers, one after the other", made, times)
	}
}

// The buffers of items are reused, even if some items write nothing.
func TestRunReusesBuffers(t *testing.T) {
	const items, size = 2000, 4 << 10
	text := bytes.Repeat([]byte("x"), size)
	for _, each := range []int{1, 2, 5} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := batch.Run(t.Context(), batch.Options{Jobs: 2}, io.Discard, numbers(items), func(i int, w io.Writer) int {
			if i%each == 0 {
				w.Write(text)
			}
			return i
		}, func(int) {})
		runtime.ReadMemStats(&after)
		written := uint64(items / each * size)
		if n := after.TotalAlloc - before.TotalAlloc; err != nil || n > written/2 {
			t.Errorf("%d bytes were allocated, %v, for the output of %d bytes", n, err, written)
		}
	}
}
