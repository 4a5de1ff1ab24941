package escape

import "slices"

// Roman says at which ends of an edit the bytes are JIS X 0201 Roman, which is ASCII with two
// different characters.
type Roman uint8

const (
	RomanBefore Roman = 1 << iota
	RomanAfter
)

// append appends b, which is ASCII, with the escape sequences around it that it needs.
func (r Roman) append(dst, b []byte) []byte {
	if r == RomanBefore|RomanAfter && !slices.Contains(b, '\\') && !slices.Contains(b, '~') {
		return append(dst, b...)
	}
	if r&RomanBefore > 0 {
		dst = append(dst, "\x1b(B"...)
	}
	dst = append(dst, b...)
	if r&RomanAfter > 0 {
		dst = append(dst, "\x1b(J"...)
	}
	return dst
}

// Wide says how the characters of the top document become bytes.
type Wide uint8

const (
	Narrow Wide = iota // ASCII is one byte
	UTF16LE
	UTF16BE
)

// append appends b, which is ASCII.
func (w Wide) append(dst, b []byte) []byte {
	for _, c := range b {
		switch w {
		case UTF16LE:
			dst = append(dst, c, 0)
		case UTF16BE:
			dst = append(dst, 0, c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
