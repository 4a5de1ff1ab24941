// Package authority reads the authorities of URIs.
package authority

import (
	"strings"

	"absolink/resolve"
)

// Of returns the authority of a URI without its userinfo, which may hold a password.
func Of(uri string) string {
	a := resolve.Split(uri).Authority
	return a[strings.LastIndexByte(a, '@')+1:]
}

// Host returns the host of a URI, or "". The host of an IPv6 address has its brackets.
func Host(uri string) string {
	host := Of(uri)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}
