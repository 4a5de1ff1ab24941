// Package hidden finds the characters that a terminal obeys or does not show. Messages and tables
// print them escaped.
package hidden

// Rune reports whether r must be escaped: a control character, a mark of direction, a line end, a
// character without width that no script needs, or a tag.
func Rune(r rune) bool {
	switch {
	case r < 0xa0:
		return r < ' ' || r >= 0x7f
	case r < 0x61c:
		return false
	case r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	switch r {
	case 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0xfeff:
		return true
	}
	return false
}
