package text

import "encoding/binary"

// ASCIILength returns the number of ASCII bytes at the start of b.
func ASCIILength(b []byte) int {
	n := 0
	for ; len(b)-n >= 32; n += 32 {
		w := b[n : n+32]
		if (word(w)|word(w[8:])|word(w[16:])|word(w[24:]))&highs != 0 {
			break
		}
	}
	for ; len(b)-n >= 8 && word(b[n:])&highs == 0; n += 8 {
	}
	for ; n < len(b) && b[n] < 0x80; n++ {
	}
	return n
}

// IsASCII reports whether all bytes of b are below 0x80.
func IsASCII(b []byte) bool { return ASCIILength(b) == len(b) }

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

const highs = 0x8080808080808080
