package warc

import (
	"bufio"
	"bytes"
	"strconv"

	"absolink/mime/httpmsg"
)

// Some archives hold plain records after gzip members, and members after plain records: they were
// joined, or several programs have written to them. Among members, a plain record counts as a
// stored member whose end its own length gives. In a plain archive, a gzip member is recognised
// where a record may begin, if the member begins with a record. The rest of the archive is then
// read as members. zstd has its own way to store bytes (RFC 8878 Section 3.1.1.2) and is never
// mixed.
//
// A plain record may also follow a damaged member. The bytes that such a member stored count as
// decoded: a record in them is found there, and not a second time in the container.
//
// A Reader that does not begin at the start knows nothing of this: see plainBetween in sync.go.

// gzipHead is the number of bytes of a gzip member that tell whether it begins with a record.
const gzipHead = 1 << 10

// gzipRecord reports whether b begins with a gzip member that begins with a record.
func (r *Reader) gzipRecord(b []byte) bool {
	if len(b) < 3 || b[0] != 0x1f || r.probe.magic(b[:min(len(b), 4)]) != 0 {
		return false
	}
	return begins(r.probe.trial(b[:min(len(b), gzipHead)]))
}

// memberAt reports whether, in a plain archive, a gzip member that begins with a record is i bytes
// after the position. These bytes must be available.
func (r *Reader) memberAt(i int) bool {
	if !r.w.plain || i >= len(r.w.buf) || r.w.buf[i] != 0x1f {
		return false
	}
	n := r.w.fill(i + gzipHead)
	return i < n && r.gzipRecord(r.w.buf[i:n])
}

// findMember returns the first offset in [from, to) of the available bytes at which such a member
// begins, or -1. It examines at most gzipHead bytes after to.
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

// turn switches a plain archive to members, if a member begins at the position.
func (r *Reader) turn() {
	if len(r.w.buf) == 0 || !r.memberAt(0) {
		return
	}
	if !r.raw.unread(r.w.buf) {
		panic("warc: bytes that were read cannot be read again")
	}
	r.raw.keepFor(new(gzipCodec), readBuffer)
	s := newMembers(r.raw, new(gzipCodec), readBuffer)
	s.exact = r.o.Exact
	r.w.turn(s)
}

// turn makes w read from src, which must give the same bytes from the position on.
func (w *window) turn(src source) {
	w.src, w.plain, w.line = src, false, 0
	w.buf, w.ended = w.buf[:0], false
	w.marks.reset()
}

// stored returns the length of the plain record at the position of s, with its header. It is 0 if
// no plain record is there, or if its length cannot be found.
func (s *members) stored() int64 {
	if _, ok := s.kind.(*gzipCodec); !ok {
		return 0
	}
	b, _ := s.br.Peek(lookahead)
	if !recordStart(b, true) {
		return 0
	}
	head := peekHead(s.br)
	if head == nil {
		return 0
	}
	if cut := headCut(head); cut > 0 {
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
	if s.exact {
		return max(length, 0)
	}
	return s.seen(len(head), length)
}

// seen compares the length of the plain record at the position of s with the visible bytes, and
// returns the right length: see block.go. It believes a length that reaches beyond the buffer. A
// length of -1 means unknown. The record then ends where another record begins, or at the end of
// the input. If neither is in the buffer, seen returns 0.
func (s *members) seen(head int, length int64) int64 {
	want := s.br.Size()
	if length >= 0 && length+gzipHead < int64(want) {
		want = int(length) + gzipHead
	}
	b, _ := s.br.Peek(want)
	ended := len(b) < want
	var end int // of the record, as far as it is in b
	switch {
	case length < 0, length > int64(len(b)) && ended:
		end = len(b)
	case length > int64(len(b)):
		return length
	default:
		end = int(length)
		rest := bytes.TrimLeft(b[end:], "\r\n")
		if len(rest) == 0 || begins(rest) || s.kind.magic(rest[:min(len(rest), 8)]) == 0 {
			return length
		}
		if k := findStart(b, head, end, false); k >= 0 {
			return int64(s.startIn(b, head, k+1))
		}
		if lineEnds(b[end:]) >= 2 {
			return length // stray bytes follow
		}
	}
	if k := s.startIn(b, head, end); k >= 0 {
		return int64(k)
	}
	if length < 0 && ended {
		return int64(end)
	}
	return max(length, 0)
}

// startIn returns the first offset in [from, to) of b at which a plain record begins, or a member
// that begins with a record. It returns -1 if there is none.
func (s *members) startIn(b []byte, from, to int) int {
	k := findStart(b, from, to, true)
	if k >= 0 {
		to = k
	}
	for i := from; i < to; i++ {
		n := s.kind.magic(b[i:to])
		if n < 0 {
			break
		}
		i += n
		if begins(s.kind.trial(b[i:min(len(b), i+s.kind.look())])) {
			return i
		}
	}
	return k
}

// plainStart advances to the first plain record in the first to bytes of b, and reports whether
// there is one. b holds the bytes at the position of s, and lookahead more bytes unless the input
// ends. before is the byte in front of b. After damage, a record may begin in the middle of a line.
func (s *members) plainStart(b []byte, to int, before byte) bool {
	at := s.offset()
	from := int(min(max(s.passed-at, 0), int64(to)))
	k := -1
	switch {
	case from > 0 || to == 0 || before == '\n':
		k = findStart(b, from, to, true)
	case bytes.HasPrefix(b, []byte("WARC/")) && recordStart(b, false): // in capitals, as findStart requires
		k = 0
	default:
		k = findStart(b, 1, to, true)
	}
	if k < 0 {
		s.passed = max(s.passed, at+int64(to))
		return false
	}
	s.passed = at + int64(k)
	s.br.Discard(k)
	return true
}

// peekHead returns the header of the record at the position of br, with the blank line that ends
// it. It returns nil if the header is longer than the buffer or has no end.
func peekHead(br *bufio.Reader) []byte {
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

// skipEnds skips line ends before or after a plain record, and returns their number.
func (s *members) skipEnds() (ends int) {
	for !s.ended() {
		b, _ := s.br.Peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return ends
		}
		b, _ = s.br.Peek(lookahead)
		rest := bytes.TrimLeft(b, "\r\n")
		n := len(b) - len(rest)
		if n == 0 || !s.begun.stored && !recordStart(rest, true) {
			return ends
		}
		ends += bytes.Count(b[:n], newline)
		s.br.Discard(n)
	}
	return ends
}

// lost returns the offset at which the search begins if neither a member nor a record begins at
// offset at. If the two line ends after a plain record are missing, its length was wrong, and the
// next record may begin in its block.
func (s *members) lost(at int64, ends int) int64 {
	if !s.begun.stored || ends >= 2 {
		return at
	}
	return max(s.start+1, at-s.kind.back())
}
