package warc

import (
	"bufio"
	"bytes"
	"strconv"

	"absolink/mime/httpmsg"
)

// Some archives mix plain records and gzip members: they were joined, or several programs have
// written to them. Among gzip members, a plain record counts as a member. It ends where its
// Content-Length says. In a plain archive, a Reader looks for a gzip member wherever a record may
// begin. If a member there begins with a record, the Reader reads the rest of the archive as
// members. zstd is never mixed, because it has its own way to store bytes (RFC 8878 Section
// 3.1.1.2).
//
// A plain record may also follow a damaged member. If that member stored its bytes without
// compression, a record may be visible in them. Such a record is found among the decoded bytes, and
// must not be found in the container again.
//
// A Reader that begins later in the file does not know whether the archive is mixed: see
// plainBetween in sync.go.

// gzipHead is the number of bytes of a gzip member that tell whether it begins with a record.
const gzipHead = 1 << 10

// gzipRecord reports whether b begins with a gzip member that begins with a record.
func (r *Reader) gzipRecord(b []byte) bool {
	if len(b) < 3 || b[0] != 0x1f || r.probe.findMagic(b[:min(len(b), 4)]) != 0 {
		return false
	}
	return startsWithWARC(r.probe.decodeStart(b[:min(len(b), gzipHead)]))
}

// memberAt reports whether the archive is plain, and a gzip member that begins with a record is i
// bytes after the position. The bytes before it must be available.
func (r *Reader) memberAt(i int) bool {
	if !r.w.plain || i >= len(r.w.buf) || r.w.buf[i] != 0x1f {
		return false
	}
	n := r.w.fill(i + gzipHead)
	return i < n && r.gzipRecord(r.w.buf[i:n])
}

// findMember returns the first index in [from, to) of r.w.buf at which memberAt is true, or -1. It
// examines at most gzipHead bytes after to.
func (r *Reader) findMember(from, to int) int {
	for i := from; r.w.plain && i < to; i++ {
		n := bytes.Index(r.w.buf[i:to], []byte{0x1f, 0x8b})
		if n < 0 {
			return -1
		}
		i += n
		if r.gzipRecord(r.w.buf[i:]) {
			return i
		}
	}
	return -1
}

// switchToMembers reads the rest of a plain archive as gzip members, if a member that begins with a
// record is at the position.
func (r *Reader) switchToMembers() {
	if r.memberAt(0) {
		r.raw.unread(r.w.buf)
		r.w.switchTo(newMembers(r.raw, new(gzipCodec), readBuffer, r.o.Indexed))
	}
}

// switchTo makes w read from s, which begins at the position.
func (w *window) switchTo(s *members) {
	w.src = s
	w.plain = false
	w.line = 0
	w.restart(w.pos)
	w.marks.reset()
}

// plainLength returns the length of the plain record at the position of s, with its header. It
// returns 0 if no plain record is there, or if its end cannot be found.
func (s *members) plainLength() int64 {
	if _, ok := s.kind.(*gzipCodec); !ok {
		return 0
	}
	b, _ := s.br.Peek(lookahead)
	if !startsWithHeader(b, true) {
		return 0
	}
	head := peekHeader(s.br)
	if head == nil {
		return 0
	}
	if cut := recordInHeader(head); cut > 0 {
		return int64(cut)
	}
	var h httpmsg.Header
	h.ParseFields(head, bytes.IndexByte(head, '\n')+1)
	v, _ := h.Get("Content-Length")
	n, err := strconv.ParseInt(v, 10, 64)
	length := int64(len(head)) + n
	if err != nil || n < 0 || v[0] == '+' || length < 0 {
		length = -1
	}
	if s.exactEnd {
		return max(length, 0)
	}
	return s.checkLength(len(head), length)
}

// checkLength returns the right length of the plain record at the position of s, as block.go
// describes it. length is the length of the record according to its Content-Length, or -1 if that
// is unknown. checkLength examines only the bytes that fit in the buffer. It believes a length
// beyond them. If the length is unknown and the record does not end in them, it returns 0.
func (s *members) checkLength(headerLen int, length int64) int64 {
	want := s.br.Size()
	if length >= 0 && length+gzipHead < int64(want) {
		want = int(length) + gzipHead
	}
	b, _ := s.br.Peek(want)
	inputEnds := len(b) < want
	if length > int64(len(b)) && !inputEnds {
		return length
	}
	searchEnd := len(b)
	if length >= 0 && length <= int64(len(b)) {
		end := int(length)
		rest := bytes.TrimLeft(b[end:], "\r\n")
		if len(rest) == 0 || startsWithWARC(rest) || s.kind.findMagic(rest[:min(len(rest), magicLen)]) == 0 {
			return length
		}
		if k := findHeader(b, headerLen, end, false); k >= 0 {
			return int64(s.findRecord(b, headerLen, k+1))
		}
		if lineEnds(b[end:]) >= 2 {
			return length // stray bytes follow
		}
		searchEnd = end
	}
	if k := s.findRecord(b, headerLen, searchEnd); k >= 0 {
		return int64(k)
	}
	if length < 0 && inputEnds {
		return int64(len(b))
	}
	return max(length, 0)
}

// findRecord returns the first offset in [from, to) of b at which a plain record begins, or a
// member that begins with a record. It returns -1 if neither begins there.
func (s *members) findRecord(b []byte, from, to int) int {
	k := findHeader(b, from, to, true)
	if k >= 0 {
		to = k
	}
	for i := from; i < to; i++ {
		n := s.kind.findMagic(b[i:to])
		if n < 0 {
			break
		}
		i += n
		if startsWithWARC(s.kind.decodeStart(b[i:min(len(b), i+s.kind.startSize())])) {
			return i
		}
	}
	return k
}

// toPlainRecord advances to the first plain record that begins in b[:to], even in the middle of a
// line. It returns false, and does not advance, if no record begins there. b holds the bytes at the
// position of s: lookahead bytes after to, unless the input ends. before is the byte in front of b.
func (s *members) toPlainRecord(b []byte, to int, before byte) bool {
	at := s.offset()
	from := int(min(max(s.plainFrom-at, 0), int64(to)))
	k := -1
	switch {
	case from > 0 || to == 0 || before == '\n':
		k = findHeader(b, from, to, true)
	case bytes.HasPrefix(b, []byte("WARC/")) && startsWithHeader(b, false): // in capitals, as in findHeader
		k = 0
	default:
		k = findHeader(b, 1, to, true)
	}
	if k < 0 {
		s.plainFrom = max(s.plainFrom, at+int64(to))
		return false
	}
	s.plainFrom = at + int64(k)
	s.br.Discard(k)
	return true
}

// peekHeader returns the version line and the header fields at the position of br, with the blank
// line that ends them. It returns nil if they are longer than the buffer, or do not end.
func peekHeader(br *bufio.Reader) []byte {
	for size := 1 << 10; ; size *= 2 {
		b, err := br.Peek(min(size, br.Size()))
		if n := blankLine(b); n >= 0 {
			return b[:n]
		}
		if err != nil || size >= br.Size() {
			return nil
		}
	}
}

// skipEnds skips the line ends after a plain record or before one, and returns their number.
func (s *members) skipEnds() (ends int) {
	for !s.rangeEnded() {
		b, _ := s.br.Peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return ends
		}
		b, _ = s.br.Peek(lookahead)
		rest := bytes.TrimLeft(b, "\r\n")
		n := len(b) - len(rest)
		if n == 0 || !s.current.plain && !startsWithHeader(rest, true) {
			return ends
		}
		ends += bytes.Count(b[:n], newline)
		s.br.Discard(n)
	}
	return ends
}

// searchStart returns the offset at which a search begins, if neither a member nor a record begins
// at the position at. ends is the number of line ends before the position. If the two line ends
// after a plain record are missing, its length was wrong, and the next record may begin in its
// block.
func (s *members) searchStart(at int64, ends int) int64 {
	if !s.current.plain || ends >= 2 {
		return at
	}
	return max(s.startOffset+1, at-s.kind.maxHidden())
}
