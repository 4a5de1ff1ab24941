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

// window holds bytes of a source in one block: the bytes from the offset kept on, and a few before
// it.
type window struct {
	src   *source
	buf   []byte // bytes of the source, in block
	block *block
	at    int64 // offset of buf[0]
	kept  int64 // start of the bytes that the current message still needs
	eof   bool  // buf ends at the end of the mailbox

	examined int64 // number of bytes that were examined or moved, for tests
}

// block is memory that a window and messages share. The last user releases it.
type block struct {
	mem   []byte
	users atomic.Int32
}

// newBlock returns a block for size bytes with one user.
func newBlock(size int) *block {
	b := &block{mem: buffer(size)}
	b.users.Store(1)
	return b
}

// removeUser removes a user of the block.
func (b *block) removeUser() {
	if b.users.Add(-1) > 0 {
		return
	}
	if _, size := sizeClass(cap(b.mem)); size == cap(b.mem) {
		release(b.mem)
	}
	b.mem = nil
}

func newWindow(src *source, size int) *window {
	b := newBlock(size)
	return &window{src: src, block: b, buf: b.mem, at: src.off, kept: src.off}
}

// close releases the memory. Afterwards the window is empty and at the end.
func (w *window) close() {
	w.block.removeUser()
	w.at = w.end()
	w.block = nil
	w.buf = nil
	w.eof = true
}

// handOver makes the bytes from the offset kept to end the Data of m, without a copy.
func (w *window) handOver(m *Message, end int64) {
	b := w.between(w.kept, end)
	m.Data = b[:len(b):len(b)]
	m.block = w.block
	w.block.users.Add(1)
	w.kept = end
}

// view returns the bytes of the window from an offset on. It reads until there are n bytes, or up
// to the end of the mailbox. The bytes are valid until the next call of a method.
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

// fill reads more bytes. If the window has little room, it drops the bytes before kept, except for
// the context that a separator at kept needs.
func (w *window) fill() error {
	if cap(w.buf)-len(w.buf) < cap(w.buf)/4 {
		w.makeRoom(w.buf[max(0, w.kept-lookbehind-w.at):])
	}
	n, err := w.src.read(w.buf[len(w.buf):min(cap(w.buf), len(w.buf)+readSize)])
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// makeRoom drops the bytes before last, which are the last bytes of the window. If no message uses
// the block, it moves last to the start of the block, and otherwise to a new block. The new block
// is larger if last fills the old one.
func (w *window) makeRoom(last []byte) {
	w.at = w.end() - int64(len(last))
	w.examined += int64(len(last))
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
	w.block.removeUser()
	w.block = next
}

// seek goes forward to an offset, or to the end of the mailbox. It keeps the context before the
// offset.
func (w *window) seek(to int64) error {
	if start := to - lookbehind; w.src.file != nil && start > w.end() {
		w.src.off = start
		w.at = start
		w.kept = start
		w.buf = w.buf[:0]
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

// between returns the bytes of the window between two offsets.
func (w *window) between(start, end int64) []byte { return w.buf[start-w.at : end-w.at] }
