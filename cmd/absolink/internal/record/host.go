package record

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"absolink/cmd/absolink/internal/authority"
	"absolink/resolve"
)

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

// HostCache caches the hosts of URIs by their scheme and authority. The zero value is empty. It is
// not safe for concurrent use.
type HostCache struct {
	of    map[string]string
	start []byte // scheme and authority of the last URI; empty if it had none
	host  string // the host of the last URI
}

// maxHosts is the number of entries of a HostCache or a DomainCache. maxStart is the largest number
// of bytes of a scheme and an authority in a HostCache.
const (
	maxHosts = 1000
	maxStart = 300
)

// Host returns the host of a URI, or "".
func (c *HostCache) Host(uri []byte) string {
	rest, same := bytes.CutPrefix(uri, c.start)
	if same && len(c.start) > 0 && (len(rest) == 0 || strings.IndexByte("/?#", rest[0]) >= 0) {
		return c.host
	}
	const slashes = "://"
	before, after, found := bytes.Cut(uri, []byte(slashes))
	if !found {
		c.start = c.start[:0]
		return authority.Host(string(uri))
	}
	end := len(before) + len(slashes)
	if n := bytes.IndexAny(after, "/?#"); n >= 0 {
		end += n
	} else {
		end = len(uri)
	}
	if end > maxStart {
		c.start = c.start[:0]
		return authority.Host(string(uri[:end]))
	}
	c.start = append(c.start[:0], uri[:end]...)
	host, known := c.of[string(c.start)]
	if !known {
		if c.of == nil || len(c.of) == maxHosts {
			c.of = make(map[string]string)
		}
		host = authority.Host(string(c.start))
		c.of[string(c.start)] = host
	}
	c.host = host
	return host
}

// A DomainCache caches results of [Domain]. The zero value is empty. It is not safe for concurrent
// use.
type DomainCache struct {
	of           map[string]string
	host, domain string // the last host, and its domain
}

// Domain returns the registrable domain of a host, as [Domain] does.
func (c *DomainCache) Domain(host string) string {
	if host == c.host {
		return c.domain
	}
	domain, known := c.of[host]
	if !known {
		if c.of == nil || len(c.of) == maxHosts {
			c.of = make(map[string]string)
		}
		domain = Domain(host)
		c.of[host] = domain
	}
	c.host = host
	c.domain = domain
	return domain
}

// host returns the value of the key host.
func (r *Record) host() string {
	if r.Memo == nil || r.Category == Page {
		return authority.Host(r.describedURI())
	}
	return r.Memo.Host(r.URI)
}

// domain returns the value of the key domain.
func (r *Record) domain() string {
	if r.Memo == nil {
		return Domain(r.host())
	}
	return r.Memo.domains.Domain(r.host())
}

// PageHost returns the host of the URI of a page, or "". It has the form of the hosts of links. The
// result does not hold the memory of page.
func PageHost(page string) string {
	r := Record{Category: Page, Document: Document{Page: page}}
	return strings.Clone(r.host())
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
