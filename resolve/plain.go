package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// Most references of real pages need no work at all: what they resolve to is a part of
// the base with the reference behind it, or the reference alone, and there is nothing to
// warn of but what shows at once. Base.Plain knows these by one look at their bytes. It is
// content to miss some that are not as simple as that; a fuzz target holds it against
// Append, Form and AppendWarnings.

// Plain is what becomes of a plain reference: its URI is the reference between Prefix and
// Suffix, which is a slash where the path is empty.
type Plain struct {
	Prefix, Suffix string
	Form           Form
	Warning        string // the only one; "" = none
}

// Plain reports whether ref is surely one of those references for which Append, Form and
// AppendWarnings need not be asked, and what they would say. It is false of many others
// too, and of all under the rules of the RFCs. Nothing is allocated.
func (b *Base) Plain(ref []byte) (p Plain, ok bool) {
	s := view(ref)
	if s == "" || b.o.Rules != WHATWG {
		return p, false
	}
	switch c := s[0]; {
	case c == 'h' && webPrefix(s) > 0:
		p.Form = Absolute
		p.Suffix, ok = plainHierarchy(s, webPrefix(s))
		return p, ok
	case c == '/' && len(s) > 1 && s[1] == '/':
		p.Prefix, p.Warning = b.fast.scheme, hostChange
		p.Suffix, ok = plainHierarchy(s, 2)
		return p, ok && b.quiet
	case c == '/':
		p.Prefix = b.fast.origin
	case c == '#':
		p.Prefix, p.Form = b.fast.query, SameDocument
	case c == '?':
		p.Prefix = b.fast.path
	case c == '.':
		return p, false
	default:
		if n := schemeLen(s); n > 0 {
			return plainOpaque(s, n)
		}
		p.Prefix = b.fast.dir
	}
	return p, b.quiet && plainBytes(s)
}

// plainHierarchy reports whether s, an http or https URL or a network path whose host
// begins at an offset, has a domain that is public, and nothing but plain bytes. The
// suffix is what it lacks of a path.
func plainHierarchy(s string, host int) (suffix string, ok bool) {
	end := domainEnd(s, host)
	if end == len(s) {
		suffix = "/"
	}
	return suffix, end > 0 && !isPrivate(s[host:end]) && plainBytes(s)
}

// domainEnd returns the end of a domain in the form that it has in a URL, whose last
// label is letters only, and which a slash or nothing follows; 0 if there is none at i.
func domainEnd(s string, i int) int {
	start := i
	for i < len(s) && class[s[i]]&(plainHost|period) != 0 {
		i++
	}
	if i == start || s[start] == '.' || i < len(s) && s[i] != '/' {
		return 0
	}
	top := i
	for top > start && ascii.IsAlpha(s[top-1]) {
		top--
	}
	if top == i || top > start && s[top-1] != '.' {
		return 0
	}
	return i
}

// plainOpaque reports whether s, with a scheme of that length, is a URL with an opaque
// path and plain: the scheme is lower case and not special.
func plainOpaque(s string, scheme int) (p Plain, ok bool) {
	p.Form = Absolute
	for i := range scheme {
		if class[s[i]]&plainHost == 0 {
			return p, false
		}
	}
	if isScript(s[:scheme]) {
		p.Warning = script
	}
	return p, ascii.IsAlpha(s[0]) && scheme+1 < len(s) && s[scheme+1] != '/' && !isSpecial(s[:scheme]) && plainBytes(s)
}

// plainBytes reports whether each byte of s stands unchanged in path, query and fragment,
// no slash stands before a dot, and what is escaped is no control character and no dot.
func plainBytes(s string) bool {
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
		t[c] = ascii.Hex(byte(c))
	}
	return t
}()
