package fetch

import (
	"context"
	"sync"
)

// A server decides how large its answer is, and many answers are read at the same time. So all
// retrievals of a Client share a budget of bytes. If a retrieval needs more bytes than the budget
// has, it waits, with its connection open, until other retrievals have given bytes back. Meanwhile
// it has no slot at its host, and its time limit is stopped.
//
// Inputs are finished in order, and a retrieved input may hold its bytes while it waits for earlier
// inputs. So the input whose turn it is never waits: newBudget keeps room for it.

// budget is the number of bytes that retrievals may hold together.
type budget struct {
	limit int64 // largest value of used, except for the retrieval whose turn it is

	mu   sync.Mutex
	used int64         // number of bytes that retrievals hold
	peak int64         // the largest value of used
	free chan struct{} // closed when bytes are given back; nil if no retrieval waits
}

// perBody is the number of bodies of the largest size that one retrieval may hold. First it holds
// the encoded bytes and a growing buffer of decoded bytes. Later it holds the decoded bytes and the
// data that is made from them.
const perBody = 4

// newBudget returns the budget for retrievals that together hold at most total bytes. size is the
// maximum size of a body.
func newBudget(total, size int64) *budget {
	return &budget{limit: max(total-perBody*size, total/2)}
}

// reservation is the part of a budget that one retrieval holds. A nil reservation has no limit.
type reservation struct {
	budget *budget
	turn   <-chan struct{} // closed when it is the turn of the retrieval; nil if it is always its turn
	held   int64
}

// tryAdd adds n bytes and returns true, if the budget has so many bytes or if it is the turn of s.
func (s *reservation) tryAdd(n int64) bool {
	if s == nil {
		return true
	}
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.tryAddLocked(n)
}

// tryAddLocked is tryAdd for a caller that has locked the budget.
func (s *reservation) tryAddLocked(n int64) bool {
	r := s.budget
	if r.used > 0 && r.used+n > r.limit && !s.hasTurn() {
		return false
	}
	r.used += n
	s.held += n
	r.peak = max(r.peak, r.used)
	return true
}

// hasTurn reports whether it is the turn of s.
func (s *reservation) hasTurn() bool {
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

// add waits until the budget has n bytes or it is the turn of s, and adds them. The error is
// ctx.Err().
func (s *reservation) add(ctx context.Context, n int64) error {
	for {
		free := s.addOrWait(n)
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

// addOrWait adds n bytes and returns nil. If the budget does not have the bytes, it returns a
// channel that is closed when the caller should try again.
func (s *reservation) addOrWait(n int64) <-chan struct{} {
	if s == nil {
		return nil
	}
	r := s.budget
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.tryAddLocked(n) {
		return nil
	}
	if r.free == nil {
		r.free = make(chan struct{})
	}
	return r.free
}

// shrinkTo gives back all bytes of s except n.
func (s *reservation) shrinkTo(n int64) {
	if s == nil || s.held <= n {
		return
	}
	r := s.budget
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= s.held - n
	s.held = n
	if r.free != nil {
		close(r.free)
		r.free = nil
	}
}
