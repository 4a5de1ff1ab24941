package json

import "bytes"

// PatternPrefix returns the length of the prefix of v, a URL pattern or URL template, that is a URL
// by itself. The prefix ends with the last slash before the first special character (URL Pattern
// 2.1, RFC 6570 2.2). It is all of v if v has no special character. It is empty if no prefix of v
// is a URL, for instance if the host is a pattern.
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

// VariablesStart returns the offset of the first name in braces in v, with the '$' before the brace
// if there is one. It is the length of v if there is none.
func VariablesStart(v []byte) int {
	n := bytes.IndexByte(v, '{')
	switch {
	case n < 0:
		return len(v)
	case n > 0 && v[n-1] == '$':
		return n - 1
	}
	return n
}

// VariablesPrefix returns the length of the beginning of v that is a URL by itself, whatever the
// names in braces stand for. It ends before the query or fragment, or after the last slash before
// the first name. It is 0 if no beginning is a URL, for instance if the host has a name in braces.
func VariablesPrefix(v []byte) int {
	start := VariablesStart(v)
	if start == len(v) {
		return start
	}
	if n := bytes.IndexAny(v[:start], "?#"); n >= 0 {
		return n
	}
	n := bytes.LastIndexByte(v[:start], '/') + 1
	if host := bytes.Index(v, []byte("//")); host >= 0 && n <= host+2 && (host == 0 || v[host-1] == ':') {
		return 0
	}
	return n
}

// VariablesLiteral returns the length of the beginning of v that can be resolved. The caller
// appends the rest of v unchanged to the resolved URL. If the first name is in the path,
// VariablesLiteral returns the same as VariablesPrefix, because the name may stand for "..". If it
// is in the query or the fragment, the beginning extends to the name. VariablesLiteral returns 0 if
// the scheme or the host has a name.
func VariablesLiteral(v []byte) int {
	start := VariablesStart(v)
	if start < len(v) && !bytes.ContainsAny(v[:start], "?#") {
		return VariablesPrefix(v)
	}
	return start
}
