package warc

import (
	"bytes"
	"io"
)

// Divisible reports whether ranges of the archive can be read without the bytes before them. They
// can if the archive is plain, or if one gzip member or zstd frame ends within its first MiB and
// another begins there. Divisible is false for a pipe, and for an archive that is compressed as a
// whole. An error comes from reading. Divisible does not change the results of Read.
func (r *Reader) Divisible() (bool, error) {
	if r.raw.file == nil {
		return false, nil
	}
	head := make([]byte, min(r.raw.size, 1<<20))
	if n, err := r.raw.file.ReadAt(head, r.raw.base); n < len(head) {
		return false, err
	}
	return divisible(head), nil
}

// divisible is Divisible for an archive that begins with head. It is false if head is too short to
// tell.
func divisible(head []byte) bool {
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
