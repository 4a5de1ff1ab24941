package document

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

// lines finds the lines of offsets. It counts line feeds from the last offset on. It starts again
// from the beginning only if an offset lies before the last one.
type lines struct {
	r      io.ReaderAt
	origin int64 // offset of the source at which r begins
	size   int64
	data   []byte // all of r, if it is in memory
	first  int64  // number of the first line of r; 0 if unknown
	buf    []byte

	at    int64 // offset in r up to which lines are counted
	line  int64 // number of lines that end before at
	begin int64 // start of the line that contains at
}

const window = 64 << 10

// Place sets the lines and columns of the problems in list whose offset lies in src. It reads Data,
// or At if Data is nil. If LinesBefore is -1, it changes nothing.
func (src *Source) Place(list []Problem) {
	if len(list) > 0 {
		l := src.lines()
		l.place(list)
	}
}

func (src *Source) lines() lines {
	return lines{r: src.At, origin: src.Origin, size: src.Size, data: src.Data, first: src.LinesBefore + 1}
}

// place sets the lines and columns of the problems that lie in r. It takes them in the order of
// their offsets, so that each line is counted once.
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

// position returns the line and the column of an offset in the source, from 1, or 0 if lines are
// unknown. In bytes that cannot be read, it counts no line ends.
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

// count counts the lines from l.at to offset, but in at most one window of bytes.
func (l *lines) count(offset int64) {
	n := min(offset-l.at, window)
	b := l.view(n)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		l.line += int64(bytes.Count(b, []byte{'\n'}))
		l.begin = l.at + int64(i) + 1
	}
	l.at += n
}

// view returns n bytes from at on, or fewer if they cannot be read.
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
