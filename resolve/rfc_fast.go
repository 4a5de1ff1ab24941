package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// As with the URL Standard, the result of most references is a prefix of the base
// and the reference itself under the RFC rule sets too. plainRFC proves it with one
// look at each byte; everything else is left to rfc.go.

// rfcPrefixes are parts of the base that plain references are put behind; "" is no
// prefix, and sends such references to the whole algorithm.
type rfcPrefixes struct {
	scheme   string // with its colon, where relative references have a base
	origin   string // up to the path, where there is an authority
	dir      string // up to the last slash of the path
	path     string // up to the query, where "?y" takes it (RFC 3986, draft-00e)
	fragment string // what "#s" is put behind
}

func (b *Base) setRFCPrefixes() {
	r, f := &b.rfc, &b.plain
	switch b.o.Rules {
	case RFC3986:
		f.fragment, _, _ = strings.Cut(b.uri, "#")
		f.path, _, _ = strings.Cut(f.fragment, "?")
	case Draft00e:
		own := split{Params: r.Params}
		uri := b.appendTail1808([]byte(r.scheme+r.authority+r.Path), &own)
		if r.usable && r.Path != "" { // its server ends at "/" alone
			f.path = string(uri)
		}
		own = split{Ref: Ref{Query: r.Query, HasQuery: r.HasQuery}}
		f.fragment = string(b.appendTail1808(uri, &own))
	default:
		f.fragment = b.document
	}
	if r.usable {
		f.scheme = r.scheme
	}
	if !r.HasAuthority {
		return
	}
	f.origin = r.scheme + r.authority
	if !r.excess {
		f.dir = f.origin + r.dir
	}
}

// appendPlainRFC serves plain references; where it reports false it has not changed
// dst.
func (b *Base) appendPlainRFC(dst []byte, s string) ([]byte, bool) {
	if len(s) == 0 {
		return dst, false
	}
	prefix, i := "", 0
	switch s[0] {
	case '/':
		if prefix = b.plain.origin; len(s) > 1 && s[1] == '/' {
			prefix = b.plain.scheme
		}
	case '#':
		prefix = b.plain.fragment
	case '?':
		prefix = b.plain.path
	case ';':
		return dst, false
	default:
		if i = b.schemeLen(s); i > 0 {
			return appendPlain(dst, "", s, !b.rfc.compat && b.plainRFC(s, i))
		}
		prefix = b.plain.dir
	}
	return appendPlain(dst, prefix, s, prefix != "" && b.plainRFC(s, i))
}

// plainRFC reports whether s has nothing from i on to encode, and nothing that may be
// a dot segment.
func (b *Base) plainRFC(s string, i int) bool {
	look := excluded | percent | period
	if b.o.Bare {
		look = period
	}
	if b.o.Rules == Draft00e && i == 0 {
		look |= delim1808
		if emptyServer(s) {
			return false // it is dropped too
		}
	}
	for ; i < len(s); i++ {
		c := s[i]
		if class[c]&look == 0 {
			continue
		}
		switch {
		case c == '.':
			if i == 0 || s[i-1] == '/' || s[i-1] == ':' {
				return false
			}
		case class[c]&delim1808 != 0:
			if i+1 == len(s) || class[s[i+1]]&delim1808 != 0 {
				return false
			}
		case c != '%' || !ascii.IsEscape(s[i:]):
			return false
		}
	}
	return true
}

func emptyServer(s string) bool {
	return strings.HasPrefix(s, "//") && (len(s) == 2 || s[2] == '/' || s[2] == '#')
}
