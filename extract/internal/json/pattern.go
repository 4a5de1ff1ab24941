package json

import "bytes"

// PatternPrefix returns the length of the prefix of a URL pattern or URL template that is a URL by
// itself. The prefix ends with the last slash before the first special character (URL Pattern 2.1,
// RFC 6570 2.2). It is all of v if v has no special character. It is empty if no prefix of v is a
// URL, for instance if the host is a pattern.
func PatternPrefix(v []byte) int {
	special := firstSpecial(v)
	if special == len(v) {
		return len(v)
	}
	n := bytes.LastIndexByte(v[:special], '/') + 1
	if host := bytes.Index(v, []byte("//")); host >= 0 && n <= host+2 && (host == 0 || v[host-1] == ':') {
		return 0
	}
	return n
}

// firstSpecial returns the offset of the first special character, or the length of v. A colon is
// special before a name, but not after a scheme and not before a port.
func firstSpecial(v []byte) int {
	for i, c := range v {
		switch c {
		case '*', '(', ')', '{', '}', '\\':
			return i
		case ':':
			if i+1 < len(v) && v[i+1] != '/' && (v[i+1] < '0' || v[i+1] > '9') {
				return i
			}
		}
	}
	return len(v)
}
