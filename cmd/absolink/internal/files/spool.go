package files

import (
	"bytes"
	"io"
	"os"
)

// Spool stores the bytes that are written to it: up to 256 KiB in memory, and more in a file
// without a name. The caller must close it. The zero value is empty.
type Spool struct {
	held bytes.Buffer
	file *os.File
	size int64
}

// maxInMemory is the largest size in bytes that a Spool keeps in memory. There can be very many
// Spools at once.
const maxInMemory = 256 << 10

func (s *Spool) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	if s.file == nil && s.size <= maxInMemory {
		return s.held.Write(b)
	}
	if s.file == nil {
		f, err := Nameless()
		if err != nil {
			return 0, err
		}
		s.file = f
		if _, err := f.Write(s.held.Bytes()); err != nil {
			return 0, err
		}
		s.held = bytes.Buffer{}
	}
	return s.file.Write(b)
}

// Size returns the number of bytes that were written.
func (s *Spool) Size() int64 { return s.size }

// WriteTo writes all bytes to w. It implements io.WriterTo.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	if s.file == nil {
		n, err := w.Write(s.held.Bytes())
		return int64(n), err
	}
	return io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
}

// Close frees the memory and the file.
func (s *Spool) Close() error {
	s.held = bytes.Buffer{}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
