package css

import (
	"encoding/binary"
	"math/bits"
)

// Strings and urls can be long: whole pictures and fonts stand in them. Their bytes
// are passed over eight at a time, as one word each of whose bytes is tested at once;
// the lowest byte that a test marks is always marked rightly.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// equal marks the bytes of w that are c.
func equal(w uint64, c byte) uint64 {
	w ^= ones * uint64(c)
	return (w - ones) &^ w & highs
}

// below marks the bytes of w that are less than c, which is at most 0x80.
func below(w uint64, c byte) uint64 { return (w - ones*uint64(c)) &^ w & highs }

// stringRun returns the offset of the first byte from i on that is the quote q, a
// backslash or a control character.
func stringRun(data []byte, i int, q byte) int {
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		if m := equal(w, q) | equal(w, '\\') | below(w, ' '); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(data) && data[i] != q && data[i] != '\\' && data[i] >= ' ' {
		i++
	}
	return min(i, len(data))
}

// urlRun returns the offset of the first byte from i on that may be the end of an
// unquoted url, or means something in it.
func urlRun(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		brackets := w &^ (ones * ('(' ^ ')')) // both become '('
		if m := below(w, '!') | equal(w, '"') | equal(w, '\'') | equal(brackets, '(') | equal(w, '\\') | equal(w, 0x7f); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(data) && inURL[data[i]] {
		i++
	}
	return min(i, len(data))
}

// inURL are the bytes that stand for themselves in an unquoted url.
var inURL = func() (t [256]bool) {
	for c := range t {
		t[c] = c > ' ' && c != '"' && c != '\'' && c != '(' && c != ')' && c != '\\' && c != 0x7f
	}
	return t
}()
