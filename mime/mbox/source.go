package mbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// source is the file or pipe that a mailbox comes from. It is read in order, and
// can be looked at further on: a file by its offsets, a pipe by keeping what was
// read ahead in a temporary file until its turn comes. So a pipe is read once, and
// what is kept of it is kept once, however often something further on is looked at.
type source struct {
	off int64 // of the next byte that read returns

	file io.ReaderAt // nil for a pipe
	base int64       // offset in file of the mailbox's first byte

	pipe    io.Reader
	tempDir string
	ahead   *os.File // bytes of the pipe from off up to end, the first of them at aheadAt
	aheadAt int64
	end     int64
	err     error // of the pipe, after the bytes ahead

	mu     sync.Mutex // of a pipe, at which messages look while it is read
	users  atomic.Int32
	wanted int  // fields that lead astray: bytes ahead may be looked at after they were read
	holds  bool // bytes ahead from aheadAt on stay, also those that were read

	lengths lengths // of the messages that were admitted
}

// newSource takes r for a file if it has offsets and can be sought in.
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

// peek fills b with the bytes at an offset that is not yet read, or is held. It returns
// less where the mailbox ends, or fails.
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

// keep reads the pipe up to an offset, or to its end.
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

// readAhead reads what keep has kept.
func (s *source) readAhead(b []byte, off int64) (int, error) {
	n, err := s.ahead.ReadAt(b[:min(int64(len(b)), s.end-off)], off-s.aheadAt)
	if n > 0 {
		err = nil
	}
	return n, err
}

// maxHeld is how many bytes of a pipe are held though no message needs them any more: to
// begin again costs a window.
const maxHeld = 64 << 20

// hold has what follows stay until forget is called as often, though it is read: read
// is what was read of it already.
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

// forget takes n calls of hold back.
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

// join adds a user to those that must leave before what is kept ahead goes.
func (s *source) join() { s.users.Add(1) }

// leave gives back what was kept ahead after the last user.
func (s *source) leave() {
	if s.users.Add(-1) > 0 || s.ahead == nil {
		return
	}
	s.ahead.Close()
	s.ahead, s.end = nil, 0
}

// temporary creates a file that goes when it is closed.
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
