package mime

import (
	"io"
	"sync"
)

// windowSize is the number of bytes that the scanner reads at once. It is well above minWindow, the
// longest boundary line.
const (
	windowSize = 64 << 10
	minWindow  = maxBoundary + 4 + maxPadding
)

// window views the bytes of a reader through one buffer. If the message is in memory, it views the
// message itself.
type window struct {
	r    io.ReaderAt
	size int64
	at   int64 // offset of buf[0]
	buf  []byte
	own  []byte // memory for buf; nil if the message is in memory
	err  error  // error of r; size is then the offset of the error

	examined int64 // bytes that the scanner examined; tests compare it with the size
}

// open makes w a window of n bytes. n must be at least minWindow.
func (w *window) open(r io.ReaderAt, size int64, n int) {
	*w = window{r: r, size: size}
	switch m, ok := r.(memory); {
	case ok:
		w.buf = m[:min(size, int64(len(m)))]
	case n == windowSize:
		w.own = windows.Get().(*[windowSize]byte)[:]
	default:
		w.own = make([]byte, n)
	}
}

// windows keeps buffers from one message to the next.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// close gives the buffer back. Views must not be used afterwards.
func (w *window) close() {
	if len(w.own) == windowSize {
		windows.Put((*[windowSize]byte)(w.own))
	}
	w.own, w.buf = nil, nil
}

// view returns the bytes from an offset on: at least n bytes, or all bytes up to the end of the
// message. n must be at most minWindow. The bytes are valid until the next call.
func (w *window) view(from int64, n int) []byte {
	if from >= w.size {
		return nil
	}
	n = int(min(int64(n), w.size-from))
	if from < w.at || from+int64(n) > w.at+int64(len(w.buf)) {
		w.fill(from)
	}
	return w.buf[from-w.at:]
}

// fill reads bytes from an offset on into the buffer. After an error of r, it sets size to the end
// of the bytes that could be read.
func (w *window) fill(from int64) {
	want := w.own[:min(int64(len(w.own)), w.size-from)]
	n, err := w.r.ReadAt(want, from)
	w.at, w.buf = from, want[:n]
	if n < len(want) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		w.err = err
		w.size = from + int64(n)
	}
}

// memory is a message in memory.
type memory []byte

// ReadAt implements io.ReaderAt.
func (m memory) ReadAt(b []byte, off int64) (n int, err error) {
	if off < int64(len(m)) {
		n = copy(b, m[off:])
	}
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}
