package mbox

import (
	"io"
	"sync/atomic"
)

// The window reads into blocks of memory, and the Data of small messages is a part of a block. A
// block is used again when neither the window nor a message refers to it.

const (
	windowSize = 512 << 10 // initial size of the window, in bytes

	// readSize is the largest number of bytes that are read at once. The bytes of such a read are
	// still in the cache of the processor when the Reader searches them.
	readSize = 128 << 10
)

// window holds bytes of a source in one block. The bytes before the offset need are not
// needed any more. They stay in the window until fill drops them.
type window struct {
	src   *source
	buf   []byte // bytes of the source, in block
	block *block
	start int64 // offset of buf[0]
	need  int64 // offset of the first byte that is not yet in a message or a store
	eof   bool  // buf ends at the end of the mailbox

	examined int64 // number of bytes that were examined or moved, for tests
}

// block is memory that a window and messages share. The last user releases it.
type block struct {
	mem   []byte
	users atomic.Int32
}

// newBlock returns a block for size bytes. It has one user.
func newBlock(size int) *block {
	b := &block{mem: buffer(size)}
	b.users.Store(1)
	return b
}

// removeUser removes a user of the block. If it was the last one, removeUser frees the memory.
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
	return &window{src: src, block: b, buf: b.mem, start: src.off, need: src.off}
}

// close releases the memory. Afterwards the window is empty, and view reads no more bytes.
func (w *window) close() {
	w.block.removeUser()
	w.start = w.end()
	w.block = nil
	w.buf = nil
	w.eof = true
}

// handOver sets the Data of m to the bytes from w.need to end. It does not copy them.
func (w *window) handOver(m *Message, end int64) {
	b := w.between(w.need, end)
	m.Data = b[:len(b):len(b)]
	m.block = w.block
	w.block.users.Add(1)
	w.need = end
}

// view returns the bytes from an offset to the end of the window. If they are fewer than n, view
// first reads more bytes. It returns fewer than n bytes only at the end of the mailbox. The bytes
// are valid until the next call of a method.
func (w *window) view(offset int64, n int) ([]byte, error) {
	for !w.eof && w.end() < offset+int64(n) {
		if err := w.fill(); err != nil {
			return nil, err
		}
	}
	return w.buf[min(offset, w.end())-w.start:], nil
}

// end returns the offset after the last byte of the window.
func (w *window) end() int64 { return w.start + int64(len(w.buf)) }

// fill reads more bytes. If the window has little room, fill first drops the bytes before w.need.
// It keeps the last lookbehind bytes of them, because w.need may be the start of a separator.
func (w *window) fill() error {
	if cap(w.buf)-len(w.buf) < cap(w.buf)/4 {
		w.keepOnly(w.buf[max(0, w.need-lookbehind-w.start):])
	}
	n, err := w.src.read(w.buf[len(w.buf):min(cap(w.buf), len(w.buf)+readSize)])
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// keepOnly drops all bytes of the window except remaining, its last bytes. They move to the start
// of the block. If a message uses the block, they move to a new block instead. If they fill the
// block, they move to a new block of twice its size.
func (w *window) keepOnly(remaining []byte) {
	w.start = w.end() - int64(len(remaining))
	w.examined += int64(len(remaining))
	if w.block.users.Load() == 1 && len(remaining) < cap(w.buf) {
		w.buf = w.buf[:copy(w.buf, remaining)]
		return
	}
	size := cap(w.buf)
	if len(remaining) == size {
		size *= 2
	}
	next := newBlock(size)
	w.buf = append(next.mem, remaining...)
	w.block.removeUser()
	w.block = next
}

// seek goes forward to an offset, or to the end of the mailbox if the mailbox is shorter. The
// window then also holds the lookbehind bytes before the offset.
func (w *window) seek(offset int64) error {
	if start := offset - lookbehind; w.src.file != nil && start > w.end() {
		w.src.off = start
		w.start = start
		w.need = start
		w.buf = w.buf[:0]
	}
	for !w.eof && w.end() < offset {
		w.need = w.end()
		if err := w.fill(); err != nil {
			return err
		}
	}
	w.need = min(offset, w.end())
	return nil
}

// between returns the bytes of the window between two offsets.
func (w *window) between(start, end int64) []byte { return w.buf[start-w.start : end-w.start] }
