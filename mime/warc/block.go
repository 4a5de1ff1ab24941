package warc

import (
	"bytes"
	"fmt"
)

// A record ends where its Content-Length says, if blank lines and then another
// record or the end follow. If not, the length is wrong or stray bytes follow, and
// what can be seen decides: a record that begins inside the block means that the
// length is too large; two line ends behind it mean that it is right; else it is
// too small, and the block goes on to the next record. Once the length is known to be wrong, a
// record may also begin in the middle of a line, behind what a writer left off there. In compressed
// containers a member that begins a record ends the one before in any case.
//
// A record inside a block whose length is right is never taken for one: what a
// server sends must not be able to speak for another.

// measured returns the end of a block that begins at head and claims to be n bytes
// long, which is not to be believed above the limit. It is available.
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
		return r.tooLarge(rec, head, r.findNext(head, k+1, avail, true), n) // the first one is what counts
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

// find makes what begins at from available, up to the next record or the end, and
// returns where it ends, without the line ends that separate records. It returns
// -1 if that is more than limit bytes on.
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

// separator is how much behind a block is looked at.
const separator = 64

// follows reports whether another record or the end follows what ends at e, which
// is available, behind line ends.
func (r *Reader) follows(e int) bool {
	avail := min(r.w.fill(e+separator), e+separator)
	rest := bytes.TrimLeft(r.w.buf[e:avail], "\r\n")
	return len(rest) == 0 || begins(rest) || r.memberAt(avail-len(rest))
}

// lineEnds counts the line ends that b begins with.
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

// lookahead is more than what is looked at to see whether a record begins.
const lookahead = 128

// ahead returns how many bytes behind an offset must be available, unless the next hard mark or the
// end is nearer, so that a search finds what begins before the offset.
func (r *Reader) ahead() int {
	if r.w.plain {
		return gzipHead
	}
	return lookahead
}

// findStart returns the first offset in [from, to) of b at which a line begins that
// begins a record, -1 if there is none; glued also finds one behind what a writer left
// off in the middle of a line.
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

// findNext is findStart in the avail bytes that are available, and also finds a gzip member in a
// plain archive. The buffer may hold more bytes, behind a hard mark: no record goes on there.
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

// recordStart reports whether b begins as a record does: with a version line and
// the name of a field, one of WARC where b is not at the beginning of a line.
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

// trail goes behind the block to the next record, over line ends and stray bytes.
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

// scan goes to the next record, or to the end, and returns how many bytes it
// passed.
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
