package warc

import (
	"bytes"

	"absolink/mime"
)

// window holds the bytes of the WARC file that are read, from a position on. A position counts
// decoded bytes; in a plain file it is the offset.
type window struct {
	src    source
	plain  bool
	buf    []byte // unread bytes
	mem    []byte // the memory of buf
	pos    int64  // position of buf[0]
	line   int64  // line of buf[0], from 1; 0 if unknown
	marks  marks
	ended  bool // nothing more to read
	most   int  // largest length of buf in a guess; 0 means no limit
	over   bool // most was not enough
	failed []mime.Defect
}

const minWindow = 64 << 10

// fill makes n bytes available, or fewer if the next hard mark or the end is nearer. It returns the
// number of bytes up to that mark or end, which may be more than n.
func (w *window) fill(n int) int {
	for {
		if h := w.bound(); h >= 0 {
			return h
		}
		if len(w.buf) >= n || w.ended {
			return len(w.buf)
		}
		if w.most > 0 && len(w.buf) >= w.most {
			w.over, w.ended = true, true
			continue
		}
		w.read(n)
	}
}

// bound returns the distance to the next known hard mark, or -1.
func (w *window) bound() int {
	if at := w.marks.next(w.pos); at >= 0 {
		return int(at - w.pos)
	}
	return -1
}

// read reads once. n is the total number of bytes that are wanted. Memory grows towards n only as
// bytes arrive, because a length in the file may claim anything.
func (w *window) read(n int) {
	if cap(w.buf)-len(w.buf) < minWindow/2 {
		size := max(minWindow, 2*len(w.buf))
		if n > len(w.buf) && n < 2*size {
			size = max(minWindow, n+n/4) // extra room, so that not every record moves the whole buffer
		}
		if size > cap(w.mem) || cap(w.mem) > 4*size {
			old := w.mem
			w.mem = buffer(size)
			w.buf = w.mem[:copy(w.mem, w.buf)]
			release(old)
		} else {
			w.buf = w.mem[:copy(w.mem, w.buf)]
		}
	}
	free := w.buf[len(w.buf):cap(w.buf)]
	free = free[:min(len(free), max(n-len(w.buf), 0)+minWindow)] // bytes that are read too early must be moved
	k, m, err := w.src.read(free)
	if m != nil {
		w.marks.add(w.pos+int64(len(w.buf)), *m)
	}
	w.buf = w.buf[:len(w.buf)+k]
	w.ended = err != nil
}

// skip advances by n bytes, which must be available.
func (w *window) skip(n int) {
	if w.line > 0 {
		w.line += int64(bytes.Count(w.buf[:n], newline))
	}
	w.buf = w.buf[n:]
	w.pos += int64(n)
	w.failed = w.marks.pass(w.pos, w.failed)
}

var newline = []byte("\n")

// defects returns the defects of the container since the last call.
func (w *window) defects() []mime.Defect {
	w.skip(0)
	d := w.failed
	w.failed = nil
	return d
}

// take advances by n bytes, which must be available, and returns them in memory that stays valid.
// That is a copy in m, or for many bytes the buffer itself.
func (w *window) take(n int, m *memory) []byte {
	data := w.buf[:n:n]
	if n <= minWindow {
		data = m.hold(data)
	} else {
		rest := w.buf[n:]
		m.large, w.mem = w.mem, buffer(len(rest)+minWindow/2)
		defer func() { w.buf = w.mem[:copy(w.mem, rest)] }()
	}
	w.skip(n)
	return data
}

// offset returns the offset in the container of the position. In a compressed container it is the
// offset of the member that contains the position.
func (w *window) offset() int64 {
	if w.plain {
		return w.pos
	}
	w.fill(1)
	if m := w.marks.at(w.pos); m != nil {
		return m.off
	}
	return 0
}

// compressed reports whether the bytes at the position are compressed in the container.
func (w *window) compressed() bool {
	if w.plain {
		return false
	}
	w.fill(1)
	m := w.marks.at(w.pos)
	return m == nil || !m.stored
}

// atEnd reports whether nothing follows.
func (w *window) atEnd() bool {
	for len(w.buf) == 0 && !w.ended {
		w.read(1)
	}
	return len(w.buf) == 0
}

// fresh reports whether a member that begins with a record begins at the position.
func (w *window) fresh() bool {
	w.offset()
	m := w.marks.at(w.pos)
	return m != nil && m.pos == w.pos && m.record
}

// place is a position to which the window can go back.
type place struct {
	pos  int64
	line int64
	from mark // the member to open, in a compressed file
}

// here returns the place n bytes after the position. These bytes must be available.
func (w *window) here(n int) place {
	p := place{pos: w.pos + int64(n)}
	if w.line > 0 {
		p.line = w.line + int64(bytes.Count(w.buf[:n], newline))
	}
	if m := w.marks.at(p.pos); m != nil {
		p.from = *m
	}
	return p
}

// back goes to a place before the position. It reports whether it succeeded.
func (w *window) back(p place) bool {
	if w.plain {
		if !w.src.open(p.pos) {
			return false
		}
		w.buf, w.ended, w.pos, w.line = w.buf[:0], false, p.pos, p.line
		return true
	}
	if !w.src.open(p.from.off) {
		return false
	}
	w.buf, w.ended, w.pos = w.buf[:0], false, p.from.pos
	w.marks.reset()
	w.forward(p.pos)
	return true
}

// forward advances to a position, or to the end.
func (w *window) forward(to int64) {
	for w.pos < to && !w.atEnd() {
		w.skip(int(min(to-w.pos, int64(len(w.buf)))))
	}
}

// move advances to an offset of a plain file.
func (w *window) move(to int64) {
	if n := to - w.pos; n <= int64(len(w.buf)) {
		w.skip(int(n))
		return
	}
	w.src.open(to)
	w.buf, w.ended, w.pos = w.buf[:0], false, to
}
