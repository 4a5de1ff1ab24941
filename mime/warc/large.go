package warc

import "fmt"

// Blocks above the limit are skipped. To check their length, the Reader examines the bytes after
// the block. In a plain file it can do that at once. Elsewhere it must first read as many bytes as
// the length says, and go back if the length was wrong.

// mustSkip reports whether the block must be skipped, which begins start bytes after the position
// and has a Content-Length above the limit. The block must be skipped if it really has more bytes
// than the limit.
func (r *Reader) mustSkip(start int, length int64) bool {
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.afterBlock(r.w.pos + int64(start) + length); right {
			return true
		}
	}
	return r.w.fill(start+r.o.Limit+1) > start+r.o.Limit && !r.distrusts(start)
}

// maxWrongLengths is the number of wrong lengths above the limit after which the Reader distrusts
// such lengths. To detect each of them, it reads as many bytes as the length says.
const maxWrongLengths = 100

// distrusts reports whether a length above the limit counts as wrong without a further check. It
// does after many wrong lengths, if a record begins in the first bytes of the block.
func (r *Reader) distrusts(start int) bool {
	if r.wrongLengths < maxWrongLengths {
		return false
	}
	avail := r.w.fill(start + r.o.Limit + lookahead)
	return findHeader(r.w.buf[:avail], start, start+r.o.Limit, false) >= 0
}

// skipBlock skips the block at the position, which has a Content-Length above the limit. If the
// block does not end correctly, but a record begins in it, the block ends at that record.
func (r *Reader) skipBlock(rec *Record, length int64) {
	start := r.w.bookmark()
	inside, missing := r.skipClaimed(length)
	r.w.fill(separator)
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
			fmt.Sprintf("Content-Length %d is wrong, what begins in it cannot be read from a pipe", length))
	default:
		r.wrongLengths++
		r.endSkipped(rec, length, inside)
	}
}

// endSkipped ends the block at the position where a record begins in it, at the position next. If
// the block has no more bytes than the limit then, rec gets it.
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
	rec.report(rec.Offset, fmt.Sprintf("Content-Length %d is too large, the block has %d bytes", length, n))
	r.w.skipTo(next)
}

// skipClaimed skips a block of the claimed length, but stops when the length is known to be wrong.
// inside is the position at which a record seems to begin in the block, or -1. missing is the
// number of bytes that were not skipped.
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
	for first := 0; missing > 0; first = 1 { // a later window may begin in the middle of a line
		avail := r.w.fill(minWindow)
		n := int(min(int64(avail), missing))
		if inside < 0 {
			if k := findHeader(r.w.buf[:avail], first, n, false); k >= 0 {
				inside = r.w.pos + int64(k)
			}
		}
		if inside >= 0 && wrong {
			return inside, missing
		}
		if avail >= minWindow && r.w.toHardMark() != avail {
			n = min(n, avail-lookahead)
		}
		r.w.skip(n)
		missing -= int64(n)
		if n == 0 || r.w.atRecordMember() {
			break
		}
	}
	return inside, missing
}
