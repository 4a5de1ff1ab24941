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
		return "", Absolute, plainHierarchy(s, webPrefix(s))
	case c == '/' && len(s) > 1 && s[1] == '/':
		return b.fast.scheme, Relative, b.quiet && plainHierarchy(s, 2)
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

// plainHierarchy reports whether s, an http or https URL or a network path whose host
// begins at an offset, has a domain that is public, and a path, and nothing but plain bytes.
func plainHierarchy(s string, host int) bool {
	end := domainEnd(s, host)
	return end > 0 && !isPrivate(s[host:end]) && plainBytes(s)
}

// domainEnd returns the end of a domain in the form that it has in a URL, whose last
// label is letters only, and which a slash follows; 0 if there is none at i.
func domainEnd(s string, i int) int {
	if hasVector && len(s) >= domainVectorLen {
		if end := domainVector(s, i); end > 0 {
			return end
		}
	}
	start := i
	for i < len(s) && class[s[i]]&(plainHost|period) != 0 {
		i++
	}
	if i == len(s) || s[i] != '/' || s[start] == '.' {
		return 0
	}
	top := i
	for top > start && isAlpha(s[top-1]) {
		top--
	}
	if top == i || top > start && s[top-1] != '.' {
		return 0
	}
	return i
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

// plainVectorLen and domainVectorLen are the least numbers of bytes that plainVector
// and domainVector look at.
const (
	plainVectorLen  = 8
	domainVectorLen = 32
)

// plainBytes reports whether each byte of s stands unchanged in path, query and fragment,
// no slash stands before a dot, and what is escaped is no control character and no dot.
func plainBytes(s string) bool {
	if hasVector && len(s) >= plainVectorLen {
		plain, escapes := plainVector(s)
		return plain && (!escapes || plainEscapes(s))
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
	for i := strings.IndexByte(s, '%'); i >= 0; {
		if i+2 >= len(s) {
			return false
		}
		if c := digits[s[i+1]]<<4 | digits[s[i+2]]; c < 0x20 || c == 0x7f || c == '.' {
			return false
		}
		if s, i = s[i+3:], 0; s == "" || s[0] != '%' {
			i = strings.IndexByte(s, '%')
		}
	}
	return true
}

// digits are the values of hexadecimal digits, -1 of other bytes.
var digits = func() (t [256]int) {
	for c := range t {
		t[c] = -1
		if isHex(byte(c)) {
			t[c] = int(unhex(byte(c)))
		}
	}
	return t
}()
