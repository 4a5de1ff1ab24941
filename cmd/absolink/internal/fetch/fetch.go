// Package fetch retrieves documents over HTTP.
//
//	c := fetch.New(fetch.Options{})
//	r, err := c.Get(ctx, "http://example.com/", nil)
//	if err != nil {
//		return err // an *Error
//	}
//	defer r.Release()
//	// r.Body is the document at r.URL
//
// [Client.Open] opens a file on a server to be read by ranges, such as units of web archives:
//
//	fetch.go     documents; redirect.go redirects, body.go the body, patience.go the time limit
//	field.go     options and header fields of the user
//	room.go      the memory of all retrievals
//	file.go      files that are read by ranges, ranges.go the requests for them
//	polite.go    robots.txt
//	guard.go     addresses that are refused, proxy.go the addresses of proxies
//	error.go     messages for users
//
// The package follows redirects itself instead of net/http, for two reasons. Each answer on the way
// has a heading with references of its own. Credentials go to the origin that the operator gave,
// never to an origin that a server names. The dialer resolves names and judges their addresses: see
// guard.go.
package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/robots"
)

// Options say how to retrieve. Zero fields take the defaults, except MaxRedirects.
type Options struct {
	UserAgent    string        // default: absolink
	Header       http.Header   // more fields of requests, only for the origin of the requested URL
	MaxRedirects int           // redirects that are followed
	Timeout      time.Duration // for one URL with redirects and body, without waiting for others; default one minute
	MaxSize      int64         // largest decoded body; default 64 MiB
	// MaxHeld is the number of bytes that all retrievals together may hold; default 512 MB. If
	// MaxSize is more than an eighth of it, they may hold more.
	MaxHeld      int64
	Proxy        bool // use the proxies of the environment, and trust them to refuse addresses
	AllowPrivate bool // connect to addresses outside the public network too
	Robots       bool // ask robots.txt before any other URL of a site
	PerHost      int  // concurrent requests to one host; default 4
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

	proxies sync.Map // addresses of proxies, which are always allowed

	exempt func(netip.AddrPort) bool                  // more addresses that are always allowed; may be nil
	sleep  func(context.Context, time.Duration) error // nil means the clock
}

// New returns a client. Close releases its connections.
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
		DisableCompression:     true, // this package decodes bodies, with limits
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

// Share makes c and other count their bytes together. Call it before Get and Open.
func (c *Client) Share(other *Client) { c.room = other.room }

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Heading is the heading of one answer: its fields as lines, and the URL of the answer, which is
// their base.
type Heading struct {
	URL  string
	Text []byte
}

// Response is a document that was retrieved.
type Response struct {
	URL      string    // after redirects, without user name, password and fragment
	Headings []Heading // of all answers, redirects first
	Type     string    // Content-Type, "" if there is none
	Body     []byte    // decoded
	Coded    bool      // the body was decoded, so its bytes are not the bytes that were sent
	Problem  string    // why the body may be incomplete, "" if it is complete
	Minor    bool      // Problem lost nothing
	Broken   bool      // the connection ended before the body; Problem says so

	share *share
}

// Release gives back the memory of r. The body must not be used afterwards.
func (r *Response) Release() { r.share.keep(0) }

// Grow takes room for n more bytes that are made from the body. The error is ctx.Err().
func (r *Response) Grow(ctx context.Context, n int64) error { return r.share.take(ctx, n) }

// Get retrieves a URL. The error is an *Error, or ctx.Err(). A truncated body is a problem of the
// response; a body that is too large or too slow is an error. The caller must release the response.
// Get waits while others hold too much memory, until turn is closed. If turn is nil, it does not
// wait.
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

// accepted are the codings that requests offer, the same that httpmsg decodes.
const accepted = "gzip, br, zstd, deflate"

// hosts limits the concurrent requests to each host.
type hosts struct {
	limit int
	mu    sync.Mutex
	open  map[string]*host
}

// host is a host with requests that run or wait.
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

// forget drops a host once no request uses it.
func (h *hosts) forget(name string, x *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x.users--
	if x.users == 0 {
		delete(h.open, name)
	}
}
