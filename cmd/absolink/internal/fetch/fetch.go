// Package fetch retrieves documents over HTTP.
//
//	c := fetch.New(fetch.Options{})
//	r, err := c.Get(ctx, "http://example.com/", nil)
//	if err != nil {
//		return err // an *Error
//	}
//	defer r.Release()
//	// r.Body is what was retrieved from r.URL
//
// [Client.Open] opens a file on a server to be read by ranges, as units of web archives are:
//
//	fetch.go     documents; redirect.go the way to one, body.go its end, patience.go its time
//	room.go      what all of them hold
//	file.go      files that are read by ranges, ranges.go the requests for them
//	polite.go    robots.txt
//	guard.go     which addresses are connected to, proxy.go those of proxies
//	error.go     what users are told
//
// Redirects are followed here rather than by net/http, since each answer on the
// way has a heading with references of its own, and since credentials are sent to
// the origin that the operator gave, never to one that a server names. The dialer
// resolves names and judges their addresses: see guard.go.
package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/robots"
)

// Options say how to retrieve. Zero fields take the defaults, but for MaxRedirects.
type Options struct {
	UserAgent    string        // default: absolink
	Header       http.Header   // more fields of requests, for the origin of the URL that was asked for only
	MaxRedirects int           // redirects that are followed; 0 = none
	Timeout      time.Duration // for one URL, redirects and body included, waiting for others not; default one minute
	MaxSize      int64         // largest body, with its codings undone; default 64 MiB
	// bytes that all retrievals hold together; more only if MaxSize is more than an eighth of it;
	// default 512 MB
	MaxHeld      int64
	Proxy        bool // the proxies of the environment are used, and trusted to refuse such addresses
	AllowPrivate bool // addresses that are not of the public network may be connected to
	Robots       bool // robots.txt is asked before any other URL of a site
	PerHost      int  // requests to one host at once; default 4
}

// DefaultHeld is the default of Options.MaxHeld.
const DefaultHeld = 512 << 20

const (
	defaultAgent   = "absolink"
	defaultTimeout = time.Minute
	defaultSize    = 64 << 20
	defaultPerHost = 4
	maxHeading     = 256 << 10 // bytes of the heading of a response
)

// Client retrieves documents. It is safe for concurrent use.
type Client struct {
	o         Options
	transport *http.Transport
	hosts     hosts
	room      *room
	robots    robotsCache

	proxies sync.Map // addresses of proxies, which are not judged

	exempt func(netip.AddrPort) bool                  // addresses that are not judged; nil = none
	sleep  func(context.Context, time.Duration) error // nil = by the clock
}

// New returns a client. What it holds open is given back by Close.
func New(o Options) *Client {
	if o.UserAgent == "" {
		o.UserAgent = defaultAgent
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxSize <= 0 {
		o.MaxSize = defaultSize
	}
	if o.MaxHeld <= 0 {
		o.MaxHeld = DefaultHeld
	}
	if o.PerHost <= 0 {
		o.PerHost = defaultPerHost
	}
	c := &Client{o: o, hosts: hosts{limit: o.PerHost}, room: newRoom(o.MaxHeld, o.MaxSize)}
	c.robots.token = robots.Token(o.UserAgent)
	c.transport = &http.Transport{
		DialContext:            c.dial,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // codings are undone here, with bounds
		MaxIdleConnsPerHost:    o.PerHost,
		MaxIdleConns:           100,
		IdleConnTimeout:        10 * time.Second,
		MaxResponseHeaderBytes: maxHeading,
	}
	if o.Proxy {
		c.transport.Proxy = c.proxy
	}
	return c
}

// Share makes the bytes that c holds count together with those of other. It is called before Get
// and Open.
func (c *Client) Share(other *Client) { c.room = other.room }

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Heading is the heading of one answer: its fields as lines, and the URL that it
// came from, which they are relative to.
type Heading struct {
	URL  string
	Text []byte
}

// Response is a document that was retrieved.
type Response struct {
	URL      string    // it came from: after redirects, without user name, password and fragment
	Headings []Heading // of all answers, redirects first
	Type     string    // Content-Type, "" if there is none
	Body     []byte    // its codings undone
	Coded    bool      // it had a content coding: its bytes are not those that were sent
	Problem  string    // why it may not be whole, "" if it is
	Minor    bool      // nothing was lost by Problem
	Broken   bool      // Problem says that the connection ended before the body

	share *share
}

// Release gives back what r holds. Its body must not be used after it.
func (r *Response) Release() { r.share.keep(0) }

// Grow takes room for n more bytes that are made of the body. The error is that of ctx.
func (r *Response) Grow(ctx context.Context, n int64) error { return r.share.take(ctx, n) }

// Get retrieves a URL. The error is an *Error, or that of ctx. A body that breaks
// off is no error but a problem; one that is too large, or takes too long, is one. The response
// must be released. Get waits while others hold too much, until turn is closed; nil waits for
// nothing.
func (c *Client) Get(ctx context.Context, url string, turn <-chan struct{}) (*Response, error) {
	u, err := parse(url)
	if err != nil {
		return nil, err
	}
	limited, cancel, spent := patience(ctx, c.o.Timeout)
	defer cancel()
	t := &trip{client: c, listed: u, first: u, redirects: c.o.MaxRedirects, limit: c.o.MaxSize, spent: spent}
	t.share = &share{room: c.room, turn: turn}
	if c.o.Robots {
		t.robots = ctx
	}
	r, err := t.follow(limited)
	if err == nil && ctx.Err() == nil {
		r.share = t.share
		return r, nil
	}
	t.share.keep(0)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, c.explain(limited, u, err)
}

// accepted is what requests offer to decode: what httpmsg decodes.
const accepted = "gzip, br, zstd, deflate"

// hosts lets only so many requests to one host go on at once.
type hosts struct {
	limit int
	mu    sync.Mutex
	open  map[string]*host
}

// host is one that requests go to, or wait for.
type host struct {
	users int
	slots chan struct{}
}

// enter waits for a slot, and returns the function that gives it back.
func (h *hosts) enter(ctx context.Context, name string) (leave func(), err error) {
	h.mu.Lock()
	if h.open == nil {
		h.open = make(map[string]*host)
	}
	x := h.open[name]
	if x == nil {
		x = &host{slots: make(chan struct{}, h.limit)}
		h.open[name] = x
	}
	x.users++
	h.mu.Unlock()
	select {
	case x.slots <- struct{}{}:
		return func() { <-x.slots; h.forget(name, x) }, nil
	case <-ctx.Done():
		h.forget(name, x)
		return nil, ctx.Err()
	}
}

// forget drops a host that no request uses any more.
func (h *hosts) forget(name string, x *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x.users--
	if x.users == 0 {
		delete(h.open, name)
	}
}
