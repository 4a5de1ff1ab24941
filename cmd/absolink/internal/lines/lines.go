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
// with a byte order mark, as PowerShell writes it.
func UTF8(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}
