package warc

import (
	"bytes"
	"io"
)

// Divisible reports whether a range of an archive can be read without the bytes before it. head is
// the beginning of the archive. The result is true if the archive is plain, or if one gzip member
// or zstd frame ends in head and another begins there. It is false if the archive is compressed as
// a whole, or if head is too short to tell.
func Divisible(head []byte) bool {
	if begins(head) {
		return true
	}
	in := newRaw(bytes.NewReader(head))
	if (*gzipCodec)(nil).magic(head) == 0 {
		return newChain(in).pair()
	}
	at, frames := int64(0), 0
	for at < int64(len(head)) && (*zstdCodec)(nil).magic(head[at:min(at+4, int64(len(head)))]) == 0 {
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

// pair reports whether the file begins with two members that each begin with a record.
func (c *chain) pair() bool {
	c.seek(0)
	start, err := c.member()
	if err != nil || !begins(start) {
		return false
	}
	if err := c.z.reset(c.br); err != nil {
		return false
	}
	var next [versionLen]byte
	n, _ := io.ReadFull(&c.z, next[:])
	return begins(next[:n])
}
