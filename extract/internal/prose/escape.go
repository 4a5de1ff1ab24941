package prose

import "bytes"

// Mail in ISO-2022-JP without a declared charset is read as ASCII. Its escape sequences (ISO 2022,
// ECMA-35) switch to a two-byte set and back. The letters in these sequences and the bytes between
// them do not belong to a URI. Terminals use sequences of the same form for colours (ECMA-48).

// escape is the byte that begins an escape sequence.
const escape = 0x1B

// escapeLen returns the length of the escape sequence at the start of s. If it switches to another
// set than ASCII, the bytes of that set are included. They end at the next sequence, or at the end
// of the line, where the text must be in ASCII again.
func escapeLen(s []byte) int {
	n := 1
	if n < len(s) && s[n] == '[' {
		n++
		for n < len(s) && '0' <= s[n] && s[n] <= '?' {
			n++
		}
	}
	for n < len(s) && ' ' <= s[n] && s[n] <= '/' {
		n++
	}
	n = min(n+1, len(s))
	if !switchesSet(view(s)) {
		return n
	}
	if end := bytes.IndexAny(s[n:], "\x1B\r\n"); end >= 0 {
		return n + end
	}
	return len(s)
}

// switchesSet reports whether s begins with the escape sequence of a set that is unlike ASCII: a
// set of several bytes, or the katakana of JIS X 0201.
func switchesSet(s string) bool {
	return len(s) > 2 && s[0] == escape && (s[1] == '$' || s[1:3] == "(I")
}
