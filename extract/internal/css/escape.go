package css

import (
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// Names, strings and urls have the same escapes (CSS Syntax 4.3.7). Only strings can escape a line
// end, which removes it.

// escapeEnd returns the offset after the escape whose backslash is data[i].
func escapeEnd(data []byte, i int) int {
	_, end := decodeEscape(data, i)
	return end
}

// decodeEscape returns the character of the escape whose backslash is data[i], and the offset after
// it. r is -1 if another character than a hex digit follows the backslash. The caller then drops a
// line end, and keeps any other character.
func decodeEscape(data []byte, i int) (r rune, end int) {
	i++
	if i >= len(data) {
		return utf8.RuneError, i
	}
	n := 0
	for n < 6 && i < len(data) && ascii.Hex(data[i]) >= 0 {
		r = r<<4 | rune(ascii.Hex(data[i]))
		i++
		n++
	}
	if n == 0 {
		return -1, literalEnd(data, i)
	}
	if r == 0 || r > utf8.MaxRune || 0xd800 <= r && r < 0xe000 {
		r = utf8.RuneError
	}
	return r, spaceEnd(data, i)
}

// literalEnd returns the offset after the character or the line end at data[i].
func literalEnd(data []byte, i int) int {
	if isNewline(data[i]) {
		return spaceEnd(data, i)
	}
	_, n := utf8.DecodeRune(data[i:])
	return i + max(n, 1)
}

// isNewline reports whether c is a newline, or a part of one (3.3).
func isNewline(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

// spaceEnd returns the offset after one character of white space at data[i], if there is one.
func spaceEnd(data []byte, i int) int {
	if i < len(data) && ascii.Space.Has(data[i]) {
		if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			return i + 2
		}
		return i + 1
	}
	return i
}

// AppendUnescaped appends data, the content of a name, a string or an unquoted url, without its
// escapes. A backslash that is the last byte of data becomes U+FFFD: the input ends there. In a
// string it is removed.
func AppendUnescaped(dst, data []byte, inString bool) []byte {
	for i := 0; i < len(data); {
		switch {
		case data[i] == 0:
			dst = utf8.AppendRune(dst, utf8.RuneError)
			i++
		case data[i] != '\\':
			dst = append(dst, data[i])
			i++
		case i+1 == len(data) && inString:
			i++
		default:
			dst, i = appendEscape(dst, data, i)
		}
	}
	return dst
}

// appendEscape appends the character of the escape at data[i] and returns the offset after it.
func appendEscape(dst, data []byte, i int) ([]byte, int) {
	r, end := decodeEscape(data, i)
	switch {
	case r >= 0:
		return utf8.AppendRune(dst, r), end
	case isNewline(data[i+1]):
		return dst, end
	case data[i+1] == 0:
		return utf8.AppendRune(dst, utf8.RuneError), end
	}
	return append(dst, data[i+1:end]...), end
}

// AppendString appends text with the escapes that it needs inside a string of the given quote, or
// inside an unquoted url if quote is 0. It also escapes '<' and '>', so that text cannot end a
// style element, CDATA section or comment. The output is ASCII.
func AppendString(dst, text []byte, quote byte) []byte {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1 || r == 0:
			dst = ascii.AppendPercent(dst, text[i]) // percent-encoded, as in a URI: CSS text cannot contain such a byte
		case r < ' ' || r >= 0x7f || r == '<' || r == '>' || r == ' ' && quote == 0:
			dst = appendHex(dst, r)
		case r == '\\' || byte(r) == quote || quote == 0 && (r == '"' || r == '\'' || r == '(' || r == ')'):
			dst = append(dst, '\\', byte(r))
		default:
			dst = append(dst, byte(r))
		}
		i += n
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// appendHex appends r as a hex escape with its closing blank.
func appendHex(dst []byte, r rune) []byte {
	dst = append(dst, '\\')
	shift := 20
	for shift > 0 && r>>shift == 0 {
		shift -= 4
	}
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[r>>shift&15])
	}
	return append(dst, ' ')
}
