package warc

import "fmt"

// Blocks above the limit are skipped. To check their length, the Reader examines the bytes after
// the block. In a plain file it can do that at once. Elsewhere it must first read as many bytes as
// the length says, and go back if the length was wrong.

// pass skips a block that is not held. If the block does not end correctly, but a record begins in
// it, the block ends at that record.
func (r *Reader) pass(rec *Record, length int64) {
	start := r.w.here(0)
	inside, left := r.over(length)
	r.w.fill(separator)
	switch n := inside - start.pos; {
	case left == 0 && r.follows(0):
	case n < 0 && left == 0: // stray bytes follow
	case n < 0:
		rec.Skipped -= left
		rec.defect(rec.Offset, fmt.Sprintf("block cut short: %d bytes of %d", length-left, length))
	case !r.w.back(start):
		rec.defect(rec.Offset,
			fmt.Sprintf("Content-Length %d is wrong, what begins in it cannot be read from a pipe", length))
	default:
		r.wrong++
		rec.Skipped = n
		if n <= int64(r.o.Limit) {
			r.w.fill(int(n))
			block := trimEnd(r.w.buf[:n])
			rec.Data = append(rec.Data, block...)
			rec.Block.End = len(rec.Data)
			rec.Skipped = 0
			n = int64(len(block))
		}
		rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too large, the block has %d bytes", length, n))
		r.w.forward(inside)
	}
}

// large reports whether a block that begins at head and claims a length above the limit is skipped.
// It is if that many bytes are there and the claim is not distrusted.
func (r *Reader) large(head int, length int64) bool {
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.next(r.w.pos + int64(head) + length); right {
			return true
		}
	}
	return r.w.fill(head+r.o.Limit+1) > head+r.o.Limit && !r.distrusts(head)
}

// maxWrong is the largest number of large lengths that may be wrong. To detect each of them, the
// Reader reads as many bytes as the length says.
const maxWrong = 100

// distrusts reports whether a large length counts as wrong without a further check. It does if many
// were wrong before, and a record begins in the part of the block that is held.
func (r *Reader) distrusts(head int) bool {
	if r.wrong < maxWrong {
		return false
	}
	avail := r.w.fill(head + r.o.Limit + lookahead)
	return findStart(r.w.buf[:avail], head, head+r.o.Limit, false) >= 0
}

// over skips a block of the given length, but stops as soon as the length is known to be wrong.
// inside is the position at which a record seems to begin in the block, or -1. left is the number
// of missing bytes.
func (r *Reader) over(length int64) (inside, left int64) {
	wrong := false // for certain
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.next(r.w.pos + length); right {
			r.w.forward(r.w.pos + length)
			return -1, 0
		}
		wrong = true
	}
	inside, left = -1, length
	for first := 0; left > 0; first = 1 {
		avail := r.w.fill(minWindow)
		n := int(min(int64(avail), left))
		if inside < 0 {
			if k := findStart(r.w.buf[:avail], first, n, false); k >= 0 {
				inside = r.w.pos + int64(k)
			}
		}
		if inside >= 0 && wrong {
			return inside, left
		}
		if avail >= minWindow && r.w.bound() != avail {
			n = min(n, avail-lookahead)
		}
		r.w.skip(n)
		left -= int64(n)
		if n == 0 || r.w.fresh() {
			break
		}
	}
	return inside, left
}
