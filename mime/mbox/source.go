package mbox

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// source is the file or pipe that contains a mailbox. read returns its bytes in order. peek returns
// bytes that read has not reached yet.
//
// A pipe gives each byte only once. So peek stores the bytes that it takes from the pipe in a
// temporary file, and read later returns them from there. When read has returned all stored bytes,
// the next peek overwrites them.
//
// [Message.Admit] may need bytes that read has already returned. It examines the offset to which an
// invalid Content-Length leads, and the Reader may be past this offset. So the Reader calls hold
// after each message with such a field. The temporary file then keeps all bytes after this message.
// Admit calls unhold when the written mailbox has passed the offset. When no message needs the
// stored bytes and they are more than maxHeld, the source stops keeping them.
type source struct {
	off int64 // offset of the next byte that read returns

	file      io.ReaderAt // nil for a pipe
	fileStart int64       // offset of the mailbox in file

	pipe        io.Reader
	tempDir     string
	stored      *os.File // the bytes of the pipe from storedStart to storedEnd; nil if no byte was stored yet
	storedStart int64
	storedEnd   int64
	err         error // error of the last read of the pipe, or of storing its bytes

	mu      sync.Mutex   // guards the fields of a pipe: Admit may call peek while the Reader calls read
	users   atomic.Int32 // number of users: the Reader, and its messages if Options.Lengths is set
	holders int          // number of calls of hold that unhold has not cancelled
	holding bool         // stored keeps the bytes that read has returned

	lengths lengthChecker // state of Message.Admit
}

// newSource returns the source for r. r counts as a file if it is an io.ReaderAt and can seek.
// Otherwise it counts as a pipe.
func newSource(r io.Reader, tempDir string) *source {
	file, ok := r.(io.ReaderAt)
	seeker, canSeek := r.(io.Seeker)
	if ok && canSeek {
		if start, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			return &source{file: file, fileStart: start}
		}
	}
	s := &source{pipe: r, tempDir: tempDir}
	s.users.Store(1)
	return s
}

// read reads the next bytes into b. It reads at least one byte, or returns an error.
func (s *source) read(b []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holders == 0 && s.storedEnd-s.storedStart > maxHeld {
		s.holding = false
	}
	if s.holding {
		if err := s.storeUntil(s.off + 1); err != nil {
			return 0, err
		}
	}
	switch {
	case s.file != nil:
		n, err = s.file.ReadAt(b, s.fileStart+s.off)
	case s.off < s.storedEnd:
		n, err = s.readStored(b, s.off)
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

// maxEmptyReads is a number of successive reads. After so many reads without a byte, a pipe counts
// as broken.
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

// peek fills b with the bytes at an offset. read must not have returned them yet, unless hold keeps
// them. If the mailbox ends before b is full, peek returns fewer bytes and no error. If reading
// fails, peek returns the error: the caller must not take this for the end of the mailbox.
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
	case s.storedEnd < end && s.err != io.EOF:
		return 0, s.err
	case s.storedEnd <= off:
		return 0, nil
	}
	return s.readStored(b, off)
}

// storeUntil reads the pipe at least up to the offset end, and stores the bytes in the temporary
// file. If the pipe ends or breaks before, storeUntil sets s.err and returns nil. It returns an
// error only if the temporary file fails.
func (s *source) storeUntil(end int64) error {
	if s.off >= s.storedEnd && !s.holding {
		s.storedStart = s.off
		s.storedEnd = s.off
	}
	if s.storedEnd >= end || s.err != nil {
		return nil
	}
	if s.stored == nil {
		f, err := temporary(s.tempDir)
		if err != nil {
			return err
		}
		s.stored = f
	}
	buf := make([]byte, 64<<10)
	for s.storedEnd < end && s.err == nil {
		var n int
		n, s.err = readSome(s.pipe, buf)
		if _, err := s.stored.WriteAt(buf[:n], s.storedEnd-s.storedStart); err != nil {
			s.err = err // the bytes in buf are lost, so the bytes after them must not be read
			return err
		}
		s.storedEnd += int64(n)
	}
	return nil
}

// readStored reads stored bytes at an offset.
func (s *source) readStored(b []byte, off int64) (int, error) {
	n, err := s.stored.ReadAt(b[:min(int64(len(b)), s.storedEnd-off)], off-s.storedStart)
	if n > 0 {
		err = nil
	}
	return n, err
}

// maxHeld is the largest number of stored bytes that are kept although no message needs them. While
// they are kept, the next call of hold uses the same temporary file, and copies nothing.
const maxHeld = 64 << 20

// hold keeps all bytes after the current message until unhold cancels the call. alreadyRead holds
// the bytes after the message that read has already returned. hold copies them and the stored bytes
// to a new temporary file. If the source still keeps them since an earlier call, hold copies
// nothing.
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
	if err == nil && s.off < s.storedEnd {
		_, err = io.Copy(f, io.NewSectionReader(s.stored, s.off-s.storedStart, s.storedEnd-s.off))
	}
	if err != nil {
		f.Close()
		return err
	}
	if s.stored != nil {
		s.stored.Close()
	}
	s.stored = f
	s.storedStart = s.off - int64(len(alreadyRead))
	s.storedEnd = max(s.off, s.storedEnd)
	s.holding = true
	return nil
}

// unhold cancels n calls of hold. When all calls are cancelled and the stored bytes are more than
// maxHeld, read stops keeping them.
func (s *source) unhold(n int) {
	if n == 0 || s.file != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holders -= n
}

// addUser adds a user. The temporary file stays until all users are removed.
func (s *source) addUser() { s.users.Add(1) }

// removeUser removes a user. If it was the last one, removeUser deletes the temporary file.
func (s *source) removeUser() {
	if s.users.Add(-1) > 0 || s.stored == nil {
		return
	}
	s.stored.Close()
	s.stored = nil
	s.storedEnd = 0
}
