package batch

import "io"

// taskWriter is the writer of one task. It holds the output back until the task has its turn.
type taskWriter struct {
	buf          []byte
	limit        int           // bytes that buf may hold
	turn         chan struct{} // closed when all earlier tasks are emitted
	out          *sink
	spareBuffers chan []byte
}

// Write holds p back if the buffer has room for it. Otherwise it waits for the turn of the task,
// and writes to the output. It fails only after that turn.
func (h *taskWriter) Write(p []byte) (int, error) {
	if len(h.buf)+len(p) <= h.limit {
		if h.buf == nil {
			h.getBuffer()
		}
		h.buf = append(h.buf, p...)
		return len(p), nil
	}
	<-h.turn
	h.flush()
	return h.out.Write(p)
}

// AwaitTurn waits until all items before the item of w are done and emitted. w still holds later
// output back up to its limit. If w does not come from [Run], AwaitTurn returns at once.
func AwaitTurn(w io.Writer) {
	if h, ok := w.(*taskWriter); ok {
		<-h.turn
	}
}

// TurnOf returns a channel that is closed when all items before the item of w are done and emitted.
// It returns nil if w does not come from [Run].
func TurnOf(w io.Writer) <-chan struct{} {
	if h, ok := w.(*taskWriter); ok {
		return h.turn
	}
	return nil
}

// getBuffer sets buf to a spare buffer, if there is one.
func (h *taskWriter) getBuffer() {
	select {
	case h.buf = <-h.spareBuffers:
	default:
	}
}

// putBuffer makes buf a spare buffer.
func (h *taskWriter) putBuffer() {
	if h.buf == nil {
		return
	}
	select {
	case h.spareBuffers <- h.buf[:0]:
	default:
	}
}

// flush writes the held bytes to the output. The task must have its turn.
func (h *taskWriter) flush() {
	if len(h.buf) > 0 {
		h.out.Write(h.buf)
		h.buf = h.buf[:0]
	}
}

// sink is the output of all tasks. Only the task that has its turn writes to it. After an error it
// writes nothing more.
type sink struct {
	w       io.Writer
	err     error
	closed  bool   // Write drops all bytes
	onError func() // called after the first error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.closed {
		return len(p), nil
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.err = err
		s.onError()
	}
	return n, err
}
