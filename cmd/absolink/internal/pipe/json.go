package pipe

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The id of a frame is answered byte for byte, and a key that appears twice is a fault. So the
// members of a header are cut here, after package json has checked the header as a whole.

// members yields the members of object, a valid JSON object without blanks around it. Keys and
// values are JSON as written, without blanks around them.
func members(object []byte) func(yield func(key, value []byte) bool) {
	return func(yield func(key, value []byte) bool) {
		rest := object[1:]
		for {
			rest = skip(rest, ',')
			if rest[0] == '}' {
				return
			}
			n := stringSize(rest)
			key := rest[:n]
			rest = skip(rest[n:], ':')
			n = valueSize(rest)
			if !yield(key, rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// skip returns b without the blanks and separators at its beginning.
func skip(b []byte, separator byte) []byte {
	for isBlank(b[0]) || b[0] == separator {
		b = b[1:]
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// valueSize returns the size of the JSON value at the beginning of b, which is part of a valid
// object.
func valueSize(b []byte) int {
	switch b[0] {
	case '"':
		return stringSize(b)
	case '{', '[':
		return nestedSize(b)
	}
	n := 1
	for !isBlank(b[n]) && b[n] != ',' && b[n] != '}' {
		n++
	}
	return n
}

// stringSize returns the size of the JSON string at the beginning of b.
func stringSize(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// nestedSize returns the size of the JSON object or array at the beginning of b.
func nestedSize(b []byte) int {
	depth := 0
	for i := 0; ; {
		switch b[i] {
		case '"':
			i += stringSize(b[i:])
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
}

// unquote returns the text of a JSON string. It returns false for any other value.
func unquote(value []byte) (text string, ok bool) {
	if value[0] != '"' {
		return "", false
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return unescape(value)
}

// unescape returns the text of any JSON string. unquote calls it for strings with escapes.
func unescape(value []byte) (text string, ok bool) {
	err := json.Unmarshal(value, &text)
	return text, err == nil
}
