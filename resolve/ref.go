package resolve

import (
	"strings"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// Ref is a URI reference in its five components (RFC 2396 4, RFC 3986 4.1). It distinguishes
// undefined components from empty ones. Scheme is undefined if it is ""; Authority, Query and
// Fragment are undefined if their Has field is false.
type Ref struct {
	Scheme, Authority, Path, Query, Fragment string
	HasAuthority, HasQuery, HasFragment      bool
}

// Split cuts s into its components like the regular expression of RFC 2396 Appendix B, with one
// difference: the text before the first ":" is a scheme only if it fits the grammar (a letter, then
// letters, digits, "+", "-" and "."). It never fails, and Split(s).String() == s.
func Split(s string) Ref {
	var r Ref
	s, r.Fragment, r.HasFragment = strings.Cut(s, "#")
	if i := schemeLen(s); i > 0 && ascii.Letter.Has(s[0]) {
		r.Scheme, s = s[:i], s[i+1:]
	}
	s, r.Query, r.HasQuery = strings.Cut(s, "?")
	r.cutAuthority(s)
	return r
}

// cutAuthority sets Authority and Path from the text between scheme and query.
func (r *Ref) cutAuthority(s string) {
	r.Path = s
	if len(s) < 2 || s[0] != '/' || s[1] != '/' {
		return
	}
	s = s[2:]
	i := strings.IndexByte(s, '/')
	if i < 0 {
		i = len(s)
	}
	r.HasAuthority, r.Authority, r.Path = true, s[:i], s[i:]
}

// String joins the components (RFC 2396 5.2 step 7, RFC 3986 5.3). It never fails, and restores the
// input of [Split] byte for byte.
func (r Ref) String() string {
	n := len(r.Scheme) + len(r.Authority) + len(r.Path) + len(r.Query) + len(r.Fragment)
	return string(r.append(make([]byte, 0, n+5)))
}

func (r *Ref) append(dst []byte) []byte {
	if r.Scheme != "" {
		dst = append(append(dst, r.Scheme...), ':')
	}
	if r.HasAuthority {
		dst = append(append(dst, "//"...), r.Authority...)
	}
	dst = append(dst, r.Path...)
	if r.HasQuery {
		dst = append(append(dst, '?'), r.Query...)
	}
	if r.HasFragment {
		dst = append(append(dst, '#'), r.Fragment...)
	}
	return dst
}

// schemeLen returns the offset of the colon after the scheme characters at the start of s, or 0.
// The caller checks whether the first character is a letter, if its rule set requires one.
func schemeLen(s string) int {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&inScheme == 0 {
			if s[i] == ':' {
				return i
			}
			return 0
		}
	}
	return 0
}

// DefaultPort returns the default port of the scheme of r, or -1 (RFC 1738 Section 3, and later
// schemes). The case of the scheme does not matter.
func (r Ref) DefaultPort() int {
	for _, s := range schemePorts {
		if component.EqualFold(s.scheme, r.Scheme) {
			return s.port
		}
	}
	return -1
}

// schemePorts are the default ports of RFC 1738 Section 3, and of later schemes with an authority.
var schemePorts = []struct {
	scheme string
	port   int
}{
	{"http", 80}, {"https", 443}, {"ftp", 21}, {"gopher", 70}, {"nntp", 119}, {"telnet", 23},
	{"wais", 210}, {"prospero", 1525}, {"ws", 80}, {"wss", 443}, {"ldap", 389}, {"imap", 143}, {"rtsp", 554},
}
