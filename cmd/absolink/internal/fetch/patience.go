package fetch

import (
	"context"
	"time"
)

// A URL has a time limit. Waiting for other requests to its host, or for its robots.txt, does not
// count. Otherwise the last URLs of a long list would fail only because the list is long. The other
// requests have time limits too, so no wait is endless.

// stopwatch ends a context when its time is up. It can be stopped. Only one goroutine may use it.
type stopwatch struct {
	left  time.Duration // at the last start
	since time.Time     // last start
	timer *time.Timer
}

// withTimeLimit returns ctx with a time limit, and a running stopwatch for it. When the time is up,
// the cause of the context is context.DeadlineExceeded.
func withTimeLimit(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc, *stopwatch) {
	limited, end := context.WithCancelCause(ctx)
	w := &stopwatch{left: left, since: time.Now()}
	w.timer = time.AfterFunc(left, func() { end(context.DeadlineExceeded) })
	return limited, func() { w.timer.Stop(); end(nil) }, w
}

// stop stops the watch. If the time is up, it does nothing.
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
