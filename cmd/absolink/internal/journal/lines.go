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

// This file has the forms of the lines after the first line, and a scanner for them. The scanner
// recognises the form of a line by its first bytes. Therefore the file number is the first field of
// each form, and the offset is the second field of an edit.

// Status is the progress of the replacement of a file.
type Status string

// The statuses, in their order. A file that was never ready has none of them, and has its old
// bytes.
const (
	Ready  Status = "ready"  // the new bytes are on the disk, under another name
	Done   Status = "done"   // the new bytes replaced the old bytes
	Undone Status = "undone" // the old bytes were put back
)

// chunk is the largest number of old bytes in one line.
const chunk = 48 << 10

// longestLine is the size limit of a line in bytes. Longer lines are ignored. Written lines are
// shorter, even with a path of 4,096 escaped bytes.
const longestLine = 128 << 10

// usualLine is the number of bytes that readLine reads first. Few lines are longer.
const usualLine = 4 << 10

// beginLine is the first line of a file.
type beginLine struct {
	File       int    `json:"file"`
	Root       int    `json:"root"`
	Path       string `json:"path,omitempty"`
	PathBase64 []byte `json:"path_base64,omitempty"`
	Locked     bool   `json:"locked,omitempty"`
}

// readyLine is the line that makes a file ready.
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

// statusLine is a line with any other status.
type statusLine struct {
	File   int    `json:"file"`
	Status Status `json:"status"`
}

// edit is the replacement of bytes of the old file.
type edit struct {
	offset int64 // offset in the old file
	old    []byte
	size   int64 // number of new bytes
}

// appendEdit appends the line of an edit.
func appendEdit(dst []byte, file int, e edit) []byte {
	dst = fmt.Appendf(dst, `{"file":%d,"offset":%d,"old":"`, file, e.offset)
	dst = base64.StdEncoding.AppendEncode(dst, e.old)
	dst = append(dst, `","new":`...)
	dst = strconv.AppendInt(dst, e.size, 10)
	return append(dst, "}\n"...)
}

// textOrBytes returns path as a string if it is valid UTF-8, and otherwise as bytes.
func textOrBytes(path string) (string, []byte) {
	if utf8.ValidString(path) {
		return path, nil
	}
	return "", []byte(path)
}

// scanner reads the lines of a journal in order.
type scanner struct {
	r    *bufio.Reader
	at   int64  // offset of line
	next int64  // offset after line
	line []byte // the line that scan found last
}

func newScanner(r io.ReaderAt, from, to int64) *scanner {
	size := int(min(to-from, longestLine))
	return &scanner{r: bufio.NewReaderSize(io.NewSectionReader(r, from, to-from), size), at: from, next: from}
}

// scan reads the next complete line of at most longestLine bytes into s.line. It returns false if
// there is no such line. s.line is valid until the next call.
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

// fileNumber returns the number of the file to which s.line belongs, or 0 if the line is damaged.
// isEdit is true if the line is an edit.
func (s *scanner) fileNumber() (number int, isEdit bool) {
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

// parseEdit returns the edit in s.line.
func (s *scanner) parseEdit() (edit, error) {
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
