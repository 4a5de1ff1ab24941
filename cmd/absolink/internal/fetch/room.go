package fetch

import (
	"context"
	"sync"
)

// A server chooses how large its answer is, and many are read at once. So all retrievals of a
// client together hold a bounded number of bytes: one that needs more waits, with its connection
// open, until others have given some back. It counts for no host meanwhile, and its time is
// stopped.
//
// Inputs are done in their order, and one that is done may wait for those before it with all that
// it holds. Therefore the input whose turn it is never waits: room for it is kept free.

// room is what retrievals share.
type room struct {
	most int64 // bytes that are held before a retrieval waits

	mu   sync.Mutex
	used int64
	peak int64         // the most that was used at once
	free chan struct{} // closed when bytes are given back; nil if nobody waits
}

// perBody is how many times the largest body a retrieval holds at most: the encoded bytes and the
// decoded ones in a buffer that grows, then these and what is made of them.
const perBody = 4

// newRoom returns room for retrievals that together hold at most a number of bytes, each with a
// body of a size at most.
func newRoom(most, size int64) *room {
	return &room{most: max(most-perBody*size, most/2)}
}

// share is what one retrieval holds. A nil share counts nothing.
type share struct {
	room *room
	turn <-chan struct{} // closed when it is its turn; nil = it always is
	held int64
}

// try takes n more bytes if there is room, or it is the turn of s.
func (s *share) try(n int64) bool {
	if s == nil {
		return true
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.tryLocked(n)
}

func (s *share) tryLocked(n int64) bool {
	r := s.room
	if r.used > 0 && r.used+n > r.most && !s.hasTurn() {
		return false
	}
	r.used += n
	s.held += n
	r.peak = max(r.peak, r.used)
	return true
}

func (s *share) hasTurn() bool {
	if s.turn == nil {
		return true
	}
	select {
	case <-s.turn:
		return true
	default:
		return false
	}
}

// take takes n more bytes as soon as there is room. The error is that of ctx.
func (s *share) take(ctx context.Context, n int64) error {
	for {
		free := s.orFree(n)
		if free == nil {
			return nil
		}
		select {
		case <-free:
		case <-s.turn:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// orFree takes n more bytes and returns nil, or returns what is closed when there may be room.
func (s *share) orFree(n int64) <-chan struct{} {
	if s == nil {
		return nil
	}
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.tryLocked(n) {
		return nil
	}
	if r.free == nil {
		r.free = make(chan struct{})
	}
	return r.free
}

// keep gives back all but n bytes.
func (s *share) keep(n int64) {
	if s == nil || s.held <= n {
		return
	}
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= s.held - n
	s.held = n
	if r.free != nil {
		close(r.free)
		r.free = nil
	}
}
