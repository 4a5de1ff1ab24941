package resolve

import "strings"

// Most references of real pages need no work at all: what they resolve to is a part of
// the base with the reference behind it, or the reference alone, and there is nothing to
// warn of. Plain knows these by one look at their bytes. It is content to miss some that
// are not as simple as that; a fuzz target holds it against Append, Form and
// AppendWarnings.

// Plain reports whether ref is surely one of those references for which Append, Form and
// AppendWarnings need not be asked: its URI is prefix followed by ref itself, without an
// error, its form is form, and nothing warns of it but that a network path changes the
// host. It is false of many others too, and of all under the rules of the RFCs. Nothing is
// allocated.
func (b *Base) Plain(ref []byte) (prefix string, form Form, ok bool) {
	s := view(ref)
	if s == "" || b.o.Rules != WHATWG {
		return "", Relative, false
	}
	switch c := s[0]; {
	case c == 'h' && webPrefix(s) > 0:
		return "", Absolute, plainHierarchy(s[webPrefix(s):])
	case c == '/' && len(s) > 1 && s[1] == '/':
		return b.fast.scheme, Relative, b.quiet && plainHierarchy(s[2:])
	case c == '/':
		return b.fast.origin, Relative, b.quiet && plainBytes(s)
	case c == '#':
		return b.fast.query, SameDocument, b.quiet && plainBytes(s)
	case c == '?':
		return b.fast.path, Relative, b.quiet && plainBytes(s)
	case c == '.' || !plainBytes(s):
		return "", Relative, false
	}
	if n := schemeLen(s); n > 0 {
		return "", Absolute, plainOpaque(s, n)
	}
	return b.fast.dir, Relative, b.quiet
}

// plainHierarchy reports whether s, the rest of an http or https URL behind its two
// slashes, is a domain in the form that it has in a URL, which is public and whose last
// label is letters only, with a path and plain bytes.
func plainHierarchy(s string) bool {
	i := 0
	for i < len(s) && class[s[i]]&(plainHost|period) != 0 {
		i++
	}
	if i == len(s) || s[i] != '/' || s[0] == '.' {
		return false
	}
	top := i
	for top > 0 && isAlpha(s[top-1]) {
		top--
	}
	return top < i && (top == 0 || s[top-1] == '.') && !isPrivate(s[:i]) && plainBytes(s[i:])
}

// plainOpaque reports whether plain bytes with a scheme of that length are a URL with an
// opaque path: the scheme is lower case and not special. A script is warned of.
func plainOpaque(s string, scheme int) bool {
	for i := range scheme {
		if class[s[i]]&plainHost == 0 {
			return false
		}
	}
	return isAlpha(s[0]) && scheme+1 < len(s) && s[scheme+1] != '/' && !isSpecial(s[:scheme]) && !isScript(s[:scheme])
}

// vectorLen is the least number of bytes that plainVector looks at.
const vectorLen = 16

// plainBytes reports whether each byte of s stands unchanged in path, query and fragment,
// no slash stands before a dot, and what is escaped is no control character and no dot.
func plainBytes(s string) bool {
	if hasVector && len(s) >= vectorLen && plainVector(s) {
		return true
	}
	var set uint16
	before := byte(0)
	for i := range len(s) {
		c := s[i]
		set |= class[c]
		if c == '.' && before == '/' {
			return false
		}
		before = c
	}
	return set&odd == 0 && (set&percent == 0 || plainEscapes(s))
}

// plainEscapes reports whether each "%" begins an escape, none of a control character or
// a dot.
func plainEscapes(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0; i = strings.IndexByte(s, '%') {
		if s = s[i:]; !isEscape(s) {
			return false
		}
		if c := unhex(s[1])<<4 | unhex(s[2]); c < 0x20 || c == 0x7f || c == '.' {
			return false
		}
		s = s[3:]
	}
	return true
}
