package json

import "bytes"

// PatternPrefix returns the length of the beginning of a URL pattern, or of the template of a URL,
// that is a URL by itself: up to the last slash before the first character that stands for others
// (URL Pattern 2.1, RFC 6570 2.2). It is the length of v if there is no such character, and 0 if
// none of v is a URL, as when the host is a pattern.
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

// firstSpecial returns the offset of the first character that stands for others, the length of v
// if there is none. A colon does before a name: not behind a scheme, and not before a port.
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
