package record

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
)

// Records are made in any order, but repeats are dropped in the order of the output. So each line
// travels in a frame: the hash of its key (16 bytes), the length of the line (4 bytes), and the
// line. A Unique unpacks the frames.

const frameHeader = 20

// AppendFrame appends line in a frame for a [Unique]. Lines with the same key are repeats.
func AppendFrame(dst []byte, key, line []byte) []byte {
	sum := sha256.Sum256(key)
	dst = append(dst, sum[:16]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(line)))
	return append(dst, line...)
}

// Unique is a writer of frames. It writes each line to W whose key is new.
type Unique struct {
	W    io.Writer
	seen map[[16]byte]struct{}
	buf  []byte // the beginning of an incomplete frame
	out  []byte
}

// Write takes any piece of a sequence of frames.
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
