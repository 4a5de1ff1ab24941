package warc

import (
	"bytes"
	"fmt"
)

// A record ends where its Content-Length says if blank lines follow there, and then another record
// or the end. Otherwise the length is wrong or stray bytes follow, and the visible bytes decide. If
// a record begins inside the block, the length is too large. If two line ends follow the block, the
// length is right. Otherwise the length is too small, and the block continues up to the next
// record. A writer may have stopped in the middle of a line. So, once the length is known to be
// wrong, a record may also begin there. In compressed containers, a member that begins with a
// record always ends the record before it.
//
// If the length of a block is right, a record inside the block never counts as a record. Otherwise
// one server could send a record that speaks for another.

// measured returns the end of a block that begins at head and claims to have n bytes. It does not
// believe a claim above the limit. The block is then available.
func (r *Reader) measured(rec *Record, head int, n int64) int {
	e := head + int(min(n, int64(r.o.Limit)+1))
	avail := r.w.fill(e + separator)
	switch {
	case avail >= e && r.follows(e):
		return e
	case avail < e:
		if k := r.findNext(head, avail, avail, true); k >= 0 {
			return r.tooLarge(rec, head, k, n)
		}
		rec.defect(r.at(rec, avail), fmt.Sprintf("block cut short: %d bytes of %d", avail-head, n))
		return avail
	}
	avail = r.w.fill(e + r.ahead())
	if k := findStart(r.w.buf[:avail], head, e, false); k >= 0 {
		return r.tooLarge(rec, head, r.findNext(head, k+1, avail, true), n) // the first record counts
	}
	if lineEnds(r.w.buf[e:avail]) >= 2 {
		return e // stray bytes follow
	}
	if k := r.findNext(head, e, avail, true); k >= 0 {
		return r.tooLarge(rec, head, k, n)
	}
	end := r.find(e, r.o.Limit+head)
	if end < 0 {
		return e
	}
	rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too small, the block has %d bytes", n, end-head))
	return end
}

func (r *Reader) tooLarge(rec *Record, head, start int, n int64) int {
	end := head + len(trimEnd(r.w.buf[head:start]))
	rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too large, the block has %d bytes", n, end-head))
	return end
}

// unmeasured returns the end of a block that begins at head and has no length.
func (r *Reader) unmeasured(head int) int {
	if end := r.find(head, r.o.Limit+head); end >= 0 {
		return end
	}
	return head
}

// find makes the bytes from from on available, up to the next record or the end of the input. It
// returns the end of the block there, without the line ends that separate records. It returns -1 if
// the next record begins after limit.
func (r *Reader) find(from, limit int) int {
	searched := from
	behind := r.ahead()
	for size := from + minWindow; ; size *= 2 {
		avail := r.w.fill(size)
		to := avail
		if avail >= size {
			to = max(searched, avail-behind)
		}
		k := r.findNext(searched, to, avail, true)
		switch {
		case k < 0 && avail >= size && avail <= limit+behind:
			searched = to
			continue
		case k < 0:
			k = avail
		}
		if k > limit {
			return -1
		}
		return from + len(trimEnd(r.w.buf[from:k]))
	}
}

// trimEnd returns b without the two line ends that separate records.
func trimEnd(b []byte) []byte {
	for range 2 {
		n := len(b)
		b = bytes.TrimSuffix(b, newline)
		if len(b) < n {
			b = bytes.TrimSuffix(b, []byte("\r"))
		}
	}
	return b
}

// separator is the number of bytes after a block that are examined.
const separator = 64

// follows reports whether another record or the end follows at e, after line ends. e must be
// available.
func (r *Reader) follows(e int) bool {
	avail := min(r.w.fill(e+separator), e+separator)
	rest := bytes.TrimLeft(r.w.buf[e:avail], "\r\n")
	return len(rest) == 0 || begins(rest) || r.memberAt(avail-len(rest))
}

// lineEnds counts the line ends at the start of b.
func lineEnds(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		b = bytes.TrimPrefix(b, []byte("\r"))
		if len(b) == 0 || b[0] != '\n' {
			break
		}
		b = b[1:]
	}
	return n
}

// lookahead is more than the number of bytes that tell whether a record begins.
const lookahead = 128

// ahead returns the number of bytes after an offset that must be available, so that a search finds
// a record that begins before the offset. Fewer are enough if the next hard mark or the end is
// nearer.
func (r *Reader) ahead() int {
	if r.w.plain {
		return gzipHead
	}
	return lookahead
}

// findStart returns the first offset in [from, to) of b at which a record begins at the start of a
// line, or -1. If glued is set, it also finds a record in the middle of a line, after the bytes of
// a writer that stopped there.
func findStart(b []byte, from, to int, glued bool) int {
	for i := from; i < to; i++ {
		n := bytes.Index(b[i:], []byte("WARC/"))
		if n < 0 {
			return -1
		}
		i += n
		if line := i == 0 || b[i-1] == '\n'; i < to && (line || glued) && recordStart(b[i:], line) {
			return i
		}
	}
	return -1
}

// findNext is findStart in the first avail bytes of the buffer. In a plain archive it also finds a
// gzip member. The buffer may hold more bytes after a hard mark, but no record continues across the
// mark.
func (r *Reader) findNext(from, to, avail int, glued bool) int {
	k := findStart(r.w.buf[:avail], from, to, glued)
	if k >= 0 {
		to = k
	}
	if m := r.findMember(from, to); m >= 0 {
		return m
	}
	return k
}

// recordStart reports whether b begins like a record: with a version line and the name of a field.
// If b is not at the start of a line, the name must begin with WARC-.
func recordStart(b []byte, line bool) bool {
	if !begins(b) {
		return false
	}
	b = b[versionLen:min(len(b), lookahead)]
	version, rest, ok := bytes.Cut(b, newline)
	major, minor, dot := bytes.Cut(bytes.TrimRight(version, " \r"), []byte("."))
	if !ok || !dot || !digits(major) || !digits(minor) || !line && !bytes.HasPrefix(rest, []byte("WARC-")) {
		return false
	}
	n := bytes.IndexByte(rest, ':')
	return n > 0 && bytes.IndexFunc(bytes.TrimRight(rest[:n], " "), notInName) < 0
}

func digits(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "0123456789")) == 0
}

func notInName(c rune) bool {
	return c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// starts reports whether a record begins at the position.
func (r *Reader) starts() bool {
	if r.w.fresh() {
		return true
	}
	n := r.w.fill(versionLen)
	return begins(r.w.buf[:n]) || r.memberAt(0)
}

// trail advances from the end of the block to the next record, over line ends and stray bytes.
func (r *Reader) trail(rec *Record) {
	for {
		n := r.w.fill(1)
		k := n - len(bytes.TrimLeft(r.w.buf[:n], "\r\n"))
		r.w.skip(k)
		if k < n || k == 0 {
			break
		}
	}
	if r.w.atEnd() || r.starts() {
		return
	}
	at := r.w.offset()
	rec.defect(at, fmt.Sprintf("%d stray bytes after the record", r.scan()))
}

// scan advances to the next record or to the end, and returns the number of bytes that it passed.
func (r *Reader) scan() (passed int64) {
	from := r.w.pos
	for {
		avail := r.w.fill(minWindow)
		last := avail < minWindow || r.w.bound() == avail
		to := avail
		if !last {
			to -= r.ahead()
		}
		k := r.findNext(1, to, avail, true)
		switch {
		case k >= 0:
			r.w.skip(k)
			return r.w.pos - from
		case !last:
			r.w.skip(to - 1)
		default:
			r.w.skip(avail)
			if r.w.atEnd() || r.starts() {
				return r.w.pos - from
			}
		}
	}
}
