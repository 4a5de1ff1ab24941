package mbox

import (
	"io"
	"math/bits"
	"os"
	"sync"
)

// pieceSize is the size of a piece of a store, in bytes.
const pieceSize = 256 << 10

// store collects the bytes of a message that does not fit into the window. It holds up to
// maxInMemory bytes in memory. If a message is larger, store moves the bytes to a temporary file.
// If the mailbox is a file, store drops them instead.
//
// The size of the message is not known before its end, so the bytes are collected in pieces. At the
// end of the message they are copied once, to a buffer of the right size. The pieces are used again
// for the next message.
type store struct {
	src         *source
	maxInMemory int
	dir         string

	size   int64
	pieces [][]byte // pieces[:last] are full
	last   int      // index of the piece that is filled next
	file   *os.File
}

func (s *store) empty() bool { return s.size == 0 }

// add adds b to the message.
func (s *store) add(b []byte) error {
	inMemory := s.size <= int64(s.maxInMemory) // the bytes before b are in memory
	s.size += int64(len(b))
	switch {
	case s.size <= int64(s.maxInMemory):
		s.addToPieces(b)
		return nil
	case s.src.file != nil:
		return nil
	case inMemory:
		if err := s.spool(); err != nil {
			return err
		}
	}
	_, err := s.file.Write(b)
	return err
}

// addToPieces adds b to the pieces.
func (s *store) addToPieces(b []byte) {
	for len(b) > 0 {
		if s.last == len(s.pieces) {
			s.pieces = append(s.pieces, make([]byte, 0, pieceSize))
		}
		p := s.pieces[s.last]
		n := min(len(b), cap(p)-len(p))
		s.pieces[s.last] = append(p, b[:n]...)
		b = b[n:]
		if len(b) > 0 {
			s.last++
		}
	}
}

// spool moves the pieces to a temporary file.
func (s *store) spool() (err error) {
	if s.file, err = temporary(s.dir); err != nil {
		return err
	}
	for _, p := range s.pieces {
		if _, err := s.file.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// moveTo gives the collected bytes to m, and empties the store.
func (s *store) moveTo(m *Message) {
	switch {
	case s.file != nil:
		m.reader, m.file = s.file, s.file
	case s.size > int64(s.maxInMemory):
		m.reader = io.NewSectionReader(s.src.file, s.src.fileStart+m.Offset, m.size)
	default:
		m.Data = buffer(int(s.size))
		for _, p := range s.pieces {
			m.Data = append(m.Data, p...)
		}
	}
	for i := range s.pieces {
		s.pieces[i] = s.pieces[i][:0]
	}
	s.size, s.last, s.file = 0, 0, nil
}

// drop deletes the collected bytes, and frees the pieces.
func (s *store) drop() {
	if s.file != nil {
		s.file.Close()
	}
	s.size, s.pieces, s.last, s.file = 0, nil, 0, nil
}

// pools hold free buffers by size, for the bytes of a message or of a block. The sizes are the
// powers of two, and three sizes between each power and the next. So a buffer is at most a quarter
// larger than necessary.
var pools [4 * 64]sync.Pool

// minBuffer is the size of the smallest buffer, in bytes.
const minBuffer = 1 << 10

// sizeClass returns the size of a buffer for n bytes, and the index k of the pool with this size.
func sizeClass(n int) (k, size int) {
	n = max(n, minBuffer)
	shift := bits.Len(uint(n-1)) - 3 // a size is 5, 6, 7 or 8 times 1<<shift
	steps := (n + 1<<shift - 1) >> shift
	return 4*shift + steps, steps << shift
}

// buffer returns an empty buffer for n bytes. The caller gives it back with release.
func buffer(n int) []byte {
	k, size := sizeClass(n)
	if p, ok := pools[k].Get().(*[]byte); ok {
		return *p
	}
	return make([]byte, 0, size)
}

// release puts a buffer back into its pool.
func release(b []byte) {
	b = b[:0]
	k, _ := sizeClass(cap(b))
	pools[k].Put(&b)
}
