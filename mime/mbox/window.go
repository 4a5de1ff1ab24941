package mbox

import (
	"io"
	"slices"
)

const windowSize = 256 << 10

// window looks at the bytes of a source through one buffer, from a kept offset on.
type window struct {
	src  *source
	buf  []byte
	at   int64 // offset of buf[0]
	kept int64 // bytes from here on are needed again
	eof  bool  // buf ends where the mailbox does
}

func newWindow(src *source, size int) *window {
	return &window{src: src, buf: buffer(size), at: src.off, kept: src.off}
}

// close gives the memory back. There is nothing to view any more.
func (w *window) close() {
	if _, size := class(cap(w.buf)); size == cap(w.buf) {
		release(w.buf)
	}
	w.buf, w.at, w.eof = nil, w.end(), true
}

// view returns the bytes from an offset on that are there: at least n of them, or
// all up to the end of the mailbox. They are valid until the next call.
func (w *window) view(from int64, n int) ([]byte, error) {
	for !w.eof && w.end() < from+int64(n) {
		if err := w.fill(); err != nil {
			return nil, err
		}
	}
	return w.buf[min(from, w.end())-w.at:], nil
}

// end returns the offset after the last byte that is there.
func (w *window) end() int64 { return w.at + int64(len(w.buf)) }

// fill reads more. If there is little room, bytes before the kept ones go, but for
// the context of a separator; the buffer grows only if that gives none.
func (w *window) fill() error {
	if cap(w.buf)-len(w.buf) < cap(w.buf)/4 {
		drop := max(0, w.kept-context-w.at)
		w.buf = w.buf[:copy(w.buf, w.buf[drop:])]
		w.at += drop
		w.buf = slices.Grow(w.buf, 1)
	}
	n, err := w.src.read(w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// skip goes to an offset and keeps the context before it. It ends early where the
// mailbox does.
func (w *window) skip(to int64) error {
	if start := to - context; w.src.file != nil && start > w.end() {
		w.src.off, w.at, w.kept, w.buf = start, start, start, w.buf[:0]
	}
	for !w.eof && w.end() < to {
		w.kept = w.end()
		if err := w.fill(); err != nil {
			return err
		}
	}
	w.kept = min(to, w.end())
	return nil
}

// between returns bytes that are there.
func (w *window) between(start, end int64) []byte { return w.buf[start-w.at : end-w.at] }
