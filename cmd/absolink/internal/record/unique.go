package record

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
)

// Goroutines make lines in any order, but which of several lines with the same key is written
// depends on their order in the output. So each line comes to the output in a frame: the hash of
// its key (16 bytes), the lengths of its URI and of the line (4 bytes each), the URI, and the line.
// A Unique unpacks the frames.

const frameHeader = 24

// AppendFrame appends a line in a frame for a [Unique], which writes only the first line with each
// key. uri is the argument of [Unique.Add], or empty.
func AppendFrame(dst []byte, key, uri, line []byte) []byte {
	sum := sha256.Sum256(key)
	dst = append(dst, sum[:16]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(uri)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(line)))
	return append(append(dst, uri...), line...)
}

// Unique reads the frames that are written to it. It writes each line with a new key to W. If Write
// returns no error, all these lines of the complete frames so far were written to W.
type Unique struct {
	W io.Writer
	// Add may be nil. For a line with a URI, it decides instead of the key: isNew reports whether
	// the URI is new. If fits is false, the key decides.
	Add func(uri []byte) (isNew, fits bool)

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
		lineAt := frameHeader + int(binary.BigEndian.Uint32(rest[16:]))
		end := lineAt + int(binary.BigEndian.Uint32(rest[20:]))
		if len(rest) < end {
			break
		}
		if u.isNew([16]byte(rest[:16]), rest[frameHeader:lineAt]) {
			out = append(out, rest[lineAt:end]...)
		}
		rest = rest[end:]
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

// isNew returns true for a new key, or for a new URI if Add decides. It adds the key to u.seen.
func (u *Unique) isNew(key [16]byte, uri []byte) bool {
	if len(uri) > 0 && u.Add != nil {
		if isNew, fits := u.Add(uri); fits {
			return isNew
		}
	}
	if _, old := u.seen[key]; old {
		return false
	}
	u.seen[key] = struct{}{}
	return true
}
