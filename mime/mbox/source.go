package mbox

import (
	"errors"
	"io"
	"os"
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
	return &source{pipe: r, tempDir: tempDir}
}

// read fills b with the next bytes, at least one, or returns an error.
func (s *source) read(b []byte) (n int, err error) {
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

// peek fills b with the bytes at an offset that is not yet read. It returns less
// where the mailbox ends, or fails.
func (s *source) peek(b []byte, off int64) (int, error) {
	if s.file != nil {
		n, err := s.file.ReadAt(b, s.base+off)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}
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
	if s.off >= s.end {
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

// close gives back what was kept ahead.
func (s *source) close() {
	if s.ahead != nil {
		s.ahead.Close()
		s.ahead, s.end = nil, 0
	}
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
