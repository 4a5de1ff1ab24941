// Package lines reads lines of bounded length.
package lines

import (
	"bufio"
	"io"
)

// Next reads a line of in, without its line feed, into the memory of *line. It reports whether the
// line has more than most bytes: *line is its first most bytes then, and the rest is passed over.
// At the end err is io.EOF, also of a last line without a line feed.
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
