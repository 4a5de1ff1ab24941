package record

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"absolink/resolve"
)

// Authority returns the authority of a URI without its userinfo, which may hold a password.
func Authority(uri string) string {
	a := resolve.Split(uri).Authority
	return a[strings.LastIndexByte(a, '@')+1:]
}

// describedURI returns the URI from which the keys host and domain come: the URI of the reference,
// or in the record of a page the URI of the page. The URI of a page gets the form of the URL
// Standard, so that the hosts of pages and references are comparable.
func (r *Record) describedURI() string {
	if r.Category != Page {
		return string(r.URI)
	}
	b, err := resolve.NewBase(r.Page, resolve.Options{})
	if err != nil {
		return r.Page
	}
	return b.String()
}

// Host returns the host of a URI, or "".
func Host(uri string) string {
	host := Authority(uri)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}

// Domain returns the registrable domain of a host, in lower case, by the public suffix list. It
// returns "" for a public suffix, an IP address, or a host without a dot.
func Domain(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// WithScheme returns the URI that a user probably means by a value without a scheme, such as
// http://www.example.com/ for www.example.com. It returns "" if the value does not begin with
// localhost, an IP address, or a host below a public suffix.
func WithScheme(value string) string {
	host, rest := value, "/"
	if i := strings.IndexAny(value, "/?#"); i >= 0 {
		host = value[:i]
		rest = "/" + strings.TrimPrefix(value[i:], "/")
	}
	name, port, hasPort := strings.Cut(strings.ToLower(host), ":")
	if _, err := strconv.ParseUint(port, 10, 16); hasPort && err != nil {
		return ""
	}
	if _, err := netip.ParseAddr(name); err != nil && name != "localhost" && !isPublic(name) {
		return ""
	}
	return "http://" + host + rest
}

// isPublic reports whether host, which is in lower case, is a name below a suffix of the public
// suffix list. The suffix must be of the official part of the list, or have a dot.
func isPublic(host string) bool {
	suffix, icann := publicsuffix.PublicSuffix(host)
	return host != suffix && Domain(host) != "" && (icann || strings.Contains(suffix, "."))
}
