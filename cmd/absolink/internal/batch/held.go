package batch

import "io"

// held is the writer of one task.
type held struct {
	buf   []byte
	limit int
	turn  chan struct{} // closed when all tasks before are emitted
	out   *sink
	spare chan []byte
}

// Write never fails before the turn of the task has come.
func (h *held) Write(p []byte) (int, error) {
	if len(h.buf)+len(p) <= h.limit {
		if h.buf == nil {
			h.take()
		}
		h.buf = append(h.buf, p...)
		return len(p), nil
	}
	<-h.turn
	h.flush()
	return h.out.Write(p)
}

// Turn waits until all items before the one that w was given for are done and
// emitted. What is written to w from then on reaches the output at once, but for
// what is held back until w has its limit. A writer that Run has not made waits for nothing.
func Turn(w io.Writer) {
	if h, ok := w.(*held); ok {
		<-h.turn
	}
}

// Turned returns what is closed when all items before the one that w was given for are done and
// emitted: nil if w waits for nothing, as one that Run has not made.
func Turned(w io.Writer) <-chan struct{} {
	if h, ok := w.(*held); ok {
		return h.turn
	}
	return nil
}

// take takes memory that is free.
func (h *held) take() {
	select {
	case h.buf = <-h.spare:
	default:
	}
}

// release gives the memory back.
func (h *held) release() {
	if h.buf == nil {
		return
	}
	select {
	case h.spare <- h.buf[:0]:
	default:
	}
	h.buf = nil
}

// flush writes what is held; the task must have its turn.
func (h *held) flush() {
	if len(h.buf) > 0 {
		h.out.Write(h.buf)
		h.buf = h.buf[:0]
	}
}

// sink is the writer that all tasks share, one after the other. After an error, and once it has
// ended, it writes nothing more.
type sink struct {
	w     io.Writer
	err   error
	ended bool
	fail  func()
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.ended {
		return len(p), nil
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.err = err
		s.fail()
	}
	return n, err
}
