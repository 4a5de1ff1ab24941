package record

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
)

// Goroutines make records in any order, but a repeat is dropped in the order of the output. So each
// line reaches the output in a frame: the hash of its key (16 bytes), the length of the line (4
// bytes), and the line. A Unique unpacks the frames.

const frameHeader = 20

// AppendFrame appends a line in a frame for a [Unique]. Of lines with the same key, the first is
// written.
func AppendFrame(dst []byte, key, line []byte) []byte {
	sum := sha256.Sum256(key)
	dst = append(dst, sum[:16]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(line)))
	return append(dst, line...)
}

// Unique is a writer of frames. It writes to W each line whose key is new.
type Unique struct {
	W    io.Writer
	seen map[[16]byte]struct{} // the hashes of keys
	buf  []byte                // the beginning of an incomplete frame
	out  []byte                // memory for the lines of a write
}

// Write accepts frames in pieces of any length.
func (u *Unique) Write(p []byte) (int, error) {
	if u.seen == nil {
		u.seen = make(map[[16]byte]struct{})
	}
	u.buf = append(u.buf, p...)
	rest, out := u.buf, u.out[:0]
	for len(rest) >= frameHeader {
		n := int(binary.BigEndian.Uint32(rest[16:]))
		if len(rest) < frameHeader+n {
			break
		}
		key := [16]byte(rest[:16])
		if _, old := u.seen[key]; !old {
			u.seen[key] = struct{}{}
			out = append(out, rest[frameHeader:frameHeader+n]...)
		}
		rest = rest[frameHeader+n:]
	}
	u.buf = u.buf[:copy(u.buf, rest)]
	u.out = out
	if len(out) == 0 {
		return len(p), nil
	}
	if _, err := u.W.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
