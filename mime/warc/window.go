package warc

import (
	"bytes"

	"absolink/mime"
)

// window holds the decoded bytes that a Reader has read from the archive but not yet passed. They
// begin at the position of the Reader. A position counts decoded bytes. In a plain file it is equal
// to the offset.
type window struct {
	src   source
	plain bool   // src is plain
	buf   []byte // the bytes after the position
	mem   []byte // the buffer that contains buf
	pos   int64  // position of buf[0]
	line  int64  // line of buf[0], from 1; 0 if unknown
	ended bool   // src has no more bytes

	marks         marks
	passedDefects []mime.Defect // defects of the members that the position has passed; see drainDefects

	limit     int  // largest length of buf in a guess (guess.go); 0 means no limit
	overLimit bool // ended is set because buf has reached limit
}

// minWindow is the number of decoded bytes that are read at once.
const minWindow = 64 << 10

// fill makes n bytes available in buf, or fewer if the next hard mark (see marks.go) or the end is
// nearer. It returns the number of available bytes: those before the next known hard mark, or all
// of buf. The number may be more than n.
func (w *window) fill(n int) int {
	for {
		if h := w.toHardMark(); h >= 0 {
			return h
		}
		if len(w.buf) >= n || w.ended {
			return len(w.buf)
		}
		if w.limit > 0 && len(w.buf) >= w.limit {
			w.overLimit = true
			w.ended = true
			continue
		}
		w.read(n)
	}
}

// toHardMark returns the distance to the next known hard mark, or -1 if none is known.
func (w *window) toHardMark() int {
	if at := w.marks.nextHard(w.pos); at >= 0 {
		return int(at - w.pos)
	}
	return -1
}

// read reads from src once. n is the wanted length of buf. The buffer grows towards n only while
// bytes arrive, because n may come from a false Content-Length.
func (w *window) read(n int) {
	if cap(w.buf)-len(w.buf) < minWindow/2 {
		size := max(minWindow, 2*len(w.buf))
		if n > len(w.buf) && n < 2*size {
			size = max(minWindow, n+n/4) // with spare room, because each move copies the buffer
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
	free = free[:min(len(free), max(n-len(w.buf), 0)+minWindow)] // more bytes would have to move again
	k, m, err := w.src.read(free)
	if m != nil {
		w.marks.add(w.pos+int64(len(w.buf)), *m)
	}
	w.buf = w.buf[:len(w.buf)+k]
	w.ended = err != nil
}

// skip advances the position by n bytes, which must be available.
func (w *window) skip(n int) {
	if w.line > 0 {
		w.line += int64(bytes.Count(w.buf[:n], newline))
	}
	w.buf = w.buf[n:]
	w.pos += int64(n)
	w.passedDefects = w.marks.dropTo(w.pos, w.passedDefects)
}

var newline = []byte("\n")

// drainDefects returns the defects of the members that the position has passed since the last call.
func (w *window) drainDefects() []mime.Defect {
	w.skip(0) // passes a mark at the position itself
	d := w.passedDefects
	w.passedDefects = nil
	return d
}

// detach returns the next n bytes, which must be available, and advances over them. The bytes are
// in the memory m: detach copies up to minWindow bytes to m. For more bytes, m gets the buffer of
// w, and w gets a new one.
func (w *window) detach(n int, m *memory) []byte {
	data := w.buf[:n:n]
	if n <= minWindow {
		data = m.store(data)
		w.skip(n)
		return data
	}
	w.skip(n)
	m.large = w.mem
	w.mem = buffer(len(w.buf) + minWindow/2)
	w.buf = w.mem[:copy(w.mem, w.buf)]
	return data
}

// offset returns the offset of the position in the container. In a compressed container it is the
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
	return m == nil || !m.plain
}

// atEnd reports whether the position is at the end of the archive. It reads more bytes if buf is
// empty.
func (w *window) atEnd() bool {
	for len(w.buf) == 0 && !w.ended {
		w.read(1)
	}
	return len(w.buf) == 0
}

// atRecordMember reports whether a member begins at the position, and begins with a record.
func (w *window) atRecordMember() bool {
	w.fill(1) // the read may add a mark at the position
	m := w.marks.at(w.pos)
	return m != nil && m.pos == w.pos && m.beginsRecord
}

// bookmark is a position to which a window can return.
type bookmark struct {
	pos    int64
	line   int64
	member mark // the member that contains the position, in a compressed file
}

// bookmark returns a bookmark for the position.
func (w *window) bookmark() bookmark {
	b := bookmark{pos: w.pos, line: w.line}
	if m := w.marks.at(w.pos); m != nil {
		b.member = *m
	}
	return b
}

// returnTo goes back to a bookmark. It returns true if it succeeded.
func (w *window) returnTo(b bookmark) bool {
	if w.plain {
		if !w.src.open(b.pos) {
			return false
		}
		w.restart(b.pos)
		w.line = b.line
		return true
	}
	if !w.src.open(b.member.off) {
		return false
	}
	w.restart(b.member.pos)
	w.marks.reset()
	w.skipTo(b.pos)
	return true
}

// restart empties the window, and sets the position. pos is the position of the next byte that src
// returns.
func (w *window) restart(pos int64) {
	w.buf = w.buf[:0]
	w.ended = false
	w.pos = pos
}

// skipTo advances to a position, or to the end.
func (w *window) skipTo(to int64) {
	for w.pos < to && !w.atEnd() {
		w.skip(int(min(to-w.pos, int64(len(w.buf)))))
	}
}

// seekTo advances to an offset of a plain file, without reading the bytes before it.
func (w *window) seekTo(to int64) {
	if n := to - w.pos; n <= int64(len(w.buf)) {
		w.skip(int(n))
		return
	}
	w.src.open(to)
	w.restart(to)
}
