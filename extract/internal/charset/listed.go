package charset

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"absolink/extract/internal/text"
)

// Encodings that only mail has are decoded as a whole and never written. Their text is read for its
// links.

// Control characters that switch between character sets (ECMA-35).
const (
	shiftOut = 0x0e
	shiftIn  = 0x0f
)

// decodeListed decodes data, in an encoding of the form Listed, into t.
func (e *Encoding) decodeListed(t *text.Text, data []byte) {
	switch e.Name {
	case "utf-7":
		decodeUTF7(t, data)
	case "hz-gb-2312":
		e.decodeHZ(t, data)
	case "iso-2022-kr":
		e.decodeKR(t, data)
	default:
		decodeUTF32(t, data, e.bigEndian(data))
	}
}

// isUTF32 reports whether the encoding is UTF-32.
func (e *Encoding) isUTF32() bool {
	return e.Name == "utf-32" || e.Name == "utf-32be" || e.Name == "utf-32le"
}

// UnlikeASCII reports whether ASCII characters have other bytes in the charset.
func (e *Encoding) UnlikeASCII() bool { return e.isUTF16() || e.isUTF32() }

// hasUTF32Mark reports whether e is UTF-32, and data begins with its byte order mark. The
// little-endian mark begins like the mark of UTF-16.
func (e *Encoding) hasUTF32Mark(data []byte) bool {
	return e.isUTF32() && len(data) >= 4 && (number32(data, true) == bom || number32(data, false) == bom)
}

// bom is the character of byte order marks.
const bom = '\ufeff'

// bigEndian reports whether data, in UTF-32, is big-endian. The byte order mark or the name of the
// encoding decides. Otherwise data is big-endian if its first character is valid in this order, or
// if it is shorter than a character (Unicode 3.10, D101).
func (e *Encoding) bigEndian(data []byte) bool {
	if e.Name != "utf-32" || len(data) < 4 {
		return e.Name != "utf-32le"
	}
	return number32(data, false) != bom && number32(data, true) <= utf8.MaxRune
}

// number32 returns the number in the first four bytes of b.
func number32(b []byte, big bool) uint32 {
	if big {
		return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	}
	return uint32(b[3])<<24 | uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}

// decodeUTF32 appends data to t, without the byte order mark. Invalid characters and an incomplete
// character at the end become U+FFFD.
func decodeUTF32(t *text.Text, data []byte, big bool) {
	i := 0
	if len(data) >= 4 && number32(data, big) == bom {
		i = 4
	}
	for ; i+4 <= len(data); i += 4 {
		r := rune(utf8.RuneError)
		if n := number32(data[i:], big); n <= utf8.MaxRune && !utf16.IsSurrogate(rune(n)) {
			r = rune(n)
		}
		text.AppendUnit(t, text.Span{Start: i, End: i + 4}, r)
	}
	if i < len(data) {
		t.AppendToken(text.Span{Start: i, End: len(data)}, []byte(replacement))
	}
}

// decodeUTF7 appends data to t (RFC 2152). A "+" begins characters in base64. The first byte that
// is not a base64 digit ends them, and is removed if it is "-". Both signs belong to the adjacent
// characters. A run of digits that contains no whole characters is literal text, since many
// programs do not encode a "+".
func decodeUTF7(t *text.Text, data []byte) {
	for i := 0; i < len(data); {
		n := 0
		for i+n < len(data) && data[i+n] != '+' && data[i+n] < utf8.RuneSelf {
			n++
		}
		t.AppendSame(i, data[i:i+n])
		i += n
		if i == len(data) {
			return
		}
		if data[i] >= utf8.RuneSelf {
			t.AppendToken(text.Span{Start: i, End: i + 1}, []byte(replacement))
			i++
			continue
		}
		end := i + 1
		for end < len(data) && base64Digit(data[end]) >= 0 {
			end++
		}
		next := end
		if end < len(data) && data[end] == '-' {
			next++
		}
		switch {
		case end == i+1 && next > end:
			t.AppendToken(text.Span{Start: i, End: next}, []byte{'+'})
		case wholeUnits(data[i+1 : end]):
			appendUnits(t, data[i+1:end], text.Span{Start: i, End: next})
		default:
			t.AppendSame(i, data[i:next])
		}
		i = next
	}
}

// base64Digit returns the value of a base64 digit, or -1.
func base64Digit(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// wholeUnits reports whether base64 digits hold at least one whole unit of 16 bits. After the units
// there must be fewer than six bits, all zero.
func wholeUnits(digits []byte) bool {
	rest := len(digits) * 6 % 16
	if len(digits)*6 < 16 || rest >= 6 {
		return false
	}
	return base64Digit(digits[len(digits)-1])&(1<<rest-1) == 0
}

// appendUnits appends the UTF-16 in base64 digits. run is the span of the digits, from their "+"
// on. A byte order mark at the beginning of the text is left out. The span of a character covers
// the digits that contain a bit of it.
func appendUnits(t *text.Text, digits []byte, run text.Span) {
	units := len(digits) * 6 / 16
	for k := 0; k < units; {
		r, n := rune(unitAt(digits, k)), 1
		if utf16.IsSurrogate(r) {
			both := rune(utf8.RuneError)
			if k+1 < units {
				both = utf16.DecodeRune(r, rune(unitAt(digits, k+1)))
			}
			r = both
			if both != utf8.RuneError {
				n = 2
			}
		}
		first := run.Start + 1
		span := text.Span{Start: first + k*16/6, End: first + ((k+n)*16+5)/6}
		if k == 0 {
			span.Start = run.Start
		}
		k += n
		if k == units {
			span.End = run.End
		}
		if r != bom || run.Start > 0 || k > 1 {
			var buf [utf8.UTFMax]byte
			t.AppendToken(span, utf8.AppendRune(buf[:0], r))
		}
	}
}

// unitAt returns the k-th unit of 16 bits in base64 digits.
func unitAt(digits []byte, k int) uint16 {
	bits := uint32(0)
	first := k * 16 / 6
	for i := range 4 {
		bits <<= 6
		if first+i < len(digits) {
			bits |= uint32(base64Digit(digits[first+i]))
		}
	}
	return uint16(bits >> (24 - 16 - (k*16 - first*6)))
}

// pairReader decodes text with sequences that switch to two-byte characters and back. A sequence
// that switches to two-byte characters belongs to the next character. A sequence that switches back
// belongs to the previous character.
type pairReader struct {
	e      *Encoding
	t      *text.Text
	data   []byte
	start  int  // start of the current character, including the sequence before it
	double bool // characters have two bytes
}

// setDouble handles a sequence that ends at next. double means that it switches to two-byte
// characters.
func (s *pairReader) setDouble(double bool, next int) {
	if s.double && !double && s.start < next {
		text.Extend(s.t, next)
		s.start = next
	}
	s.double = double
}

// readChar appends the character at i, which may have two bytes, and returns the offset after it.
// White space, controls and line ends are never part of a pair.
func (s *pairReader) readChar(i int) (next int) {
	c := s.data[i]
	if c < utf8.RuneSelf && (!s.double || c <= ' ') {
		if c == '\n' {
			s.double = false
		}
		if s.start == i {
			s.t.AppendSame(i, s.data[i:i+1])
		} else {
			s.t.AppendToken(text.Span{Start: s.start, End: i + 1}, s.data[i:i+1])
		}
		s.start = i + 1
		return i + 1
	}
	char, next := []byte(replacement), i+1
	if i+1 < len(s.data) && isKanji(c) && isKanji(s.data[i+1]) {
		if pair, ok := s.e.lookup([]byte{c | 0x80, s.data[i+1] | 0x80}); ok {
			char = pair
			next = i + 2
		}
	}
	s.t.AppendToken(text.Span{Start: s.start, End: next}, char)
	s.start = next
	return next
}

// decodeHZ appends data to t (RFC 1843). Two-byte characters are between "~{" and "~}"; "~~" means
// "~"; a line end after a "~" is removed. A line end also ends the two-byte characters, as in
// browsers that knew the encoding. Before any other byte, a "~" is literal.
func (e *Encoding) decodeHZ(t *text.Text, data []byte) {
	s := pairReader{e: e, t: t, data: data}
	for i := 0; i < len(data); {
		var after byte
		if data[i] == '~' && i+1 < len(data) {
			after = data[i+1]
		}
		switch {
		case after == '{', after == '}':
			i += 2
			s.setDouble(after == '{', i)
		case after == '~':
			t.AppendToken(text.Span{Start: s.start, End: i + 2}, data[i:i+1])
			i += 2
			s.start = i
		case after == '\n':
			i += 2
		case after == '\r' && i+2 < len(data) && data[i+2] == '\n':
			i += 3
		default:
			i = s.readChar(i)
		}
	}
}

// decodeKR appends data to t (RFC 1557). Two-byte characters are between SO and SI. The sequence
// that names their set is ignored. A line end also ends the two-byte characters.
func (e *Encoding) decodeKR(t *text.Text, data []byte) {
	const designation = "\x1b$)C"
	s := pairReader{e: e, t: t, data: data}
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == shiftOut || c == shiftIn:
			i++
			s.setDouble(c == shiftOut, i)
		case c == esc && bytes.HasPrefix(data[i:], []byte(designation)):
			i += len(designation)
			s.start = i
		default:
			i = s.readChar(i)
		}
	}
}
