// Package robots reads robots.txt, the Robots Exclusion Protocol (RFC 9309), and the [Directives]
// of pages.
//
//	rules := robots.Parse(data, "absolink")
//	if !rules.Allowed("/private/page?x") {
//		// leave it alone
//	}
//
// The parser is our own, since other parsers lack parts of RFC 9309. It merges the groups of one
// crawler. The longest rule counts, wherever it stands. A rule matches a path even if their octets
// are escaped differently.
package robots

import (
	"bytes"
	"strings"

	"absolink/resolve/ascii"
)

// MaxSize is the number of bytes of a file that are read; the rest does not count (RFC 9309 2.5).
const MaxSize = 500 << 10

// Rules are the rules of a robots.txt for one crawler. A nil *Rules allows everything. Rules are
// safe for concurrent use.
type Rules struct {
	rules []rule
}

// rule is an allow or a disallow line.
type rule struct {
	pattern string // in normal form
	allow   bool
}

// Parse reads a robots.txt for the crawler with a product token (RFC 9309 2.2.1), such as absolink.
// All groups that name the crawler count together. The groups for "*" count only if no group names
// it. Lines that the protocol does not define are skipped.
func Parse(data []byte, token string) *Rules {
	data = bytes.TrimPrefix(data[:min(len(data), MaxSize)], []byte("\xef\xbb\xbf"))
	p := parser{token: token}
	for len(data) > 0 {
		n := bytes.IndexAny(data, "\r\n")
		if n < 0 {
			n = len(data)
		}
		p.line(data[:n])
		data = data[min(n+1, len(data)):]
	}
	if p.named {
		return &Rules{p.own}
	}
	return &Rules{p.any}
}

// parser is the state between lines.
type parser struct {
	token    string
	own, any []rule
	named    bool // a group named the crawler
	head     bool // the previous lines were user-agent lines of one group
	inOwn    bool // the current group applies to the crawler
	inAny    bool // the current group applies to "*"
}

// line takes one line without its end.
func (p *parser) line(b []byte) {
	b, _, _ = bytes.Cut(b, []byte("#"))
	key, value, ok := bytes.Cut(b, []byte(":"))
	if !ok {
		return
	}
	text := string(bytes.TrimSpace(value))
	switch strings.ToLower(string(bytes.TrimSpace(key))) {
	case "user-agent":
		p.agent(text)
	case "allow":
		p.rule(text, true)
	case "disallow":
		p.rule(text, false)
	}
}

// agent handles a user-agent line. It compares the product token without regard to case, and
// ignores the rest, such as a version.
func (p *parser) agent(name string) {
	if !p.head {
		p.head, p.inOwn, p.inAny = true, false, false
	}
	if name == "*" {
		p.inAny = true
		return
	}
	if Token(name) != "" && strings.EqualFold(Token(name), p.token) {
		p.inOwn, p.named = true, true
	}
}

// rule handles an allow or disallow line. An empty pattern forbids nothing.
func (p *parser) rule(pattern string, allow bool) {
	p.head = false
	if pattern == "" {
		return
	}
	r := rule{normal(pattern, "*$"), allow}
	if p.inOwn {
		p.own = append(p.own, r)
	}
	if p.inAny {
		p.any = append(p.any, r)
	}
}

// Token returns the product token at the beginning of a user agent's name (RFC 9309 2.2.1):
// letters, '-' and '_'. It is "" if there is no token.
func Token(agent string) string {
	n := 0
	for n < len(agent) && (agent[n]|0x20 >= 'a' && agent[n]|0x20 <= 'z' || agent[n] == '-' || agent[n] == '_') {
		n++
	}
	return agent[:n]
}

// Allowed reports whether a path, with its query, may be retrieved. The rule with the most octets
// counts; of equally long rules an allow rule counts (2.2.2).
func (r *Rules) Allowed(path string) bool {
	if r == nil || path == "/robots.txt" {
		return true
	}
	path = normal(path, "")
	allow, longest := true, -1
	for _, rule := range r.rules {
		n := len(rule.pattern)
		if n < longest || n == longest && !rule.allow || !matches(rule.pattern, path) {
			continue
		}
		allow, longest = rule.allow, n
	}
	return allow
}

// matches reports whether a pattern matches the beginning of path. '*' stands for any octets, '$'
// at the end of the pattern for the end of the path (2.2.3). The time is proportional to the
// lengths of both.
func matches(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok {
		return false
	}
	parts = parts[1:]
	if len(parts) == 0 {
		return !whole || rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		n := strings.Index(rest, part)
		if n < 0 {
			return false
		}
		rest = rest[n+len(part):]
	}
	if whole {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}

// normal writes a path so that equivalent paths are equal octet by octet (2.2.2). It escapes octets
// that are not ASCII or may not stand in a path, and undoes the escapes of unreserved octets. A '*'
// or '$' is escaped unless it is bare and one of special (2.2.3).
func normal(path, special string) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); i++ {
		c, bare := path[i], true
		if c == '%' && i+2 < len(path) {
			if high, low := ascii.Hex(path[i+1]), ascii.Hex(path[i+2]); high >= 0 && low >= 0 {
				c = byte(high<<4 | low)
				bare = false
				i += 2
			}
		}
		if unreserved(c) ||
			bare && c > ' ' && c < 0x7f && (c != '*' && c != '$' || strings.IndexByte(special, c) >= 0) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

const digits = "0123456789ABCDEF"

// unreserved reports whether c means the same escaped and unescaped (RFC 3986 2.3).
func unreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
