// Package lines reads lines of bounded length, and lists of a user as UTF-8.
package lines

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Next reads a line of in, without its line feed, into the memory of *line. A line of more than
// most bytes is cut to its first most bytes, and long is true. At the end err is io.EOF. A last
// line without a line feed also comes with io.EOF.
func Next(in *bufio.Reader, line *[]byte, most int) (long bool, err error) {
	*line = (*line)[:0]
	for {
		piece, err := in.ReadSlice('\n')
		if err == nil {
			piece = piece[:len(piece)-1]
		}
		if room := most - len(*line); len(piece) > room {
			piece, long = piece[:room], true
		}
		*line = append(*line, piece...)
		if err != bufio.ErrBufferFull {
			return long, err
		}
	}
}

// Reader returns r with a buffer that suits Next.
func Reader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 64<<10) }

// UTF8 returns the text of r as UTF-8, without a byte order mark. The text must be UTF-8, or UTF-16
// with a byte order mark, as PowerShell writes it. Without such a mark the text comes as soon as r
// has it, even a line of one byte.
func UTF8(r io.Reader) io.Reader { return &text{in: bufio.NewReader(r)} }

// text reads the text of in as UTF-8.
type text struct {
	in  *bufio.Reader
	out io.Reader // nil before the first read
}

func (t *text) Read(p []byte) (int, error) {
	if t.out == nil {
		first, err := t.in.Peek(1)
		if err != nil {
			return 0, err
		}
		t.out = t.in
		switch first[0] {
		case 0xef, 0xfe, 0xff: // perhaps of a byte order mark; the decoder waits for three bytes
			t.out = transform.NewReader(t.in, unicode.BOMOverride(transform.Nop))
		}
	}
	return t.out.Read(p)
}
