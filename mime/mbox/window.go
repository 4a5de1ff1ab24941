package mbox

import (
	"io"
	"sync/atomic"
)

// The window reads into blocks of memory, and messages refer to these blocks. A block is reused
// when neither the window nor a message refers to it.

const (
	windowSize = 512 << 10
	readSize   = 128 << 10 // bytes read at once; few enough to stay in the processor's cache until they are scanned
)

// window views the bytes of a source through one block, from a kept offset on.
type window struct {
	src   *source
	buf   []byte // of block
	block *block
	at    int64 // offset of buf[0]
	kept  int64 // bytes from here on are needed again
	eof   bool  // buf ends at the end of the mailbox

	looked int64 // bytes that were examined or moved; tests compare it with the size
}

// block is memory that a window and messages share.
type block struct {
	mem   []byte
	users atomic.Int32
}

func newBlock(size int) *block {
	b := &block{mem: buffer(size)}
	b.users.Store(1)
	return b
}

// leave ends one use of the block.
func (b *block) leave() {
	if b.users.Add(-1) > 0 {
		return
	}
	if _, size := class(cap(b.mem)); size == cap(b.mem) {
		release(b.mem)
	}
	b.mem = nil
}

func newWindow(src *source, size int) *window {
	b := newBlock(size)
	return &window{src: src, block: b, buf: b.mem, at: src.off, kept: src.off}
}

// close gives the memory back. Afterwards no bytes can be viewed.
func (w *window) close() {
	w.block.leave()
	w.at = w.end()
	w.block = nil
	w.buf = nil
	w.eof = true
}

// give hands the bytes from the kept offset to end over to m, without copying them.
func (w *window) give(m *Message, end int64) {
	b := w.between(w.kept, end)
	m.Data = b[:len(b):len(b)]
	m.block = w.block
	w.block.users.Add(1)
	w.kept = end
}

// view returns the bytes of the window from an offset on: at least n bytes, or all bytes up to the
// end of the mailbox. They are valid until the next call.
func (w *window) view(from int64, n int) ([]byte, error) {
	for !w.eof && w.end() < from+int64(n) {
		if err := w.fill(); err != nil {
			return nil, err
		}
	}
	return w.buf[min(from, w.end())-w.at:], nil
}

// end returns the offset after the last byte of the window.
func (w *window) end() int64 { return w.at + int64(len(w.buf)) }

// fill reads more bytes. If the window has little room, it drops the bytes before the kept offset,
// except for the context of a separator.
func (w *window) fill() error {
	if cap(w.buf)-len(w.buf) < cap(w.buf)/4 {
		w.move(w.buf[max(0, w.kept-context-w.at):])
	}
	n, err := w.src.read(w.buf[len(w.buf):min(cap(w.buf), len(w.buf)+readSize)])
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// move makes room after the last bytes of the window. It reuses the block if no message refers to
// it, otherwise it takes another block. The next block is larger only if these bytes fill this one.
func (w *window) move(last []byte) {
	w.at = w.end() - int64(len(last))
	w.looked += int64(len(last))
	if w.block.users.Load() == 1 && len(last) < cap(w.buf) {
		w.buf = w.buf[:copy(w.buf, last)]
		return
	}
	size := cap(w.buf)
	if len(last) == size {
		size *= 2
	}
	next := newBlock(size)
	w.buf = append(next.mem, last...)
	w.block.leave()
	w.block = next
}

// skip goes to an offset and keeps the context before it. It stops at the end of the mailbox.
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

// between returns bytes of the window.
func (w *window) between(start, end int64) []byte { return w.buf[start-w.at : end-w.at] }
