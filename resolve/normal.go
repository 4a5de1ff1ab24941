package resolve

import (
	"fmt"
	"strings"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// Level is a degree of normalization of URIs before a comparison (the "comparison ladder" of RFC
// 3986 6.2). Each level includes the levels before it. The zero value is [Exact].
type Level uint8

// The levels.
const (
	Exact     Level = iota // 6.2.1: character by character
	CaseLevel              // 6.2.2.1: scheme and host in lower case, escapes in upper case
	Escapes                // 6.2.2.2: escapes of unreserved characters are decoded
	Segments               // 6.2.2.3: no dot segments
	Scheme                 // 6.2.3: no default or empty port, no empty path after an authority
)

var levelNames = [...]string{"exact", "case", "escapes", "segments", "scheme"}

// String returns exact, case, escapes, segments or scheme.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// Normalize normalizes an absolute URI to the level (RFC 3986 6.2). A relative reference keeps its
// dot segments, because their effect depends on the base. Normalize never fails. RFC 2396 Section 6
// names only [CaseLevel] and the port of [Scheme].
func (l Level) Normalize(uri string) string {
	if l == Exact {
		return uri
	}
	r := Split(uri)
	r.Scheme = strings.ToLower(r.Scheme)
	unescape := l >= Escapes
	r.normalizeAuthority(l)
	r.Path = normalizeEscapes(r.Path, unescape)
	r.Query = normalizeEscapes(r.Query, unescape)
	r.Fragment = normalizeEscapes(r.Fragment, unescape)
	if r.Scheme != "" && l >= Segments && hasDots(r.Path) {
		r.Path = string(removeDots3986([]byte(r.Path)))
	}
	if l >= Scheme && r.Path == "" && r.HasAuthority && r.Scheme != "" {
		r.Path = "/"
	}
	switch {
	case r.HasAuthority:
	case strings.HasPrefix(r.Path, "//"):
		r.Path = "/." + r.Path
	case r.Scheme == "" && schemeLen(r.Path) > 0 && ascii.Letter.Has(r.Path[0]):
		r.Path = "./" + r.Path // a decoded escape may make its start look like a scheme (RFC 3986 4.2)
	}
	return r.String()
}

// Equivalent reports whether two URIs are equal on the level. If they are not, they may still name
// the same resource (RFC 3986 6.1).
func (l Level) Equivalent(a, b string) bool {
	return a == b || l.Normalize(a) == l.Normalize(b)
}

// normalizeAuthority normalizes the authority of r. The scheme of r must be in lower case.
func (r *Ref) normalizeAuthority(level Level) {
	i := strings.LastIndexByte(r.Authority, '@') + 1
	user := normalizeEscapes(r.Authority[:i], level >= Escapes)
	host, port, hasPort := cutPort(r.Authority[i:])
	host = normalizeEscapes(strings.ToLower(normalizeEscapes(host, level >= Escapes)), false)
	if level >= Scheme && hasPort && (port == "" || atoi(port) == r.DefaultPort()) {
		hasPort = false
	}
	if level >= Scheme && r.Scheme == "file" && user == "" && host == "localhost" {
		host = "" // RFC 1738 3.10
	}
	if hasPort {
		port = ":" + port
	} else {
		port = ""
	}
	r.Authority = user + host + port
}

// normalizeEscapes writes escapes in upper case. If unescape is set, it decodes the escapes of
// unreserved characters (RFC 3986 2.3). A decoded character never becomes part of another escape
// (2.4): in "%%41" the escape stays, because "%A" may begin an escape.
func normalizeEscapes(s string, unescape bool) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if !component.IsEscape(s[i:]) {
			out = append(out, s[i])
			continue
		}
		c := byte(ascii.Hex(s[i+1])<<4 | ascii.Hex(s[i+2]))
		if unescape && isUnreserved(c) && !continuesEscape(out, c) {
			out = append(out, c)
		} else {
			out = ascii.AppendPercent(out, c)
		}
		i += 2
	}
	return string(out)
}

// continuesEscape reports whether c, appended to s, would become part of an escape: s ends in "%",
// or in "%" and a hexadecimal digit.
func continuesEscape(s []byte, c byte) bool {
	n := len(s)
	return ascii.Hex(c) >= 0 && (n > 0 && s[n-1] == '%' || n > 1 && s[n-2] == '%' && ascii.Hex(s[n-1]) >= 0)
}

// isUnreserved reports whether c is an unreserved character (RFC 3986 2.3).
func isUnreserved(c byte) bool {
	return ascii.Alnum.Has(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// atoi returns the value of s, or -2 if a byte of s is not a digit. It does not return -1, which
// DefaultPort returns for unknown schemes. Numbers above 1<<20 become 1<<20.
func atoi(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if !ascii.Digit.Has(s[i]) {
			return -2
		}
		n = n*10 + int(s[i]-'0')
		if n > 1<<20 {
			n = 1 << 20
		}
	}
	return n
}
