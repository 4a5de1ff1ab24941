package fetch

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// world is a small network: a web server, and a name server for the names of its hosts.
type world struct {
	*httptest.Server
	port  string
	hosts map[string]string // address by name
	dns   net.PacketConn
}

// newWorld starts a web server, and a name server for a.test and b.test, which both name the web
// server, and for the names in hosts.
func newWorld(t *testing.T, handler http.Handler, hosts map[string]string) *world {
	t.Helper()
	w := &world{Server: httptest.NewServer(handler),
		hosts: map[string]string{"a.test.": "127.0.0.1", "b.test.": "127.0.0.1"}}
	t.Cleanup(w.Close)
	_, w.port, _ = net.SplitHostPort(w.Listener.Addr().String())
	for name, addr := range hosts {
		w.hosts[name+"."] = addr
	}
	dns, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.dns = dns
	t.Cleanup(func() { dns.Close() })
	go w.serveNames()
	return w
}

// url returns the URL of a path on a host of the world.
func (w *world) url(host, path string) string { return "http://" + host + ":" + w.port + path }

// client returns a client that asks the name server of the world.
func (w *world) client(t *testing.T, o Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(c.Close)
	dialer := &net.Dialer{Control: c.checkAddress,
		Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", w.dns.LocalAddr().String())
		}}}
	c.transport.DialContext = dialer.DialContext
	return c
}

// trusted returns such a client that treats the web server of the world as public.
func (w *world) trusted(t *testing.T, o Options) *Client {
	c := w.client(t, o)
	c.isExempt = func(at netip.AddrPort) bool { return at == netip.MustParseAddrPort(w.Listener.Addr().String()) }
	return c
}

func (w *world) serveNames() {
	buf := make([]byte, 1500)
	for {
		n, from, err := w.dns.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) == nil && len(m.Questions) == 1 {
			w.answer(&m)
			if b, err := m.Pack(); err == nil {
				w.dns.WriteTo(b, from)
			}
		}
	}
}

// answer adds the answer to the question in m.
func (w *world) answer(m *dnsmessage.Message) {
	m.Response, m.Additionals = true, nil
	q := m.Questions[0]
	addr, ok := w.hosts[strings.ToLower(q.Name.String())]
	if !ok {
		m.RCode = dnsmessage.RCodeNameError
		return
	}
	a := netip.MustParseAddr(addr)
	h := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 1}
	switch {
	case a.Is4() && q.Type == dnsmessage.TypeA:
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: a.As4()}})
	case a.Is6() && q.Type == dnsmessage.TypeAAAA:
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
	}
}

// get retrieves a URL within 30 seconds, and releases the response.
func get(t *testing.T, c *Client, url string) (*Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := c.Get(ctx, url, nil)
	if err == nil {
		r.Release()
	}
	return r, err
}

// wantError checks that the retrieval of a URL fails with an error that contains a text.
func wantError(t *testing.T, c *Client, url, want string) {
	t.Helper()
	r, err := get(t, c, url)
	if err == nil {
		t.Fatalf("Get(%q): got a body of %d bytes, want an error with %q", url, len(r.Body), want)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("Get(%q): got error %q, want one with %q", url, err, want)
	}
}
