package coding

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// File is the decoded content of a file. Unlike [Coding.Reader], which is for data that programs
// send each other, it accepts bytes after the last member of a gzip file, and ignores them as
// gzip(1) does. Copies from tapes and block devices have such bytes, and programs append them.
type File struct {
	io.ReadCloser
	members *members // nil unless the coding is gzip
}

// File returns the decoded content of the file in. The caller must close it. The errors are those
// of [Coding.Reader].
func (c Coding) File(in io.Reader) (*File, error) {
	if c != Gzip {
		r, err := c.Reader(in)
		if err != nil {
			return nil, err
		}
		return &File{ReadCloser: r}, nil
	}
	m := &members{in: bufio.NewReaderSize(in, 32<<10)}
	var err error
	if m.z, err = gzip.NewReader(m.in); err != nil {
		return nil, c.wrap(err)
	}
	m.z.Multistream(false)
	return &File{ReadCloser: &reader{m, c}, members: m}, nil
}

// Trailing returns the number of bytes after the last member of a gzip file, once Read has returned
// io.EOF. stray says that one of them is not NUL.
func (f *File) Trailing() (n int64, stray bool) {
	if f.members == nil {
		return 0, false
	}
	return f.members.trailing, f.members.stray
}

// members reads the gzip members of a file, one after the other (RFC 1952 Section 2.2).
type members struct {
	in       *bufio.Reader
	z        *gzip.Reader
	ended    bool // no further member follows
	trailing int64
	stray    bool
}

func (m *members) Close() error { return m.z.Close() }

func (m *members) Read(p []byte) (int, error) {
	for !m.ended {
		n, err := m.z.Read(p)
		if n > 0 && err == io.EOF {
			return n, nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if err := m.next(); err != nil {
			return 0, err
		}
	}
	return 0, io.EOF
}

// next goes to the next member. After the last member it goes to the end of the file, and counts
// the bytes.
func (m *members) next() error {
	head, err := m.in.Peek(len(magic))
	if len(head) > 0 && isMember(head) {
		if err := m.z.Reset(m.in); err != nil {
			return err
		}
		m.z.Multistream(false)
		return nil
	}
	for err == nil || err == io.EOF {
		b, failed := m.in.Peek(max(1, m.in.Buffered()))
		if len(b) == 0 {
			err = failed
			break
		}
		m.trailing += int64(len(b))
		m.stray = m.stray || len(bytes.Trim(b, "\x00")) > 0
		m.in.Discard(len(b))
	}
	if err != io.EOF {
		return err
	}
	m.ended = true
	return nil
}

// magic begins a member: its identification bytes and its method.
const magic = "\x1f\x8b\x08"

// isMember reports whether head is the start of a member. The member may be cut short, or damaged
// in one of these bytes.
func isMember(head []byte) bool {
	same := 0
	for i := range head {
		if head[i] == magic[i] {
			same++
		}
	}
	return same == len(head) || same >= 2
}
