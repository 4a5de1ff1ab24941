package mbox

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// source is the file or pipe that contains a mailbox. read returns its bytes in order, and peek
// examines bytes further on. To peek in a pipe, source reads ahead, and stores the bytes in a
// temporary file until read returns them. So it reads and stores each byte of a pipe only once.
type source struct {
	off int64 // offset of the next byte that read returns

	file      io.ReaderAt // nil for a pipe
	fileStart int64       // offset of the mailbox in file

	pipe    io.Reader
	tempDir string
	ahead   *os.File // stored bytes of the pipe, from aheadAt to end
	aheadAt int64
	end     int64
	err     error // error of the pipe at end

	mu      sync.Mutex   // guards the fields of a pipe: messages peek while the Reader reads
	users   atomic.Int32 // the Reader and its messages
	holders int          // number of calls of hold that unhold has not cancelled
	holding bool         // stored bytes stay, even after read has returned them

	lengths lengthChecker // state of Message.Admit
}

// newSource returns the source for r. r counts as a file if it is an io.ReaderAt and can seek, and
// otherwise as a pipe.
func newSource(r io.Reader, tempDir string) *source {
	at, ok := r.(io.ReaderAt)
	seeker, canSeek := r.(io.Seeker)
	if ok && canSeek {
		if base, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			return &source{file: at, fileStart: base}
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
	if s.holding {
		if err := s.storeUntil(s.off + 1); err != nil {
			return 0, err
		}
	}
	switch {
	case s.file != nil:
		n, err = s.file.ReadAt(b, s.fileStart+s.off)
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

// maxEmptyReads is the number of reads without a byte after which a pipe counts as broken.
const maxEmptyReads = 100

// readSome reads at least one byte of r, or returns an error.
func readSome(r io.Reader, b []byte) (n int, err error) {
	for range maxEmptyReads {
		if n, err = r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// peek fills b with the bytes at an offset. read must not have returned them yet, unless they are
// held. If the mailbox ends before b is full, peek returns fewer bytes and no error. If reading
// fails, it returns the error: the bytes before the fault do not end the mailbox.
func (s *source) peek(b []byte, off int64) (int, error) {
	if s.file != nil {
		n, err := s.file.ReadAt(b, s.fileStart+off)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := off + int64(len(b))
	if err := s.storeUntil(end); err != nil {
		return 0, err
	}
	switch {
	case s.end < end && s.err != io.EOF:
		return 0, s.err
	case s.end <= off:
		return 0, nil
	}
	return s.readAhead(b, off)
}

// storeUntil reads the pipe up to an offset, or to its end, and stores the bytes in the temporary
// file.
func (s *source) storeUntil(to int64) error {
	if s.off >= s.end && !s.holding {
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
			s.err = err // the bytes in buf are lost: nothing after them may be read
			return err
		}
		s.end += int64(n)
	}
	return nil
}

// readAhead reads stored bytes at an offset.
func (s *source) readAhead(b []byte, off int64) (int, error) {
	n, err := s.ahead.ReadAt(b[:min(int64(len(b)), s.end-off)], off-s.aheadAt)
	if n > 0 {
		err = nil
	}
	return n, err
}

// maxHeld is the number of stored bytes that stay even if no message needs them any more. A new
// temporary file would cost more: it begins with the bytes of a window.
const maxHeld = 64 << 20

// hold keeps the bytes after the current message, even after read has returned them, until unhold
// cancels the call. alreadyRead contains the bytes after the message that read has returned so far.
func (s *source) hold(alreadyRead []byte) error {
	if s.file != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holders++
	if s.holding {
		return nil
	}
	f, err := temporary(s.tempDir)
	if err != nil {
		return err
	}
	_, err = f.Write(alreadyRead)
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
	s.ahead = f
	s.aheadAt = s.off - int64(len(alreadyRead))
	s.end = max(s.off, s.end)
	s.holding = true
	return nil
}

// unhold cancels n calls of hold.
func (s *source) unhold(n int) {
	if n == 0 || s.file != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holders -= n
	if s.holders == 0 && s.end-s.aheadAt > maxHeld {
		s.holding = false
	}
}

// addUser adds a user. The stored bytes stay until removeUser was called for all users.
func (s *source) addUser() { s.users.Add(1) }

// removeUser removes a user. After the last user it deletes the stored bytes.
func (s *source) removeUser() {
	if s.users.Add(-1) > 0 || s.ahead == nil {
		return
	}
	s.ahead.Close()
	s.ahead, s.end = nil, 0
}
