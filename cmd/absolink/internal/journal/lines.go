package journal

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"
)

// The lines of a journal, as they are written, and as they are read.

// Status is the progress of a file.
type Status string

// The statuses, in the order in which a file passes them. The zero value means that the file was
// never ready and has its old bytes.
const (
	Ready  Status = "ready"  // the new bytes are on the disk, under another name
	Done   Status = "done"   // the new bytes replaced the old bytes
	Undone Status = "undone" // the old bytes were put back
)

// chunk is the largest number of old bytes on one line.
const chunk = 48 << 10

// longestLine limits the length of a line that is read. Written lines are shorter, even with a path
// of 4,096 escaped bytes.
const longestLine = 128 << 10

type beginLine struct {
	File       int    `json:"file"`
	Root       int    `json:"root"`
	Path       string `json:"path,omitempty"`
	PathBase64 []byte `json:"path_base64,omitempty"`
	Locked     bool   `json:"locked,omitempty"`
}

type readyLine struct {
	File       int       `json:"file"`
	Status     Status    `json:"status"`
	Size       int64     `json:"size"`
	MTime      time.Time `json:"mtime"`
	Before     string    `json:"before"`
	After      string    `json:"after"`
	Bytes      int64     `json:"bytes"`
	Name       string    `json:"name,omitempty"`
	NameBase64 []byte    `json:"name_base64,omitempty"`
}

type statusLine struct {
	File   int    `json:"file"`
	Status Status `json:"status"`
}

// edit is one replacement. Its offset counts in the old bytes.
type edit struct {
	offset int64
	old    []byte
	size   int64 // of the new bytes
}

// appendEdit appends the line of an edit.
func appendEdit(dst []byte, file int, e edit) []byte {
	dst = fmt.Appendf(dst, `{"file":%d,"offset":%d,"old":"`, file, e.offset)
	dst = base64.StdEncoding.AppendEncode(dst, e.old)
	dst = append(dst, `","new":`...)
	dst = strconv.AppendInt(dst, e.size, 10)
	return append(dst, "}\n"...)
}

// text returns path as a string if it is valid UTF-8, else as bytes.
func text(path string) (string, []byte) {
	if utf8.ValidString(path) {
		return path, nil
	}
	return "", []byte(path)
}

// scanner reads the lines of a journal in order.
type scanner struct {
	r    *bufio.Reader
	at   int64 // offset of line
	next int64 // offset behind line
	line []byte
}

func newScanner(r io.ReaderAt, from, to int64) *scanner {
	return &scanner{r: bufio.NewReaderSize(io.NewSectionReader(r, from, to-from), longestLine), at: from, next: from}
}

// scan goes to the next complete line of a valid length, and reports whether there is one. The line
// is valid until the next call.
func (s *scanner) scan() (bool, error) {
	for {
		s.at = s.next
		line, err := s.r.ReadSlice('\n')
		long := err == bufio.ErrBufferFull
		s.next += int64(len(line))
		for err == bufio.ErrBufferFull {
			line, err = s.r.ReadSlice('\n')
			s.next += int64(len(line))
		}
		switch {
		case err == io.EOF:
			s.next = s.at // the rest is not a complete line
			return false, nil
		case err != nil:
			return false, err
		case long:
			continue
		}
		s.line = line
		return true, nil
	}
}

// file returns the number of the file that the line belongs to, or 0, and whether the line is an
// edit.
func (s *scanner) file() (number int, isEdit bool) {
	rest, ok := bytes.CutPrefix(s.line, []byte(`{"file":`))
	if !ok {
		return 0, false
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	number, err := strconv.Atoi(string(rest[:n]))
	if err != nil || number < 1 {
		return 0, false
	}
	return number, bytes.HasPrefix(rest[n:], []byte(`,"offset":`))
}

// edit returns the edit on the line.
func (s *scanner) edit() (edit, error) {
	var l struct {
		Offset *int64
		Old    []byte
		New    *int64
	}
	err := json.Unmarshal(s.line, &l)
	if err != nil || l.Offset == nil || l.New == nil || *l.Offset < 0 || *l.New < 0 {
		return edit{}, fmt.Errorf("journal: the line at offset %d is damaged", s.at)
	}
	return edit{*l.Offset, l.Old, *l.New}, nil
}
