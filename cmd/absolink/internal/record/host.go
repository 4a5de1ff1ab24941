package record

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"

	"absolink/resolve"
)

// Authority returns the authority of a URI without its userinfo, which may hold a password.
func Authority(uri string) string {
	a := resolve.Split(uri).Authority
	return a[strings.LastIndexByte(a, '@')+1:]
}

// describedURI returns the URI that the keys host and domain describe: the URI of the reference, or
// the page of a record of a page. It writes the page as the URL Standard does, so that the hosts of
// pages and references are comparable.
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
// returns "" for a public suffix, an address, or a host without a dot.
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
