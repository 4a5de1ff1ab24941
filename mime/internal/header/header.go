// Package header reads header fields as they are written. It reads the lines of a header block,
// which have the same form in messages (RFC 5322 Section 2.2), HTTP (RFC 9112 Section 5) and web
// archives. It also reads media types, parameters and encodings in the fields of MIME (RFC 2045,
// RFC 2231).
package header

import "absolink/resolve/ascii"

// Folds reports whether a line that begins with c continues the field before it.
func Folds(c byte) bool { return c == ' ' || c == '\t' }

// Colon returns the offset of the colon after the field name at the start of line, or -1 if line
// does not begin with a field name. A name contains no blank, but blanks may stand before the colon
// (RFC 5322 Section 4.5).
func Colon(line []byte) int {
	blank := false
	for i, c := range line {
		switch {
		case c > ':' && !blank: // most bytes of a name
		case c == ':' && i > 0:
			return i
		case c == ':', Folds(c) && i == 0, blank && !Folds(c):
			return -1
		case Folds(c):
			blank = true
		}
	}
	return -1
}

// white is the white space of a folded field (RFC 5322 Section 2.2.3).
const white = ascii.Blank | ascii.LineEnd

// Trim returns the value of a field without the white space and the line ends around it.
func Trim(value []byte) []byte {
	for len(value) > 0 && white.Has(value[0]) {
		value = value[1:]
	}
	for len(value) > 0 && white.Has(value[len(value)-1]) {
		value = value[:len(value)-1]
	}
	return value
}

// Named reports whether before, the text before the colon of a field, is name in any case. name
// must be ASCII.
func Named(before []byte, name string) bool {
	if len(before) < len(name) || !Fold(before[:len(name)], name) {
		return false
	}
	for _, c := range before[len(name):] {
		if !Folds(c) {
			return false
		}
	}
	return true
}

// Fold reports whether b is name in any case. name must be ASCII and as long as b.
func Fold(b []byte, name string) bool {
	for i, c := range b {
		if x := c ^ name[i]; x != 0 && (x != 0x20 || c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
