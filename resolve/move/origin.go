package move

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"absolink/resolve"
)

// The rule set [resolve.WHATWG] writes scheme and authority in their normal form. The other rule
// sets keep them as they are written. So a URI and the prefix of a rule are compared by their
// normal forms (RFC 3986 6.2.2.1 and 6.2.3): scheme and host in lower case, no default port and no
// empty port.

// key returns uri with its scheme and authority in normal form. The maps of m have such URIs as
// keys.
func (m *Map) key(uri string) string {
	if m.Options.Rules == resolve.WHATWG {
		return uri
	}
	n := originLength(uri)
	if n == 0 {
		return uri
	}
	return strings.TrimSuffix(resolve.Scheme.Normalize(uri[:n]), "/") + uri[n:]
}

// originLength returns the number of bytes of the scheme and the authority of a URI. It returns 0
// if the URI has no authority.
func originLength(uri string) int {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return 0
	}
	if n := strings.IndexAny(rest, "/?#"); n >= 0 {
		rest = rest[:n]
	}
	return len(scheme) + len("://") + len(rest)
}

// oldSideOf returns the OLD of the rule for an absolute URI, or "".
func (m *Map) oldSideOf(uri string) string {
	from, _ := m.findRule(uri)
	return from
}

// inASCII returns uri, the result of a rule, with its domain in ASCII (RFC 3490). Rule sets other
// than [resolve.WHATWG] leave other characters in the domain, which a URI must not have.
func (m *Map) inASCII(uri string) (string, error) {
	n := originLength(uri)
	if m.Options.Rules == resolve.WHATWG || isASCII(uri[:n]) {
		return uri, nil
	}
	r := resolve.Split(uri)
	at := strings.LastIndexByte(r.Authority, '@') + 1
	user, host := r.Authority[:at], r.Authority[at:]
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") { // no IPv6 address
		port = host[i:]
		host = host[:i]
	}
	b, err := resolve.NewBase("http://"+host+"/", resolve.Options{})
	if err != nil {
		return "", err
	}
	r.Authority = user + resolve.Split(b.String()).Authority + port
	return r.String(), nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// nearMisses counts the links that a rule misses because they have https where the rule has http,
// or the reverse.
type nearMisses struct {
	rules   map[string]*nearRule // the key is the OLD of the rule, with https for http or the reverse
	origins map[string]bool      // scheme and authority of the keys of rules
}

// nearRule counts the links that begin like the OLD of a rule, except for the scheme.
type nearRule struct {
	use   *usage
	links atomic.Int64
}

// addNear prepares the count of near misses of a rule. use is the usage of the rule. The OLD of the
// rule has a scheme.
func (m *Map) addNear(use *usage) {
	other := otherScheme(use.rule)
	if other == "" {
		return
	}
	if m.near.rules == nil {
		m.near.rules = make(map[string]*nearRule)
		m.near.origins = make(map[string]bool)
	}
	other = m.key(other)
	if m.near.rules[other] == nil {
		m.near.rules[other] = &nearRule{use: use}
		m.addLength(len(other))
		m.near.origins[other[:originLength(other)]] = true
	}
}

// otherScheme returns an http URI as an https URI, and an https URI as an http URI. It returns ""
// for all other URIs.
func otherScheme(uri string) string {
	if rest, ok := strings.CutPrefix(uri, "http://"); ok {
		return "https://" + rest
	}
	if rest, ok := strings.CutPrefix(uri, "https://"); ok {
		return "http://" + rest
	}
	return ""
}

// noteNear counts uri as a near miss if it begins like the OLD of a rule except for the scheme. No
// rule applies to uri.
func (m *Map) noteNear(uri string) {
	if len(m.near.origins) == 0 {
		return
	}
	key := m.key(uri)
	if !m.near.origins[key[:originLength(key)]] {
		return
	}
	prefix := prefixIn(m, key, func(prefix string) bool { return m.near.rules[prefix] != nil })
	if prefix != "" {
		m.near.rules[prefix].links.Add(1)
	}
}

// Near returns the number of URIs that [Map.Move] did not map and that begin like the OLD of a
// rule, except that they have the scheme https instead of http or the reverse. rule is the OLD of
// the rule, as [Map.Unused] returns it. other is this OLD with the other scheme: the counted URIs
// begin with other.
func (m *Map) Near(rule string) (n int, other string) {
	other = otherScheme(rule)
	if r := m.near.rules[m.key(other)]; r != nil && r.use.rule == rule {
		return int(r.links.Load()), other
	}
	return 0, other
}
