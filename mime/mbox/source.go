package mbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// source is the file or pipe that holds a mailbox. It is read in order, and peek can examine bytes
// further on. In a file, peek reads at an offset. From a pipe, it reads ahead and keeps the bytes
// in a temporary file until their turn comes. So a pipe is read once and each byte is kept at most
// once, however often peek is called.
type source struct {
	off int64 // offset of the next byte that read returns

	file io.ReaderAt // nil for a pipe
	base int64       // offset in file of the mailbox's first byte

	pipe    io.Reader
	tempDir string
	ahead   *os.File // bytes of the pipe up to end; the first of them has the offset aheadAt
	aheadAt int64
	end     int64
	err     error // error of the pipe, after the bytes ahead

	mu     sync.Mutex // guards a pipe: messages peek while it is read
	users  atomic.Int32
	wanted int  // wrong fields whose messages may still peek at bytes that were read
	holds  bool // bytes from aheadAt on stay, even after they were read

	lengths lengths // of the messages that were admitted
}

// newSource treats r as a file if r is an io.ReaderAt and can seek.
func newSource(r io.Reader, tempDir string) *source {
	at, ok := r.(io.ReaderAt)
	seeker, can := r.(io.Seeker)
	if ok && can {
		if base, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			return &source{file: at, base: base}
		}
	}
	s := &source{pipe: r, tempDir: tempDir}
	s.users.Store(1)
	return s
}

// read fills b with the next bytes, at least one, or returns an error.
func (s *source) read(b []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds {
		if err := s.keep(s.off + 1); err != nil {
			return 0, err
		}
	}
	switch {
	case s.file != nil:
		n, err = s.file.ReadAt(b, s.base+s.off)
	case s.off < s.end:
		n, err = s.readAhead(b, s.off)
	case s.err != nil:
		return 0, s.err
	default:
		n, err = readSome(s.pipe, b)
		s.err = err
	}
	s.off += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// readSome reads at least one byte, or returns an error.
func readSome(r io.Reader, b []byte) (n int, err error) {
	for range 100 {
		if n, err = r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// peek fills b with the bytes at an offset that is not yet read, or that is held. It returns fewer
// bytes at the end of the mailbox, or an error.
func (s *source) peek(b []byte, off int64) (int, error) {
	if s.file != nil {
		n, err := s.file.ReadAt(b, s.base+off)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.keep(off + int64(len(b))); err != nil {
		return 0, err
	}
	if off >= s.end {
		return 0, nil
	}
	return s.readAhead(b, off)
}

// keep reads the pipe up to an offset, or to its end, into the temporary file.
func (s *source) keep(to int64) error {
	if s.off >= s.end && !s.holds {
		s.aheadAt, s.end = s.off, s.off
	}
	if s.end >= to || s.err != nil {
		return nil
	}
	if s.ahead == nil {
		f, err := temporary(s.tempDir)
		if err != nil {
			return err
		}
		s.ahead = f
	}
	buf := make([]byte, 64<<10)
	for s.end < to && s.err == nil {
		var n int
		n, s.err = readSome(s.pipe, buf)
		if _, err := s.ahead.WriteAt(buf[:n], s.end-s.aheadAt); err != nil {
			return err
		}
		s.end += int64(n)
	}
	return nil
}

// readAhead reads bytes that keep has stored.
func (s *source) readAhead(b []byte, off int64) (int, error) {
	n, err := s.ahead.ReadAt(b[:min(int64(len(b)), s.end-off)], off-s.aheadAt)
	if n > 0 {
		err = nil
	}
	return n, err
}

// maxHeld is the number of bytes of a pipe that are held even if no message needs them any more.
// Starting a new temporary file would cost a window.
const maxHeld = 64 << 20

// hold keeps the bytes that follow, even after they were read, until forget is called as often as
// hold. read holds the bytes of the window that were already read.
func (s *source) hold(read []byte) error {
	if s.file != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted++
	if s.holds {
		return nil
	}
	f, err := temporary(s.tempDir)
	if err != nil {
		return err
	}
	_, err = f.Write(read)
	if err == nil && s.off < s.end {
		_, err = io.Copy(f, io.NewSectionReader(s.ahead, s.off-s.aheadAt, s.end-s.off))
	}
	if err != nil {
		f.Close()
		return err
	}
	if s.ahead != nil {
		s.ahead.Close()
	}
	s.ahead, s.aheadAt, s.end, s.holds = f, s.off-int64(len(read)), max(s.off, s.end), true
	return nil
}

// forget cancels n calls of hold.
func (s *source) forget(n int) {
	if n == 0 || s.file != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted -= n
	if s.wanted == 0 && s.end-s.aheadAt > maxHeld {
		s.holds = false
	}
}

// join adds a user. The bytes ahead are kept until all users leave.
func (s *source) join() { s.users.Add(1) }

// leave removes a user. After the last user it deletes the bytes ahead.
func (s *source) leave() {
	if s.users.Add(-1) > 0 || s.ahead == nil {
		return
	}
	s.ahead.Close()
	s.ahead, s.end = nil, 0
}

// temporary creates a file that disappears when it is closed.
func temporary(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".absolink-*.spool")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Close()
		return nil, err
	}
	return f, nil
}
