package fetch

import (
	"context"
	"time"
)

// A URL has so much time. What it waits until others of its host are done, or until
// one of them has robots.txt, is not its own: else the last ones of a long list
// would fail for nothing but their number. Those others have bounds of theirs, so that
// no wait is endless.

// stopwatch ends a context after some time, which can be stopped. It is for one goroutine.
type stopwatch struct {
	left  time.Duration
	since time.Time // it was started
	timer *time.Timer
}

// patience returns ctx with an end after some time, by the cause
// context.DeadlineExceeded, and the watch of that time, which runs.
func patience(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc, *stopwatch) {
	limited, end := context.WithCancelCause(ctx)
	w := &stopwatch{left: left, since: time.Now()}
	w.timer = time.AfterFunc(left, func() { end(context.DeadlineExceeded) })
	return limited, func() { w.timer.Stop(); end(nil) }, w
}

// stop stops the time. Once it is up it stays so.
func (w *stopwatch) stop() {
	if w.timer.Stop() {
		w.left -= time.Since(w.since)
	}
}

// start lets the time that is left go on, after stop.
func (w *stopwatch) start() {
	w.since = time.Now()
	w.timer.Reset(max(w.left, 0))
}
