package fetch

import (
	"context"
	"time"
)

// Each URL has a time limit. The time of waiting for other requests to its host, or for its
// robots.txt, does not count. Otherwise the last URLs of a long list would fail only because the
// list is long. No wait is endless, because the other requests have time limits, too.

// stopwatch ends a context when the time limit is reached. The time does not count while the
// stopwatch is stopped. Only one goroutine may use it.
type stopwatch struct {
	left    time.Duration // remaining time at the last start
	started time.Time     // time of the last start
	timer   *time.Timer
}

// withTimeLimit returns a context that ends after the time limit with the cause
// context.DeadlineExceeded, and the running stopwatch of the limit. The caller must call the
// returned function.
func withTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc, *stopwatch) {
	limited, end := context.WithCancelCause(ctx)
	w := &stopwatch{left: limit, started: time.Now()}
	w.timer = time.AfterFunc(limit, func() { end(context.DeadlineExceeded) })
	return limited, func() { w.timer.Stop(); end(nil) }, w
}

// stop stops the watch. If the time limit was reached, it does nothing.
func (w *stopwatch) stop() {
	if w.timer.Stop() {
		w.left -= time.Since(w.started)
	}
}

// start continues the watch after stop.
func (w *stopwatch) start() {
	w.started = time.Now()
	w.timer.Reset(max(w.left, 0))
}
