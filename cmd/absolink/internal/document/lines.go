package document

import (
	"bytes"
	"io"
)

// lines tells the lines of offsets. It counts line feeds from the last offset
// that it was asked for, and from the beginning only for one that lies before.
type lines struct {
	r    io.ReaderAt
	size int64
	data []byte // all of r, if it is held in memory
	buf  []byte

	at    int64 // offset that is counted up to
	line  int64 // lines that end before at
	begin int64 // where the line of at begins
}

const window = 64 << 10

func (l *lines) reset(r io.ReaderAt, size int64, data []byte) {
	*l = lines{r: r, size: size, data: data, buf: l.buf}
}

// position returns line and column of an offset, from 1. What cannot be read
// counts as no line end.
func (l *lines) position(offset int64) (line, column int64) {
	offset = min(offset, l.size)
	if offset < l.at {
		l.at, l.line, l.begin = 0, 0, 0
	}
	for l.at < offset {
		l.count(offset)
	}
	return l.line + 1, offset - l.begin + 1
}

// count counts on by at most one window.
func (l *lines) count(offset int64) {
	n := min(offset-l.at, window)
	b := l.view(n)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		l.line += int64(bytes.Count(b, []byte{'\n'}))
		l.begin = l.at + int64(i) + 1
	}
	l.at += n
}

// view returns n bytes from where the count is, or less where they can't be read.
func (l *lines) view(n int64) []byte {
	if l.data != nil {
		return l.data[l.at : l.at+n]
	}
	if l.buf == nil {
		l.buf = make([]byte, window)
	}
	got, _ := l.r.ReadAt(l.buf[:n], l.at)
	return l.buf[:got]
}
