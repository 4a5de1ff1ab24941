package markup

import "encoding/binary"

// lower returns c in lower case, if it is an ASCII letter.
func lower(c byte) byte {
	if class[c]&uppercase != 0 {
		return c + 'a' - 'A'
	}
	return c
}

// is reports whether name equals word in any case. word must be in lower case.
func is(name []byte, word string) bool {
	if len(name) != len(word) {
		return false
	}
	for i, c := range name {
		if lower(c) != word[i] {
			return false
		}
	}
	return true
}

// same reports whether two names are equal without regard to case.
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if c != b[i] && lower(c) != lower(b[i]) {
			return false
		}
	}
	return true
}

// word is a buffer for a folded name of an element of the standard. The longest name is
// annotation-xml.
type word [16]byte

// fold returns the name in lower case, or nil if it is longer than all known names.
func (w *word) fold(name []byte) []byte {
	if len(name) > len(w) {
		return nil
	}
	if cap(name) >= 8 && len(name) <= 8 {
		binary.LittleEndian.PutUint64(w[:], lowerWord(binary.LittleEndian.Uint64(name[:8])))
		return w[:len(name)]
	}
	for i, c := range name {
		w[i] = lower(c)
	}
	return w[:len(name)]
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// lowerWord returns eight bytes with their ASCII letters in lower case.
func lowerWord(w uint64) uint64 {
	low := w &^ highs
	upper := (low + ones*(0x80-'A')) &^ (low + ones*(0x7f-'Z')) &^ w & highs
	return w | upper>>2
}
