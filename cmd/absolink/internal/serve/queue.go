package serve

import (
	"context"
	"errors"
	"sync/atomic"
)

// queue has places for requests at work, and a limited number of waiting requests.
type queue struct {
	places  chan struct{}
	waiting atomic.Int64
	most    int64
}

const queueLength = 512

func newQueue(places, most int) *queue {
	if most == 0 {
		most = queueLength
	}
	return &queue{places: make(chan struct{}, max(places, 1)), most: int64(most)}
}

// ErrFull is the error of a request if too many others wait.
var ErrFull = errors.New("all workers are taken and the queue is full: try again later")

// enter waits for a place, which leave gives back. The error is ErrFull or ctx.Err().
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.places <- struct{}{}:
		return nil
	default:
	}
	if q.waiting.Add(1) > q.most {
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

func (q *queue) leave() { <-q.places }
