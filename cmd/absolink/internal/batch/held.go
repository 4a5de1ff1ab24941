package batch

import "io"

// held is the writer of one task. It holds the output back until the task has its turn.
type taskWriter struct {
	buf          []byte
	limit        int
	turn         chan struct{} // closed when all earlier tasks are emitted
	out          *sink
	spareBuffers chan []byte
}

// Write holds p back, or waits for the turn of the task and writes. It never fails before that
// turn.
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

// AwaitTurn waits until all items before the item of w are done and emitted. Later writes to w
// still fill its buffer first, and reach the output at once when w has its limit. If w does not
// come from [Run], Turn returns at once.
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

// getBuffer takes a free buffer, if there is one.
func (h *taskWriter) getBuffer() {
	select {
	case h.buf = <-h.spareBuffers:
	default:
	}
}

// putBuffer gives the buffer back.
func (h *taskWriter) putBuffer() {
	if h.buf == nil {
		return
	}
	select {
	case h.spareBuffers <- h.buf[:0]:
	default:
	}
	h.buf = nil
}

// flush writes the held bytes. The task must have its turn.
func (h *taskWriter) flush() {
	if len(h.buf) > 0 {
		h.out.Write(h.buf)
		h.buf = h.buf[:0]
	}
}

// sink is the writer that all tasks share, one after the other. After an error, or after its end,
// it writes nothing.
type sink struct {
	w       io.Writer
	err     error
	closed  bool
	onError func()
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
