package warc

import "fmt"

// A block whose Content-Length is above Options.Limit is skipped. To check the length, the Reader
// examines the bytes after the block. In a plain file it can read these bytes without the block. In
// all other archives it must first read as many bytes as the length says. If the length was wrong,
// the Reader goes back. A block of unknown length is skipped up to the next record, if it has more
// bytes than the limit.
//
// Only the first two rules of block.go apply. Inside the block, only a record at the start of a
// line counts. A length is never found to be too small: the bytes up to the next record are stray
// bytes.

// mustSkip reports whether a block with a Content-Length above the limit must be skipped. The block
// begins at index start of r.w.buf. mustSkip returns true in two cases: the file is plain and the
// length is right, or more bytes than the limit are available and r does not distrust the length.
func (r *Reader) mustSkip(start int, length int64) bool {
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.afterBlock(r.w.pos + int64(start) + length); right {
			return true
		}
	}
	return r.w.fill(start+r.o.Limit+1) > start+r.o.Limit && !r.distrusts(start)
}

// maxWrongLengths is the number of wrong lengths above the limit after which the Reader distrusts
// such lengths. For each wrong length, the Reader may read as many bytes as the length says, and go
// back.
const maxWrongLengths = 100

// distrusts reports whether a length above the limit counts as wrong without a further check. It
// returns true after maxWrongLengths wrong lengths, if a record begins in the block, within the
// limit.
func (r *Reader) distrusts(start int) bool {
	if r.wrongLengths < maxWrongLengths {
		return false
	}
	avail := r.w.fill(start + r.o.Limit + r.prefixLen())
	return r.findAtLineStart(avail, start, start+r.o.Limit) >= 0
}

// skipBlock skips the block at the position of r, and sets rec.Skipped. length is the
// Content-Length, which is above the limit, or unknownLength. A block of unknown length ends
// at the next record. A block of known length has this length. But if no record follows the block,
// and a record begins inside it, the block ends at that record.
func (r *Reader) skipBlock(rec *Record, length int64) {
	if length < 0 {
		rec.Skipped = r.scan()
		return
	}
	start := r.w.bookmark()
	inside, missing := r.skipClaimed(length)
	r.w.fill(r.afterBlockBytes())
	switch {
	case missing == 0 && r.recordFollows(0):
		// The length is right.
	case inside < 0 && missing == 0:
		// The length is right, and stray bytes follow.
	case inside < 0:
		rec.Skipped -= missing
		rec.report(rec.Offset, fmt.Sprintf("block cut short: %d bytes of %d", length-missing, length))
	case !r.w.returnTo(start):
		rec.report(rec.Offset,
			fmt.Sprintf("%s %d is wrong, the record inside the block cannot be read from a pipe",
				r.lengthName(), length))
	default:
		r.wrongLengths++
		r.endSkipped(rec, length, inside)
	}
}

// endSkipped ends the block at the position of r. The next record begins at the position next. If
// the block has no more bytes than the limit, endSkipped appends it to rec.Data.
func (r *Reader) endSkipped(rec *Record, length, next int64) {
	n := next - r.w.pos
	rec.Skipped = n
	if n <= int64(r.o.Limit) {
		r.w.fill(int(n))
		block := trimEnd(r.w.buf[:n])
		rec.Data = append(rec.Data, block...)
		rec.Block.End = len(rec.Data)
		rec.Skipped = 0
		n = int64(len(block))
	}
	rec.report(rec.Offset, fmt.Sprintf("%s %d is too large, the block has %d bytes", r.lengthName(), length, n))
	r.w.skipTo(next)
}

// skipClaimed skips a block with the claimed length. It stops early if the length is certainly
// wrong and it has found a record in the block. inside is the position at which a record seems to
// begin in the block, or -1. missing is the number of bytes that were not skipped.
func (r *Reader) skipClaimed(length int64) (inside, missing int64) {
	wrong := false // true only if it is certain
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.afterBlock(r.w.pos + length); right {
			r.w.skipTo(r.w.pos + length)
			return -1, 0
		}
		wrong = true
	}
	inside = -1
	missing = length
	for first := 0; missing > 0; first = 1 { // later, buf[0] may be in the middle of a line
		avail := r.w.fill(minWindow)
		n := int(min(int64(avail), missing))
		if inside < 0 {
			if k := r.findStart(r.w.buf[:avail], first, n, false); k >= 0 {
				inside = r.w.pos + int64(k)
			}
		}
		if inside >= 0 && wrong {
			return inside, missing
		}
		if avail >= minWindow && r.w.toHardMark() != avail {
			n = min(n, avail-r.prefixLen())
		}
		r.w.skip(n)
		missing -= int64(n)
		if n == 0 || r.w.atRecordMember() {
			break
		}
	}
	return inside, missing
}
