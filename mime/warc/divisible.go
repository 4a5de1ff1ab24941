package warc

import (
	"bytes"
	"io"
)

// Divisible reports whether a Reader can read a range of the archive without decoding the bytes
// before the range. It examines the first MiB of a file; for a pipe it returns false. It returns
// true if the file begins with a plain record: a Reader then skips the large blocks before the
// range without reading them, unless a Content-Length is wrong. It also returns true if the file
// begins with two zstd frames, or with two gzip members that begin with records. An archive that is
// compressed as a whole has only one frame or member. An error comes from the file. A call of
// Divisible does not change the record that the next call of Read returns.
func (r *Reader) Divisible() (bool, error) {
	if r.raw.file == nil {
		return false, nil
	}
	head := make([]byte, min(r.raw.size, 1<<20))
	if n, err := r.raw.file.ReadAt(head, r.raw.fileStart); n < len(head) {
		return false, err
	}
	return divisible(head), nil
}

// divisible reports whether an archive that begins with head is divisible. It returns false if the
// first member or frame does not end in head.
func divisible(head []byte) bool {
	if startsWithRecord(head) {
		return true
	}
	in := newRaw(bytes.NewReader(head))
	if gzipMagic(head) == 0 {
		return newChain(in).beginsWithTwo()
	}
	at, frames := int64(0), 0
	for at < int64(len(head)) && zstdMagic(head[at:min(at+4, int64(len(head)))]) == 0 {
		if head[at] == magicFrame&0xff {
			frames++
		}
		end, ok := frameEnd(in.file, at)
		if !ok {
			break
		}
		at = end
	}
	return frames > 1
}

// beginsWithTwo decodes the first member of the file, and the start of the second. It returns true
// if both begin with a record.
func (c *chain) beginsWithTwo() bool {
	c.seek(0)
	c.arc = true // so that member returns enough bytes
	start, err := c.member()
	if err != nil || !startsWithRecord(start) {
		return false
	}
	if err := c.z.reset(c.br); err != nil {
		return false
	}
	next := make([]byte, maxLine)
	n, _ := io.ReadFull(&c.z, next)
	return startsWithRecord(next[:n])
}
