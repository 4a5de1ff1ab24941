package template

import "bytes"

// longest limits two searches, in bytes: for some closing marks after an opening mark, and for a
// '?' or '#' before it. Without a limit, the time for many opening marks would be quadratic.
const longest = 1024

// near returns the first bytes of b, at most longest.
func near(b []byte) []byte { return b[:min(len(b), longest)] }

// closed returns the end of the piece whose opening mark of two bytes is at v[i]. This is the end
// of the first closing mark, or the end of v.
func closed(v []byte, i int, mark string) int {
	if n := bytes.Index(v[i+2:], []byte(mark)); n >= 0 {
		return i + 2 + n + len(mark)
	}
	return len(v)
}

// braced returns the offset after the brace that closes the one at v[i], or the length of v.
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

// escapes reports whether b begins like a percent-encoded ASCII sign. b begins at the '%' of a mark
// such as {%. JSON in a URL begins with {%22, and no template has a digit there.
func escapes(b []byte) bool { return len(b) > 1 && '0' <= b[1] && b[1] <= '9' }
