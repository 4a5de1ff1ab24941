package run

import (
	"context"
	"testing"
	"time"
)

// There is room for many small inputs, or for n large ones. Nobody waits after the end of the
// context.
func TestRoom(t *testing.T) {
	const n = 2
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, size := range []int64{0, 1, largestShare / 4, largestShare, 10 * largestShare} {
		r := newRoom(n)
		fit := n * largestShare / max(min(size, largestShare), 1)
		var leave []func()
		for range min(fit, 16) {
			leave = append(leave, r.enter(t.Context(), size))
		}
		full := fit <= 16
		entered := make(chan func())
		go func() { entered <- r.enter(t.Context(), size) }()
		select {
		case l := <-entered:
			if full {
				t.Errorf("%d inputs of %d bytes are at work at once, want %d", len(leave)+1, size, len(leave))
			}
			l()
		case <-time.After(10 * time.Millisecond):
			if !full {
				<-entered
			}
		}
		r.enter(ended, size)()
		for _, l := range leave {
			l()
		}
		if full {
			(<-entered)()
		}
		if !r.semaphore.TryAcquire(n * largestShare) {
			t.Errorf("after all inputs of %d bytes have left, there is not the whole room", size)
		}
	}
	room{}.enter(t.Context(), largestShare)()
}
