package document

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

// lines tells the lines of offsets. It counts line feeds from the last offset
// that it was asked for, and from the beginning only for one that lies before.
type lines struct {
	r      io.ReaderAt
	origin int64 // offset of the source at which r begins
	size   int64
	data   []byte // all of r, if it is held in memory
	first  int64  // the line in which r begins; 0 if that is not known
	buf    []byte

	at    int64 // offset in r that is counted up to
	line  int64 // lines that end before at
	begin int64 // where the line of at begins
}

const window = 64 << 10

// Place sets the lines and columns of those problems of list that lie in src. It reads Data, or
// else At. If LinesBefore is -1 it modifies nothing.
func (src *Source) Place(list []Problem) {
	if len(list) > 0 {
		l := src.lines()
		l.place(list)
	}
}

func (src *Source) lines() lines {
	return lines{r: src.At, origin: src.Origin, size: src.Size, data: src.Data, first: src.LinesBefore + 1}
}

// place gives the problems that lie in r their lines and columns, in the order of their
// offsets, so that each line is counted once.
func (l *lines) place(list []Problem) {
	order := make([]*Problem, 0, len(list))
	for i := range list {
		if p := &list[i]; p.Line == 0 && p.Offset >= l.origin && p.Offset <= l.origin+l.size {
			order = append(order, p)
		}
	}
	slices.SortFunc(order, func(a, b *Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, p := range order {
		p.Line, p.Column = l.position(p.Offset)
	}
}

// position returns line and column of an offset in the source, from 1, or 0 if lines are
// not known. What cannot be read counts as no line end.
func (l *lines) position(offset int64) (line, column int64) {
	if l.first == 0 {
		return 0, 0
	}
	offset = min(offset-l.origin, l.size)
	if offset < l.at {
		l.at, l.line, l.begin = 0, 0, 0
	}
	for l.at < offset {
		l.count(offset)
	}
	return l.line + l.first, offset - l.begin + 1
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
