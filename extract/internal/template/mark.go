package template

import "bytes"

// longest is how far some marks are looked for, so that many of them take no longer than that.
const longest = 1024

func near(b []byte) []byte { return b[:min(len(b), longest)] }

// closed returns the end of the piece whose opening mark of two bytes stands at v[i]: that of
// the first closing mark, or that of v.
func closed(v []byte, i int, mark string) int {
	if n := bytes.Index(v[i+2:], []byte(mark)); n >= 0 {
		return i + 2 + n + len(mark)
	}
	return len(v)
}

// braced returns the offset behind the brace that closes the one at v[i], else the length of v.
func braced(v []byte, i int) int {
	depth := 0
	for ; i < len(v); i++ {
		switch v[i] {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(v)
}

// escapes reports whether b begins as a percent-encoded byte of ASCII signs does: no word of a
// template begins with a digit, but JSON in a URL begins with {%22.
func escapes(b []byte) bool { return len(b) > 1 && '0' <= b[1] && b[1] <= '9' }
