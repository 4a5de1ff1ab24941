package css

import (
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// Escapes of names, strings and urls are the same (CSS Syntax 4.3.7), except
// that an escaped line end vanishes from a string.

// escapeEnd returns the offset after the escape whose backslash is data[i].
func escapeEnd(data []byte, i int) int {
	_, end := decodeEscape(data, i)
	return end
}

// decodeEscape returns the character that the escape at data[i] stands for, and
// the offset after it. A character other than a hex digit stands for itself and
// is given as -1; so is an escaped line end, of which nothing stays.
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

// literalEnd returns the offset after the character at data[i].
func literalEnd(data []byte, i int) int {
	if isNewline(data[i]) {
		return spaceEnd(data, i)
	}
	_, n := utf8.DecodeRune(data[i:])
	return i + max(n, 1)
}

// spaceEnd returns the offset after the one white space, if any, at data[i].
func spaceEnd(data []byte, i int) int {
	if i < len(data) && ascii.Space.Has(data[i]) {
		if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			return i + 2
		}
		return i + 1
	}
	return i
}

// AppendUnescaped appends data, the content of a name, a string or an unquoted
// url, without its escapes. A backslash at its end, which only the end of the
// input can leave there, is U+FFFD, in a string nothing.
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

// appendEscape appends what the escape at data[i] stands for and returns the
// offset after it.
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

// AppendString appends text with the escapes that it needs inside a string of
// the given quote, or inside an unquoted url if quote is 0. '<' and '>' are
// escaped as well, so that no style element, CDATA section or comment ends in it.
// What is written is ASCII.
func AppendString(dst, text []byte, quote byte) []byte {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1 || r == 0:
			dst = ascii.AppendPercent(dst, text[i]) // as a URI can hold it, no CSS text can
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
