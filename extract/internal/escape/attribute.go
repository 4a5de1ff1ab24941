package escape

import (
	"strings"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// appendAttribute appends text as an attribute value in the given quotes, or without quotes if
// quote is 0. The output is ASCII and never ends the value.
func appendAttribute(dst, text []byte, quote byte) []byte {
	same := &sameInQuotes
	if quote == 0 {
		same = &sameBare
	}
	for {
		n := 0
		for n < len(text) && same[text[n]] {
			n++
		}
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return dst
		}
		text = text[n:]
		dst, n = appendSpecial(dst, text, quote)
		text = text[n:]
	}
}

// sameInQuotes and sameBare are the bytes that are literal in attribute values, with and without
// quotes.
var sameInQuotes, sameBare = allBut("\"'&<"), allBut("\"'&<>=`")

// allBut returns the graphic characters of ASCII, except the special ones.
func allBut(special string) (t [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = strings.IndexByte(special, c) < 0
	}
	return t
}

// appendSpecial appends the character at the start of text, and returns its length.
func appendSpecial(dst, text []byte, quote byte) ([]byte, int) {
	r, n := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && n == 1 || r == 0:
		dst = ascii.AppendPercent(dst, text[0])
	case r == '&':
		dst = append(dst, "&amp;"...)
	case r == '<':
		dst = append(dst, "&lt;"...)
	case r == '"' && quote != '\'':
		dst = append(dst, "&quot;"...)
	case needsReference(r, quote):
		dst = appendNumeric(dst, r)
	default:
		dst = append(dst, byte(r))
	}
	return dst, n
}

// needsReference reports whether r must be a numeric character reference.
func needsReference(r rune, quote byte) bool {
	if r < ' ' || r >= 0x7f || r == '\'' && quote != '"' {
		return true
	}
	return quote == 0 && (r == ' ' || r == '=' || r == '>' || r == '`')
}

// appendNumeric appends the numeric character reference of r.
func appendNumeric(dst []byte, r rune) []byte {
	if 0x80 <= r && r < 0xa0 {
		// &#128; to &#159; mean other characters (HTML 13.2.5.80).
		for _, c := range utf8.AppendRune(nil, r) {
			dst = ascii.AppendPercent(dst, c)
		}
		return dst
	}
	return appendDecimal(dst, r)
}

// appendDecimal appends the decimal character reference of r.
func appendDecimal(dst []byte, r rune) []byte {
	dst = append(dst, "&#"...)
	var digits [8]byte
	i := len(digits)
	for ; r > 0; r /= 10 {
		i--
		digits[i] = '0' + byte(r%10)
	}
	return append(append(dst, digits[i:]...), ';')
}

// needsQuotes reports whether an attribute value needs quotes (HTML 13.1.2.3).
func needsQuotes(value []byte) bool {
	for _, c := range value {
		if c <= ' ' || c == '"' || c == '\'' || c == '=' || c == '<' || c == '>' || c == '`' {
			return true
		}
	}
	return len(value) == 0
}
