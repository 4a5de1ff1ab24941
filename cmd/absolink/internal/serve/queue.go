package serve

import (
	"context"
	"errors"
	"sync/atomic"
)

// queue limits the number of requests at work, and the number of requests that wait for a worker.
type queue struct {
	workers    chan struct{} // holds an element for each request that has a worker
	waiting    atomic.Int64
	maxWaiting int64
}

// queueLength is the default of maxWaiting.
const queueLength = 512

func newQueue(workers, maxWaiting int) *queue {
	if maxWaiting == 0 {
		maxWaiting = queueLength
	}
	return &queue{workers: make(chan struct{}, max(workers, 1)), maxWaiting: int64(maxWaiting)}
}

// ErrFull is the error of a request if too many requests wait already.
var ErrFull = errors.New("all workers are taken and the queue is full: try again later")

// enter waits for a worker. Call leave when the request is done. The error is ErrFull or ctx.Err().
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.workers <- struct{}{}:
		return nil
	default:
	}
	if q.waiting.Add(1) > q.maxWaiting {
		q.waiting.Add(-1)
		return ErrFull
	}
	defer q.waiting.Add(-1)
	select {
	case q.workers <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave frees the worker that enter waited for.
func (q *queue) leave() { <-q.workers }
