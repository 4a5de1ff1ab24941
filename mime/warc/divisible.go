package warc

import (
	"bytes"
	"io"
)

// Divisible reports whether an archive that begins with head is read in ranges without
// reading all before them: it is plain, or a member of gzip or frame of zstd ends in head
// and another one begins there. What is compressed as one is not, nor is what cannot be
// told from head.
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

// pair reports whether two members begin the file, each with a record.
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
