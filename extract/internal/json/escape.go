package json

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// AppendUnescaped appends the content of a string without its escapes. It decodes the escapes of
// JSON (RFC 8259 section 7), and \x, \u{} and escaped line ends, which scripts have. It removes a
// backslash before any other character. A lone surrogate becomes U+FFFD.
func AppendUnescaped(dst, s []byte) []byte {
	for i := 0; ; {
		n := bytes.IndexByte(s[i:], '\\')
		if n < 0 || i+n+1 == len(s) {
			return append(dst, s[i:]...)
		}
		dst = append(dst, s[i:i+n]...)
		dst, i = appendEscape(dst, s, i+n+1)
	}
}

// AppendFirst appends the character of the escape at the beginning of s. s begins with a backslash.
// n is the length of the escape. A backslash at the end of s is a character itself.
func AppendFirst(dst, s []byte) (out []byte, n int) {
	if len(s) == 1 {
		return append(dst, s[0]), 1
	}
	return appendEscape(dst, s, 1)
}

// appendEscape appends the character of the escape whose letter is s[i], and returns the offset
// after it.
func appendEscape(dst, s []byte, i int) ([]byte, int) {
	c := s[i]
	switch c {
	case 'u':
		if r, n := unicodeEscape(s[i+1:]); n > 0 {
			return utf8.AppendRune(dst, r), i + 1 + n
		}
	case 'x':
		if r, ok := readHex(s[i+1:], 2); ok {
			return utf8.AppendRune(dst, r), i + 3
		}
	case '\n', '\r':
		if c == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		return dst, i + 1
	}
	if n := controlEscapes[c]; n != 0 {
		c = n
	}
	return append(dst, c), i + 1
}

// controlEscapes has the control characters of escapes, by the letter of the escape.
var controlEscapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// unicodeEscape reads the part of an escape after \u: four digits, an optional second half of a
// surrogate pair, or a number in braces. n is the length of this part, or 0 if s does not begin
// with one.
func unicodeEscape(s []byte) (r rune, n int) {
	if len(s) > 0 && s[0] == '{' {
		return readBraced(s)
	}
	r, ok := readHex(s, 4)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if low, ok := readHex(s[6:], 4); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 10
			}
		}
	}
	return utf8.RuneError, 4
}

// readBraced reads a number in braces. n is its length with the braces, or 0 if s does not begin
// with one.
func readBraced(s []byte) (r rune, n int) {
	for n = 1; n < len(s) && n < 8 && ascii.Hex(s[n]) >= 0; n++ {
		r = r<<4 | rune(ascii.Hex(s[n]))
	}
	if n == 1 || n == len(s) || s[n] != '}' || r > utf8.MaxRune {
		return 0, 0
	}
	return r, n + 1
}

// readHex reads a number of n hex digits.
func readHex(s []byte, n int) (r rune, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for _, c := range s[:n] {
		d := ascii.Hex(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// AppendString appends text as the content of a string. The result is valid in any quotes of JSON
// or of a script, and in template literals. It also escapes '<' and '>', so that text cannot end a
// script element, comment or CDATA section. The output is ASCII; NUL and bytes that are not UTF-8
// are percent-encoded.
func AppendString(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1 || r == 0:
			dst = ascii.AppendPercent(dst, text[i])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = appendUnit(appendUnit(dst, high), low)
		case r < ' ' || r >= 0x7f || mustEscape[r]:
			dst = appendUnit(dst, r)
		default:
			dst = append(dst, byte(r))
		}
		i += n
	}
	return dst
}

// mustEscape has the printable characters that AppendString escapes.
var mustEscape = [0x80]bool{'"': true, '\'': true, '`': true, '\\': true, '<': true, '>': true, '{': true}

// appendUnit appends a UTF-16 code unit as an escape.
func appendUnit(dst []byte, r rune) []byte {
	const lower = "0123456789abcdef"
	return append(dst, '\\', 'u', lower[r>>12&15], lower[r>>8&15], lower[r>>4&15], lower[r&15])
}
