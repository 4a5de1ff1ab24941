// Package grammar checks URI references against the grammars of RFC 1738, of the drafts, of RFC
// 2396 and of RFC 3986. It also cuts URLs into the components that RFC 1738 defines for their
// scheme.
package grammar

import (
	"fmt"
	"net/netip"
	"strings"

	"absolink/resolve"
	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// A generic grammar is a set of characters for each component, and a few switches: see rules. A
// checker splits a reference into components, and checks the bytes of each component. RFC 1738 has
// a grammar for each scheme: see scheme.go.
//
// A reference is split in only one way: from the left, each component as long as possible (draft-02
// 4.4, RFC 2396 4.3). So a malformed server makes a reference invalid. The drafts also have a rule
// opaque-URL that matches such a reference, but it is only tried if no slash follows the scheme.
//
// The grammars of RFC 1738, draft-02, RFC 2396 and RFC 3986 follow their collected BNF rule by
// rule. The BNF of draft-00e is reconstructed from draft-01, which allows "?" in a user and ends a
// server only at "/". The parameters of RFC 1808, which draft-01 removed, are added.

// Grammar is the grammar of a document. The zero value is [RFC1738]. The methods panic for a
// grammar that is not in [All].
type Grammar uint8

// The grammars, in the order of their age.
const (
	RFC1738  Grammar = iota // Section 5, absolute URLs without a fragment
	Draft00e                // reconstructed from draft-01 and RFC 1808
	Draft02                 // Appendix A
	RFC2396                 // Appendix A
	RFC3986                 // Appendix A
)

// All are the grammars, in the order of their age.
var All = [...]Grammar{RFC1738, Draft00e, Draft02, RFC2396, RFC3986}

// String returns rfc1738, draft-00e, draft-02, rfc2396 or rfc3986.
func (g Grammar) String() string {
	return [...]string{"rfc1738", "draft-00e", "draft-02", "rfc2396", "rfc3986"}[g]
}

// Check returns nil if a reference fits the grammar. Otherwise it returns a [*resolve.Error] with
// the first wrong byte and the rule. It checks only syntax: [resolve.Base.Append] also resolves
// references that fit no grammar.
func (g Grammar) Check(ref string) error {
	c := checker{g: g, s: ref}
	if g == RFC1738 {
		c.check1738()
	} else {
		c.checkGeneric()
	}
	if c.why == "" {
		return nil
	}
	return &resolve.Error{By: g.String(),
		Input: strings.Clone(ref[:min(len(ref), 200)]), Offset: c.offset, Reason: c.why}
}

// checker walks over a reference. It keeps the first complaint.
type checker struct {
	g      Grammar
	s      string
	why    string
	offset int
}

func (c *checker) complain(offset int, why string) {
	if c.why == "" {
		c.offset, c.why = offset, why
	}
}

// checkChars complains about the first byte of s that is not in set, and about a "%" that does not
// begin an escape. at is the offset of s in the reference.
func (c *checker) checkChars(at int, s string, set charset, rule string) {
	for i := 0; i < len(s); i++ {
		if !set.has(s[i]) {
			c.complain(at+i, rule+" does not allow "+quoteByte(s[i]))
			return
		}
		if s[i] == '%' && !component.IsEscape(s[i:]) {
			c.complain(at+i, "escaped wants two hexadecimal digits after \"%\"")
			return
		}
	}
}

func quoteByte(b byte) string {
	if b > ' ' && b < 0x7f {
		return "'" + string(rune(b)) + "'"
	}
	return fmt.Sprintf("the byte 0x%02X", b)
}

// charset lists the characters that a rule allows. Letters, digits and "%" are always allowed.
type charset string

func (s charset) has(c byte) bool {
	return ascii.Alnum.Has(c) || c == '%' || strings.IndexByte(string(s), c) >= 0
}

// rules describe one of the generic grammars, which are all but RFC1738.
type rules struct {
	alphaScheme bool    // a scheme starts with a letter
	user        charset // of the userinfo
	segment     charset // of a path, without the slash
	first       charset // of the first segment of a relative path
	query       charset // of query and fragment
	registry    charset // of an authority that is not a server, or "" if that is not allowed
	opaque      charset // of the text after a scheme without a slash; "" if this text is a path
	pathOnly    bool    // a reference must have a path before its query (rel_path of RFC 2396 5)
}

// The sets of the drafts: "$" and "," are unreserved, "+" is reserved, and "~" became unreserved
// (draft-02 F.2).
const (
	markDraft = "$-_.!~*'(),+"
	mark2396  = "-_.!~*'()"
	sub3986   = "!$&'()*+,;="
)

var grammarRules = [...]rules{
	Draft00e: {
		user: markDraft + ";?&=:", segment: markDraft + ":@&=;", first: markDraft + "@&=;:",
		query: markDraft + ";/?:@&=", opaque: markDraft + ";/?:@&=",
	},
	Draft02: {
		user: markDraft + ";:&=", segment: markDraft + ":@&=;", first: markDraft + "@&=;",
		query: markDraft + ";/?:@&=", opaque: markDraft + ";/?:@&=",
	},
	RFC2396: {
		alphaScheme: true, user: mark2396 + ";:&=+$,", segment: mark2396 + ":@&=+$,;",
		first: mark2396 + ";@&=+$,", query: mark2396 + ";/?:@&=+$,",
		registry: mark2396 + "$,;:@&=+", opaque: mark2396 + ";/?:@&=+$,", pathOnly: true,
	},
	RFC3986: {
		alphaScheme: true, user: "-._~" + sub3986 + ":", segment: "-._~" + sub3986 + ":@",
		first: "-._~" + sub3986 + "@", query: "-._~" + sub3986 + ":@/?",
	},
}

// checkGeneric checks scheme, authority, path, query and fragment.
func (c *checker) checkGeneric() {
	g := &grammarRules[c.g]
	rest, fragment, hasFragment := strings.Cut(c.s, "#")
	if hasFragment {
		defer c.checkChars(len(rest)+1, fragment, g.query, "fragment")
	}
	at := 0
	if n := c.scheme(rest, g); n > 0 {
		at, rest = n+1, rest[n+1:]
		if !strings.HasPrefix(rest, "/") {
			c.checkOpaque(at, rest, g)
			return
		}
	} else if rest == "" {
		return // an empty reference means the current document
	} else if i := strings.IndexAny(rest, ":/?"); i >= 0 && rest[i] == ':' && c.g != Draft00e {
		c.complain(i, "a colon in the first segment of a relative path")
	}
	end := "/?"
	if c.g == Draft00e {
		end = "/" // 4.3.1
	}
	absolute := at > 0
	if strings.HasPrefix(rest, "//") {
		n := component.IndexAny(rest[2:], end)
		c.checkAuthority(at+2, rest[2:2+n], g)
		at, rest, absolute = at+2+n, rest[2+n:], true
	}
	c.checkPath(at, rest, g, absolute)
}

// scheme returns the length of the scheme of s, or 0.
func (c *checker) scheme(s string, g *rules) int {
	n := schemeLen(s)
	if n > 0 && g.alphaScheme && !ascii.Letter.Has(s[0]) {
		return 0
	}
	return n
}

// schemeLen returns the offset of the colon after the scheme characters at the start of s, or 0.
// Some documents let a scheme start with a digit.
func schemeLen(s string) int {
	n := component.IndexAny(s, ":")
	if n == len(s) || strings.ContainsFunc(s[:n], notInScheme) {
		return 0
	}
	return n
}

func notInScheme(r rune) bool {
	return r > 'z' || !ascii.Alnum.Has(byte(r)) && r != '+' && r != '-' && r != '.'
}

// checkOpaque checks the text after the scheme and the colon if it does not begin with a slash. In
// RFC 2396 this is opaque_part (3), which is not empty. In RFC 3986 it is path-rootless or
// path-empty (3.3).
func (c *checker) checkOpaque(at int, s string, g *rules) {
	if g.opaque == "" {
		c.checkPath(at, s, g, true)
		return
	}
	if s == "" && c.g == RFC2396 {
		c.complain(at, "absoluteURI wants something after the scheme")
	}
	if s != "" && s[0] == '?' && c.g == Draft00e {
		c.checkChars(at+1, s[1:], g.opaque, "query")
		return
	}
	c.checkChars(at, s, g.opaque, "opaque_part")
}

// checkPath checks path and query. absolute reports whether a scheme or an authority precedes them.
func (c *checker) checkPath(at int, s string, g *rules, absolute bool) {
	path, query, hasQuery := strings.Cut(s, "?")
	if path == "" && hasQuery && !absolute && g.pathOnly {
		c.complain(at, "relativeURI wants a path before the query")
	}
	if c.g == Draft00e && strings.HasPrefix(path, "//") {
		c.complain(at+1, "fsegment wants a character before the slash") // 4.3.2
	}
	for i, seg := range strings.Split(path, "/") {
		set, rule := g.segment, "segment"
		if i == 0 && !absolute {
			set, rule = g.first, "rel_segment"
		}
		c.checkChars(at, seg, set, rule)
		at += len(seg) + 1
	}
	if hasQuery {
		c.checkChars(at, query, g.query, "query")
	}
}

// checkAuthority checks a server with user and port. Under RFC 2396 the authority may also be a
// registry's name.
func (c *checker) checkAuthority(at int, s string, g *rules) {
	server := checker{g: c.g, s: c.s}
	server.checkServer(at, s, g)
	if server.why == "" || s == "" {
		return // an empty authority is allowed everywhere
	}
	if g.registry != "" {
		registry := checker{}
		registry.checkChars(at, s, g.registry, "reg_name")
		if registry.why == "" && s != "" {
			return
		}
	}
	c.complain(server.offset, server.why)
}

func (c *checker) checkServer(at int, s string, g *rules) {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		c.checkUserinfo(at, s[:i], g)
		at, s = at+i+1, s[i+1:]
	}
	host, port, hasPort := cutPort(s)
	c.checkHost(at, host)
	if hasPort {
		c.checkPort(at+len(host)+1, port)
	}
}

// cutPort cuts at the first colon after an address in brackets.
func cutPort(s string) (host, port string, ok bool) {
	address := strings.LastIndexByte(s, ']') + 1
	host, port, ok = strings.Cut(s[address:], ":")
	return s[:address] + host, port, ok
}

// checkUserinfo checks the part before "@". In the drafts it is a user and a password, which
// contain no colon (draft-02 4.3.1).
func (c *checker) checkUserinfo(at int, s string, g *rules) {
	c.checkChars(at, s, g.user, "userinfo")
	user, password, _ := strings.Cut(s, ":")
	if i := strings.IndexByte(password, ':'); i >= 0 && c.g <= Draft02 {
		c.complain(at+len(user)+1+i, "a colon in the password")
	}
}

// checkPort checks a port. It may be empty, except under RFC 1738.
func (c *checker) checkPort(at int, s string) {
	for i := 0; i < len(s); i++ {
		if !ascii.Digit.Has(s[i]) {
			c.complain(at+i, "port is made of digits")
		}
	}
	if s == "" && c.g == RFC1738 {
		c.complain(at, "port wants a digit")
	}
}

const regName3986 charset = "-._~" + sub3986

// checkHost checks a name or an address.
func (c *checker) checkHost(at int, s string) {
	if c.g != RFC3986 {
		c.checkHostname(at, s)
		return
	}
	if !strings.HasPrefix(s, "[") {
		c.checkChars(at, s, regName3986, "reg-name")
		return
	}
	if !strings.HasSuffix(s, "]") {
		c.complain(at, "IP-literal wants a closing bracket")
		return
	}
	inner := s[1 : len(s)-1]
	if ip, err := netip.ParseAddr(inner); err == nil && ip.Is6() && ip.Zone() == "" || isIPvFuture(inner) {
		return
	}
	c.complain(at, "IP-literal is neither an IPv6address nor an IPvFuture")
}

// isIPvFuture reports whether s is "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ).
func isIPvFuture(s string) bool {
	if s == "" || s[0]|0x20 != 'v' {
		return false
	}
	version, rest, ok := strings.Cut(s[1:], ".")
	for i := 0; i < len(version); i++ {
		ok = ok && ascii.Hex(version[i]) >= 0
	}
	for i := 0; i < len(rest); i++ {
		ok = ok && (regName3986.has(rest[i]) && rest[i] != '%' || rest[i] == ':')
	}
	return ok && version != "" && rest != ""
}

// checkHostname checks *( domainlabel "." ) toplabel, or four numbers (RFC 1738 5, RFC 2396 3.2.2).
// RFC 2396 also allows a dot at the end.
func (c *checker) checkHostname(at int, s string) {
	name := s
	if c.g == RFC2396 {
		name = strings.TrimSuffix(s, ".")
	}
	labels := strings.Split(name, ".")
	if isIPv4address(labels) {
		return
	}
	last := 0
	for _, label := range labels {
		c.checkLabel(at, label)
		last, at = at, at+len(label)+1
	}
	if top := labels[len(labels)-1]; top != "" && !ascii.Letter.Has(top[0]) {
		c.complain(last, "toplabel starts with a letter")
	}
}

func isIPv4address(labels []string) bool {
	for _, label := range labels {
		if label == "" || strings.Trim(label, "0123456789") != "" {
			return false
		}
	}
	return len(labels) == 4
}

// checkLabel checks letters and digits with hyphens between them.
func (c *checker) checkLabel(at int, s string) {
	for i := 0; i < len(s); i++ {
		if !ascii.Alnum.Has(s[i]) && s[i] != '-' {
			c.complain(at+i, "domainlabel does not allow "+quoteByte(s[i]))
			return
		}
	}
	switch {
	case s == "":
		c.complain(at, "an empty label in the host")
	case s[0] == '-':
		c.complain(at, "a label starts with a hyphen")
	case s[len(s)-1] == '-':
		c.complain(at+len(s)-1, "a label ends with a hyphen")
	}
}
