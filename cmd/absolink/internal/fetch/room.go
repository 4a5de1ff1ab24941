package fetch

import (
	"context"
	"sync"
)

// A server decides how large its answer is, and many answers are read at once. So all retrievals of
// a client together hold a limited number of bytes. A retrieval that needs more waits, with its
// connection open, until others have given bytes back. While it waits, it does not occupy a slot at
// its host, and its time is stopped.
// stopped.
// Inputs are finished in order, and a retrieved input may hold its bytes while it waits for earlier
// inputs. Therefore the input whose turn it is never waits: room is kept free for it.

// room is the memory that retrievals share.
type room struct {
	most int64 // bytes above which retrievals wait

	mu   sync.Mutex
	used int64
	peak int64         // the largest value of used
	free chan struct{} // closed when bytes are given back; nil if no retrieval waits
}

// perBody is the number of largest bodies that one retrieval may hold: the encoded bytes and a
// growing buffer of decoded bytes, later the decoded bytes and the data made from them.
const perBody = 4

// newRoom returns room for retrievals that together hold at most most bytes. size is the largest
// body.
func newRoom(most, size int64) *room {
	return &room{most: max(most-perBody*size, most/2)}
}

// share is the memory of one retrieval. A nil share counts nothing.
type share struct {
	room *room
	turn <-chan struct{} // closed when its turn comes; nil if it always has the turn
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

// take takes n more bytes as soon as there is room. The error is ctx.Err().
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

// orFree takes n more bytes and returns nil, or returns a channel that is closed when there may be
// room.
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
