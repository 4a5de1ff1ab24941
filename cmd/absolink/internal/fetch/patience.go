package fetch

import (
	"context"
	"time"
)

// A URL has a time limit. Waiting for other requests to its host, or for its robots.txt, does not
// count. Otherwise the last URLs of a long list would fail only because the list is long. The other
// requests have time limits too, so no wait is endless.

// stopwatch ends a context after some time, and can be stopped. Only one goroutine may use it.
type stopwatch struct {
	left  time.Duration
	since time.Time // last start
	timer *time.Timer
}

// patience returns ctx with a time limit, and the running watch. After the limit the cause is
// context.DeadlineExceeded.
func patience(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc, *stopwatch) {
	limited, end := context.WithCancelCause(ctx)
	w := &stopwatch{left: left, since: time.Now()}
	w.timer = time.AfterFunc(left, func() { end(context.DeadlineExceeded) })
	return limited, func() { w.timer.Stop(); end(nil) }, w
}

// stop stops the watch. If the time is up, nothing changes.
func (w *stopwatch) stop() {
	if w.timer.Stop() {
		w.left -= time.Since(w.since)
	}
}

// start continues the watch after stop.
func (w *stopwatch) start() {
	w.since = time.Now()
	w.timer.Reset(max(w.left, 0))
}
