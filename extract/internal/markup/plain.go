package markup

import "encoding/binary"

// PlainLength returns how many bytes at the start of b are ASCII that stands for itself
// in an attribute: no character reference begins there, and no control character that
// is changed.
func PlainLength(b []byte) int {
	if hasWide {
		return plainWide(b)
	}
	if hasVector && len(b) >= plainMargin {
		return plainVector(&b[0], len(b))
	}
	return plainWords(b)
}

// plainMargin is the least number of bytes that plainVector looks at.
const plainMargin = 32

// plainWords is PlainLength, eight bytes at a time, at last the last eight.
func plainWords(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if !plainWord(binary.LittleEndian.Uint64(b[n:])) {
			return n + plainBytes(b[n:])
		}
	}
	if n > 0 && plainWord(binary.LittleEndian.Uint64(b[len(b)-8:])) {
		return len(b)
	}
	return n + plainBytes(b[n:])
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainWord reports whether eight bytes are ASCII that stands for itself, but none of
// the control characters: it takes a few for others, which are looked at again.
func plainWord(w uint64) bool {
	amp := w ^ ones*'&'
	return (w|(amp-ones)&^amp|(w-ones*0x0e)&^w)&highs == 0
}

// plainBytes is PlainLength, byte by byte.
func plainBytes(b []byte) int {
	for i, c := range b {
		if c >= 0x80 || c == '&' || c == '\r' || c == 0 {
			return i
		}
	}
	return len(b)
}
