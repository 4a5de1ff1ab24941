// Package robots reads robots.txt files (Robots Exclusion Protocol, RFC 9309), and the [Directives]
// of pages.
//
//	rules := robots.Parse(data, "absolink")
//	if !rules.Allowed("/private/page?x") {
//		// do not retrieve the page
//	}
//
// The parser is our own, because other parsers lack parts of RFC 9309. It merges the groups of one
// crawler. The longest rule counts, at any position. A rule matches a path even if their octets are
// escaped differently.
package robots

import (
	"bytes"
	"strings"

	"absolink/resolve/ascii"
)

// MaxSize is the number of bytes of a robots.txt that are read. The rest is ignored (RFC 9309 2.5).
const MaxSize = 500 << 10

// Rules are the rules of a robots.txt for one crawler. A nil *Rules allows everything. Rules are
// safe for concurrent use.
type Rules struct {
	rules []rule
}

// rule is an allow or a disallow line.
type rule struct {
	pattern string // normalized
	allow   bool
}

// Parse returns the rules in a robots.txt for the crawler with a product token (RFC 9309 2.2.1),
// such as absolink. All groups that name the crawler count together. The groups for "*" count only
// if no group names the crawler. Lines that the protocol does not define are skipped.
func Parse(data []byte, token string) *Rules {
	data = bytes.TrimPrefix(data[:min(len(data), MaxSize)], []byte("\xef\xbb\xbf"))
	p := parser{token: token}
	for len(data) > 0 {
		n := bytes.IndexAny(data, "\r\n")
		if n < 0 {
			n = len(data)
		}
		p.readLine(data[:n])
		data = data[min(n+1, len(data)):]
	}
	if p.named {
		return &Rules{p.own}
	}
	return &Rules{p.forAll}
}

// parser is the state between lines.
type parser struct {
	token    string
	own      []rule // rules for the crawler
	forAll   []rule // rules for "*"
	named    bool   // a group named the crawler
	inHead   bool   // only user-agent lines of the current group were read so far
	inOwn    bool   // the current group is for the crawler
	inForAll bool   // the current group is for "*"
}

// readLine reads a line without its end.
func (p *parser) readLine(b []byte) {
	b, _, _ = bytes.Cut(b, []byte("#"))
	key, value, ok := bytes.Cut(b, []byte(":"))
	if !ok {
		return
	}
	text := string(bytes.TrimSpace(value))
	switch strings.ToLower(string(bytes.TrimSpace(key))) {
	case "user-agent":
		p.addAgent(text)
	case "allow":
		p.addRule(text, true)
	case "disallow":
		p.addRule(text, false)
	}
}

// addAgent reads a user-agent line, which may begin a group. It compares the product token in any
// case of letters, and ignores the rest of the line, such as a version.
func (p *parser) addAgent(name string) {
	if !p.inHead {
		p.inHead = true
		p.inOwn = false
		p.inForAll = false
	}
	if name == "*" {
		p.inForAll = true
		return
	}
	if Token(name) != "" && strings.EqualFold(Token(name), p.token) {
		p.inOwn = true
		p.named = true
	}
}

// addRule reads an allow or disallow line of the current group. An empty pattern forbids nothing.
func (p *parser) addRule(pattern string, allow bool) {
	p.inHead = false
	if pattern == "" {
		return
	}
	r := rule{normalize(pattern, "*$"), allow}
	if p.inOwn {
		p.own = append(p.own, r)
	}
	if p.inForAll {
		p.forAll = append(p.forAll, r)
	}
}

// Token returns the product token at the start of the name of a user agent (RFC 9309 2.2.1):
// letters, '-' and '_'. It returns "" if there is no token.
func Token(agent string) string {
	n := 0
	for n < len(agent) && (agent[n]|0x20 >= 'a' && agent[n]|0x20 <= 'z' || agent[n] == '-' || agent[n] == '_') {
		n++
	}
	return agent[:n]
}

// Allowed reports whether path, which includes the query, may be retrieved. The matching rule with
// the most octets counts. If two are equally long, an allow rule counts (2.2.2).
func (r *Rules) Allowed(path string) bool {
	if r == nil || path == "/robots.txt" {
		return true
	}
	path = normalize(path, "")
	allow := true
	longest := -1
	for _, rule := range r.rules {
		n := len(rule.pattern)
		if n < longest || n == longest && !rule.allow || !matches(rule.pattern, path) {
			continue
		}
		allow = rule.allow
		longest = n
	}
	return allow
}

// matches reports whether a pattern matches the start of path. '*' stands for any octets. '$' at
// the end of the pattern stands for the end of the path (2.2.3). The time is proportional to the
// lengths of both.
func matches(pattern, path string) bool {
	pattern, toEnd := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok {
		return false
	}
	parts = parts[1:]
	if len(parts) == 0 {
		return !toEnd || rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		n := strings.Index(rest, part)
		if n < 0 {
			return false
		}
		rest = rest[n+len(part):]
	}
	if toEnd {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}

// normalize returns path in a normal form: equivalent paths become equal octet by octet (2.2.2).
// Octets that are not ASCII or may not stand in a path are escaped. Unreserved octets are not
// escaped. '*' and '$' are escaped, unless they are unescaped in path and belong to wildcards
// (2.2.3).
func normalize(path, wildcards string) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		escaped := false
		if c == '%' && i+2 < len(path) {
			if high, low := ascii.Hex(path[i+1]), ascii.Hex(path[i+2]); high >= 0 && low >= 0 {
				c = byte(high<<4 | low)
				escaped = true
				i += 2
			}
		}
		if unreserved(c) ||
			!escaped && c > ' ' && c < 0x7f && (c != '*' && c != '$' || strings.IndexByte(wildcards, c) >= 0) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

const digits = "0123456789ABCDEF"

// unreserved reports whether an escaped c means the same as an unescaped c (RFC 3986 2.3).
func unreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
