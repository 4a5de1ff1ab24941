package mbox

import (
	"io"
	"math/bits"
	"os"
	"sync"
)

// store collects the bytes of a message that does not fit into the window: in
// memory up to hold bytes, above that nowhere if the mailbox is a file, else in a
// temporary one.
type store struct {
	src  *source
	hold int
	dir  string

	mem  []byte
	size int64
	file *os.File
}

func (s *store) empty() bool { return s.size == 0 }

func (s *store) add(b []byte) error {
	held := s.size <= int64(s.hold)
	s.size += int64(len(b))
	switch {
	case s.size <= int64(s.hold):
		s.mem = add(s.mem, b)
		return nil
	case s.src.file != nil:
		s.mem = s.mem[:0]
		return nil
	case held:
		f, err := temporary(s.dir)
		if err != nil {
			return err
		}
		s.file = f
		if _, err := f.Write(s.mem); err != nil {
			return err
		}
		s.mem = s.mem[:0]
	}
	_, err := s.file.Write(b)
	return err
}

// take gives m what was collected and begins anew.
func (s *store) take(m *Message) {
	switch {
	case s.file != nil:
		m.at, m.file = s.file, s.file
	case s.size > int64(s.hold):
		m.at = io.NewSectionReader(s.src.file, s.src.base+m.Offset, m.size)
	default:
		m.Data = s.data()
	}
	s.mem, s.size, s.file = s.mem[:0], 0, nil
}

// data returns what is held in a buffer of the message's own: the one that it is in,
// unless much of that were left.
func (s *store) data() []byte {
	if len(s.mem) < cap(s.mem)/4*3 {
		return clone(s.mem)
	}
	b := s.mem
	s.mem = nil
	return b
}

// drop forgets what was collected.
func (s *store) drop() {
	if s.file != nil {
		s.file.Close()
	}
	s.mem, s.size, s.file = nil, 0, nil
}

// Buffers are used again. Their sizes are powers of two and three steps between
// them, so that a message holds little more than its size.
var pools [4 * 64]sync.Pool

const leastBuffer = 1 << 10

// class returns the number of the smallest size of buffers that holds n bytes, and
// that size.
func class(n int) (k, size int) {
	n = max(n, leastBuffer)
	shift := bits.Len(uint(n-1)) - 3 // a size is 5 to 8 quarters of half a power
	steps := (n + 1<<shift - 1) >> shift
	return 4*shift + steps - 5, steps << shift
}

// buffer returns an empty buffer for n bytes that release gives back.
func buffer(n int) []byte {
	k, size := class(n)
	if p, ok := pools[k].Get().(*[]byte); ok {
		return *p
	}
	return make([]byte, 0, size)
}

// clone returns a copy of b in a buffer.
func clone(b []byte) []byte { return append(buffer(len(b)), b...) }

// add appends b to what is in a buffer, which is another one if it must grow.
func add(to, b []byte) []byte {
	if n := len(to) + len(b); n > cap(to) {
		grown := append(buffer(max(n, 2*cap(to))), to...)
		if to != nil {
			release(to)
		}
		to = grown
	}
	return append(to, b...)
}

// release gives a buffer of clone back.
func release(b []byte) {
	b = b[:0]
	k, _ := class(cap(b))
	pools[k].Put(&b)
}
