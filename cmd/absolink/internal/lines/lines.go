// Package lines reads lines of bounded length.
package lines

import (
	"bufio"
	"io"
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
