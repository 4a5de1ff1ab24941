package files

import (
	"bytes"
	"io"
	"os"
)

// Spool keeps what is written to it: in memory while it is small, else in a file without a name. It
// must be closed. The zero value is empty.
type Spool struct {
	held bytes.Buffer
	file *os.File
	size int64
}

// inMemory is the size up to which a Spool stays in memory: very many can be under way.
const inMemory = 256 << 10

func (s *Spool) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	if s.file == nil && s.size <= inMemory {
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

// Size returns how many bytes were written.
func (s *Spool) Size() int64 { return s.size }

// WriteTo writes all of it to w. It implements io.WriterTo.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	if s.file == nil {
		n, err := w.Write(s.held.Bytes())
		return int64(n), err
	}
	return io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
}

// Close gives memory and file back.
func (s *Spool) Close() error {
	s.held = bytes.Buffer{}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
