package serve

import (
	"context"
	"errors"
	"sync/atomic"
)

// queue limits the number of requests at work, and the number of requests that wait.
type queue struct {
	places     chan struct{} // has an element for each request at work
	waiting    atomic.Int64
	maxWaiting int64
}

// queueLength is the default of maxWaiting.
const queueLength = 512

func newQueue(places, most int) *queue {
	if most == 0 {
		most = queueLength
	}
	return &queue{places: make(chan struct{}, max(places, 1)), maxWaiting: int64(most)}
}

// ErrFull is the error of a request if too many other requests wait.
var ErrFull = errors.New("all workers are taken and the queue is full: try again later")

// enter waits for a place, which leave gives back. The error is ErrFull or ctx.Err().
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.places <- struct{}{}:
		return nil
	default:
	}
	if q.waiting.Add(1) > q.maxWaiting {
		q.waiting.Add(-1)
		return ErrFull
	}
	defer q.waiting.Add(-1)
	select {
	case q.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives the place back.
func (q *queue) leave() { <-q.places }
