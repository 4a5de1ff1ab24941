package warc

import (
	"bufio"
	"bytes"
	"strconv"

	"absolink/mime/httpmsg"
)

// Some WARCs mix plain records and gzip members: several archives were joined, or several programs
// have written to one archive. Among gzip members, a plain record counts as a member: checkLength
// finds its end. In a plain archive, a Reader looks for a gzip member wherever a record may begin.
// If a member there begins with a WARC record, the Reader reads the rest of the archive as members.
// Plain records of an ARC are not found among members. An archive of zstd frames counts as not
// mixed: frames may store bytes without compression (RFC 8878 Section 3.1.1.2), and a record in
// such a frame looks like a plain record.
//
// After a damaged gzip member, a search looks for plain records, too. If the member stores its
// bytes without compression, a record inside it looks like a plain record. The Reader has already
// found that record among the decoded bytes. The search must not find it again in the container.
//
// A Reader that begins later in the file does not know whether the archive is mixed: see
// plainBetween in rangestart.go.

// gzipHead is the number of bytes of a gzip member that suffice to see whether it begins with a
// record.
const gzipHead = 1 << 10

// startsWithGzipRecord reports whether b begins with a gzip member that begins with a record.
func (r *Reader) startsWithGzipRecord(b []byte) bool {
	if r.probe.findMagic(b[:min(len(b), 4)]) != 0 {
		return false
	}
	return startsWithWARC(r.probe.decodeStart(b[:min(len(b), gzipHead)], versionLen))
}

// gzipRecordAt reports whether the archive is plain so far, and r.w.buf[i:] begins with a gzip
// member that begins with a record. The byte at i must be available.
func (r *Reader) gzipRecordAt(i int) bool {
	if !r.w.plain || r.w.buf[i] != 0x1f {
		return false
	}
	n := r.w.fill(i + gzipHead)
	return r.startsWithGzipRecord(r.w.buf[i:n])
}

// findGzipRecord returns the first index in [from, to) of r.w.buf at which gzipRecordAt is true, or
// -1.
func (r *Reader) findGzipRecord(from, to int) int {
	magic := []byte{0x1f, 0x8b}
	end := min(to+len(magic)-1, len(r.w.buf)) // a member at to-1 has its second byte at to
	for i := from; r.w.plain && i < to; i++ {
		n := bytes.Index(r.w.buf[i:end], magic)
		if n < 0 {
			return -1
		}
		i += n
		if r.startsWithGzipRecord(r.w.buf[i:]) {
			return i
		}
	}
	return -1
}

// beforeRecord reports whether another record follows: r is not at the end. In a plain archive, the
// record may be in a gzip member. Then r reads the rest of the archive as members.
func (r *Reader) beforeRecord() bool {
	if r.w.atEnd() {
		return false
	}
	if r.gzipRecordAt(0) {
		r.raw.unread(r.w.buf)
		r.w.switchTo(newMembers(r.raw, new(gzipCodec), readBuffer, r.stopsAtRangeEnd()))
	}
	return !r.w.atEnd() // with Options.Indexed, the range may end here
}

// switchTo makes w read from s. s must begin at the position of w.
func (w *window) switchTo(s *members) {
	w.src = s
	w.plain = false
	w.line = 0
	w.restart(w.pos)
	w.marks.reset()
}

// plainLength returns the length of the plain record that begins with the next stored byte. The
// length includes the header. It is 0 if no plain record begins there, or if its end cannot be
// found.
func (s *members) plainLength() int64 {
	if _, ok := s.codec.(*gzipCodec); !ok || s.arc {
		return 0
	}
	b, _ := s.br.Peek(headerPrefix)
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
	h.ParseFields(head, 0) // the version line is a line without a name
	v, _ := h.Get("Content-Length")
	n, err := strconv.ParseInt(v, 10, 64)
	length := int64(len(head)) + n
	if err != nil || n < 0 || v[0] == '+' || length < 0 {
		length = unknownLength
	}
	if s.stopAtRangeEnd {
		return max(length, 0)
	}
	return s.checkLength(len(head), length)
}

// checkLength returns the right length of the plain record that begins with the next stored byte.
// length is the length of the record according to its Content-Length, or unknownLength. checkLength
// follows rules 1 to 4 of block.go. It does not change a length that is too small. It examines only
// the bytes that fit in the buffer of s.br. If the length reaches beyond the buffer, it counts as
// right. If the length is unknown and the record does not end in the buffer, checkLength returns 0.
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
		if len(rest) < magicLen && !inputEnds {
			b, _ = s.br.Peek(s.br.Size())
			inputEnds = len(b) < s.br.Size()
			rest = bytes.TrimLeft(b[end:], "\r\n")
			if len(rest) < magicLen && !inputEnds {
				return length // only line ends follow in the buffer
			}
		}
		if len(rest) == 0 || startsWithWARC(rest) || s.codec.findMagic(rest[:min(len(rest), magicLen)]) == 0 {
			return length
		}
		if k := findHeader(b, headerLen, end, false); k >= 0 {
			return int64(s.findRecord(b, headerLen, k+1))
		}
		if countLineEnds(b[end:]) >= 2 {
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

// findRecord returns the first index in [from, to) of b at which a record begins, or -1. The record
// may be plain, or at the start of a member.
func (s *members) findRecord(b []byte, from, to int) int {
	k := findHeader(b, from, to, true)
	if k >= 0 {
		to = k
	}
	for i := from; i < to; i++ {
		n := s.codec.findMagic(b[i:min(len(b), to+magicLen)]) // a member at to-1 has more bytes after to
		if n < 0 || i+n >= to {
			break
		}
		i += n
		if startsWithWARC(s.codec.decodeStart(b[i:min(len(b), i+s.codec.startSize())], versionLen)) {
			return i
		}
	}
	return k
}

// toPlainRecord advances to the first plain record that begins in b[:to], even in the middle of a
// line. If no record begins there, it returns false and does not advance. b holds the next stored
// bytes: at least headerPrefix bytes after to, unless the input ends. before is the byte before b.
func (s *members) toPlainRecord(b []byte, to int, before byte) bool {
	at := s.offset()
	from := int(min(max(s.plainFrom-at, 0), int64(to)))
	k := -1
	switch {
	case from > 0 || to == 0 || before == '\n':
		k = findHeader(b, from, to, true)
	case bytes.HasPrefix(b, []byte("WARC/")) && startsWithHeader(b, false): // capitals, as in findHeader
		k = 0
	default:
		k = findHeader(b, 1, to, true)
	}
	if k < 0 {
		s.plainFrom = max(s.plainFrom, at+int64(to))
		return false
	}
	s.br.Discard(k)
	return true
}

// peekHeader returns the next bytes of br up to the first blank line, which ends the header of a
// record. If another record begins before a blank line, the result contains the start of that
// record. It is nil if the buffer holds neither a blank line nor another record.
func peekHeader(br *bufio.Reader) []byte {
	for size := 1 << 10; ; size *= 2 {
		b, err := br.Peek(min(size, br.Size()))
		if n := blankLine(b); n >= 0 {
			return b[:n]
		}
		last := err != nil || size >= br.Size()
		if stopsIn(b) || last && recordInHeader(b) > 0 {
			return b
		}
		if last {
			return nil
		}
	}
}

// skipLineEnds skips the line ends before or after a plain record. It returns their number.
func (s *members) skipLineEnds() (n int) {
	for !s.rangeEnded() {
		b, _ := s.br.Peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return n
		}
		b, _ = s.br.Peek(headerPrefix)
		rest := bytes.TrimLeft(b, "\r\n")
		blank := b[:len(b)-len(rest)]
		if len(blank) == 0 || !s.current.plain && !startsWithHeader(rest, true) {
			return n
		}
		n += bytes.Count(blank, newline)
		s.br.Discard(len(blank))
	}
	return n
}

// searchStart returns the offset at which skipJunk begins a search for the next record. junk is the
// offset of the junk, and lineEnds the number of line ends before the junk. If fewer than two line
// ends follow a plain record, its length was wrong, and the next record may begin in its block.
func (s *members) searchStart(junk int64, lineEnds int) int64 {
	if !s.current.plain || lineEnds >= 2 {
		return junk
	}
	return max(s.startOffset+1, junk-s.codec.maxHidden())
}
