package warc

import (
	"bytes"
	"fmt"
)

// The Content-Length of a record counts as right if another record or the end of the archive
// follows the block. Line ends may come before the record or the end. Otherwise the length is
// wrong, or stray bytes follow the block. Then these rules decide, in this order:
//
//  1. If the archive ends before the block does, the length is too large. The block ends at the
//     first record inside the block, or with the archive.
//  2. If a record begins at the start of a line inside the block, the length is too large.
//  3. If two line ends follow the block of a WARC, the length is right.
//  4. If a record begins in the middle of a line inside the block, the length is too large. The
//     same holds if a gzip member inside the block begins with a record.
//  5. Otherwise the length is too small: the block continues up to the next record. But if the
//     block would become larger than Options.Limit, the length counts as right.
//
// If the Content-Length is missing or not a number, the block ends before the next record, or with
// the archive.
//
// A record may begin in the middle of a line, because a writer may have stopped there and then
// written the next record. In a compressed container, a member that begins with a record always
// ends the record before that member. For blocks above Options.Limit see large.go.
//
// If the length of a block is right, text inside the block never counts as a record. If such text
// counted, the page of one server could contain a record that claims to come from another server.
//
// The parameters start, end, from and to in this file are indexes of r.w.buf. The record ends at
// the next hard mark (marks.go), if not earlier.

// blockEnd returns the end of the block that begins at start, and makes the block available. length
// is its Content-Length. A length above Options.Limit counts as wrong.
func (r *Reader) blockEnd(rec *Record, start int, length int64) int {
	end := start + int(min(length, int64(r.o.Limit)+1))
	avail := r.w.fill(end + r.afterBlockBytes())
	if avail < end {
		if k := r.findNext(start, avail, avail); k >= 0 {
			return r.endAt(rec, start, k, length)
		}
		rec.report(r.offsetIn(rec, avail), fmt.Sprintf("block cut short: %d bytes of %d", avail-start, length))
		return avail
	}
	if r.recordFollows(end) {
		return end
	}
	avail = r.w.fill(end + r.margin())
	if k := r.findAtLineStart(avail, start, end); k >= 0 {
		// A record in the middle of a line may come before k.
		return r.endAt(rec, start, r.findNext(start, k+1, avail), length)
	}
	if !r.arc && countLineEnds(r.w.buf[end:avail]) >= 2 {
		return end // stray bytes follow
	}
	if k := r.findNext(start, end, avail); k >= 0 {
		return r.endAt(rec, start, k, length)
	}
	longer := r.findBlockEnd(end, r.o.Limit+start)
	if longer < 0 {
		return end
	}
	text := fmt.Sprintf("%s %d is too small, the block has %d bytes", r.lengthName(), length, longer-start)
	rec.report(rec.Offset, text)
	return longer
}

// endAt returns the end of the block that begins at start. The next record begins at next, inside
// the claimed length. endAt reports that the Content-Length is too large.
func (r *Reader) endAt(rec *Record, start, next int, length int64) int {
	end := start + len(trimEnd(r.w.buf[start:next]))
	rec.report(rec.Offset,
		fmt.Sprintf("%s %d is too large, the block has %d bytes", r.lengthName(), length, end-start))
	return end
}

// findBlockEnd returns the end of a block with an unknown length. The bytes before from belong to
// the header or to the block. The block ends before the next record, or at the end of the input. Up
// to two line ends before the next record do not belong to the block. findBlockEnd makes the block
// available. It returns -1 if the block ends after limit.
func (r *Reader) findBlockEnd(from, limit int) int {
	searched := from
	margin := r.margin()
	enough := limit + len("\r\n\r\n") + margin // if no record begins in so many bytes, the block ends after limit
	for size := from + minWindow; ; size *= 2 {
		avail := r.w.fill(size)
		to := avail
		if avail >= size {
			to = max(searched, avail-margin)
		}
		k := r.findNext(searched, to, avail)
		switch {
		case k < 0 && avail >= size && avail <= enough:
			searched = to
			continue
		case k < 0:
			k = avail
		}
		end := from + len(trimEnd(r.w.buf[from:k]))
		if end > limit {
			return -1
		}
		return end
	}
}

// trimEnd removes up to two line ends at the end of b: two line ends separate records.
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

// Usually few line ends follow a block. So first only fewLineEnds bytes are examined. If more than
// maxLineEnds bytes of line ends follow a block, its length counts as right.
const (
	fewLineEnds = 60
	maxLineEnds = 4 << 10
)

// afterBlockBytes returns the number of bytes after a block that usually suffice to see whether a
// record follows.
func (r *Reader) afterBlockBytes() int { return fewLineEnds + r.startLen() }

// recordFollows reports whether another record or the end of the input follows at end. Line ends
// may come first. The bytes before end must be available.
func (r *Reader) recordFollows(end int) bool {
	for _, most := range []int{fewLineEnds, maxLineEnds} {
		size := most + r.startLen()
		avail := min(r.w.fill(end+size), end+size)
		rest := bytes.TrimLeft(r.w.buf[end:avail], "\r\n")
		next := avail - len(rest)
		if next < end+most || avail < end+size {
			return len(rest) == 0 || r.startsRecord(rest) || r.gzipRecordAt(next)
		}
	}
	return true
}

// countLineEnds returns the number of line ends at the start of b.
func countLineEnds(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		b = bytes.TrimPrefix(b, []byte("\r"))
		if len(b) == 0 || b[0] != '\n' {
			break
		}
		b = b[1:]
	}
	return n
}

// headerPrefix is the number of bytes of a record that startsWithHeader examines.
const headerPrefix = 128

// margin returns the number of bytes of a record that findNext needs to find the record. If the
// next hard mark or the end is nearer, the bytes before it are enough.
func (r *Reader) margin() int {
	if r.w.plain {
		return max(gzipHead, r.prefixLen())
	}
	return r.prefixLen()
}

// findHeader returns the first index in [from, to) of b at which the header of a record begins, or
// -1. If midLine is false, only headers at the start of a line count.
func findHeader(b []byte, from, to int, midLine bool) int {
	for i := from; i < to; i++ {
		n := bytes.Index(b[i:], []byte("WARC/"))
		if n < 0 {
			return -1
		}
		i += n
		if line := i == 0 || b[i-1] == '\n'; i < to && (line || midLine) && startsWithHeader(b[i:], line) {
			return i
		}
	}
	return -1
}

// findNext returns the first index in [from, to) at which a record begins, or -1. The record may
// begin in the middle of a line. In a plain archive it may be in a gzip member. avail is the number
// of available bytes: r.w.buf may hold more bytes after a hard mark.
func (r *Reader) findNext(from, to, avail int) int {
	k := r.findStart(r.w.buf[:avail], from, to, true)
	if k >= 0 {
		to = k
	}
	if m := r.findGzipRecord(from, to); m >= 0 {
		return m
	}
	return k
}

// findAtLineStart returns the first index in [from, to) at which a record begins at the start of a
// line, or -1. avail is as for findNext. findAtLineStart does not search again the bytes that its
// last call searched. Otherwise a file would take quadratic time if it has many records whose
// Content-Lengths all lead to the same offset.
func (r *Reader) findAtLineStart(avail, from, to int) int {
	first := from
	if pos := r.w.pos + int64(from); pos < r.noRecordFrom || pos > r.noRecordTo {
		r.noRecordFrom, r.noRecordTo = pos, pos
	} else {
		first = min(int(r.noRecordTo-r.w.pos), to)
	}
	k := r.findStart(r.w.buf[:avail], first, to, false)
	known := min(to, avail-r.prefixLen())
	if k >= 0 {
		known = k
	}
	r.noRecordTo = max(r.noRecordTo, r.w.pos+int64(known))
	return k
}

// startsWithHeader reports whether b begins with a version line and the name of a field. If
// lineStart is false, the name must begin with WARC-.
func startsWithHeader(b []byte, lineStart bool) bool {
	if !startsWithWARC(b) {
		return false
	}
	b = b[versionLen:min(len(b), headerPrefix)]
	version, rest, ok := bytes.Cut(b, newline)
	major, minor, dot := bytes.Cut(bytes.TrimRight(version, " \r"), []byte("."))
	if !ok || !dot || !digits(major) || !digits(minor) || !lineStart && !bytes.HasPrefix(rest, []byte("WARC-")) {
		return false
	}
	n := bytes.IndexByte(rest, ':')
	return n > 0 && bytes.IndexFunc(bytes.TrimRight(rest[:n], " "), notInName) < 0
}

// digits reports whether b consists of digits.
func digits(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "0123456789")) == 0
}

// notInName reports whether the name of a field cannot contain c.
func notInName(c rune) bool {
	return c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// atRecord reports whether a record begins at the position of r.
func (r *Reader) atRecord() bool {
	if r.w.atRecordMember() {
		return true
	}
	n := r.w.fill(r.startLen())
	return r.startsRecord(r.w.buf[:n]) || r.gzipRecordAt(0)
}

// skipTrailing advances from the end of the block to the next record. It reports bytes other than
// line ends.
func (r *Reader) skipTrailing(rec *Record) {
	for {
		n := r.w.fill(1)
		k := n - len(bytes.TrimLeft(r.w.buf[:n], "\r\n"))
		r.w.skip(k)
		if k < n || k == 0 {
			break
		}
	}
	if r.w.atEnd() || r.atRecord() {
		return
	}
	at := r.w.offset()
	rec.report(at, fmt.Sprintf("%d stray bytes after the record", r.scanToRecord()))
}

// scanToRecord advances to the next record or to the end, by at least one byte. It returns the
// number of bytes that it passed.
func (r *Reader) scanToRecord() (passed int64) {
	for {
		passed += r.scan()
		if r.w.atEnd() || r.atRecord() {
			return passed
		}
	}
}

// scan advances to the next record, the next hard mark or the end, by at least one byte unless r is
// at the end. It returns the number of bytes that it passed.
func (r *Reader) scan() (passed int64) {
	from := r.w.pos
	for {
		avail := r.w.fill(minWindow)
		last := avail < minWindow || r.w.toHardMark() == avail
		to := avail
		if !last {
			to -= r.margin()
		}
		k := r.findNext(1, to, avail)
		switch {
		case k >= 0:
			r.w.skip(k)
			return r.w.pos - from
		case last:
			r.w.skip(avail)
			return r.w.pos - from
		}
		r.w.skip(to - 1)
	}
}
