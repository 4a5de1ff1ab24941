package fetch

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
)

// A proxy connects to the servers, so only the proxy can check their addresses. The address of the
// proxy itself is not checked: it comes from the operator, and is often private.

// proxy returns the proxy of the environment for a request, or nil.
func (c *Client) proxy(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if u != nil {
		port := cmp.Or(u.Port(), map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme], "80")
		c.proxies.Store(net.JoinHostPort(u.Hostname(), port), true)
	}
	return u, err
}

// dial connects to a server after a check of its address, or to a proxy.
func (c *Client) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: c.o.Timeout, Control: c.checkAddress}
	if _, trusted := c.proxies.Load(addr); trusted {
		d.Control = nil
	}
	return d.DialContext(ctx, network, addr)
}
