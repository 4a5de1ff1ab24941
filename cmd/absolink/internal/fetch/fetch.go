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
// [Client.Open] opens a file on a server to be read by ranges, such as units of web archives.
//
//	fetch.go     documents; redirect.go redirects, body.go the body, patience.go the time limit
//	field.go     options and header fields of the user
//	budget.go    the memory of all retrievals
//	file.go      files that are read by ranges, ranges.go the requests for them
//	polite.go    robots.txt
//	measure.go   sizes of files
//	dead.go      hosts that cannot be reached
//	guard.go     addresses that are refused, proxy.go the addresses of proxies
//	error.go     messages for users
//
// Package fetch itself follows redirects, instead of net/http, for two reasons. First, the header
// of each answer has links of its own. Second, credentials may go only to the origin that the
// operator gave, never to an origin that a server names. The dialer resolves names and checks their
// addresses: see guard.go.
package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/robots"
)

// Options say how documents are retrieved. The value zero stands for the default of a field.
// MaxRedirects has no default: with 0, no redirect is followed.
type Options struct {
	UserAgent    string        // default: absolink
	Header       http.Header   // more fields of requests, only for the origin of the requested URL
	MaxRedirects int           // largest number of redirects of a URL
	Timeout      time.Duration // time limit of one URL with redirects and body, without waits; default one minute
	MaxSize      int64         // largest size of a decoded body in bytes; default 64 MiB
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
	maxHeading     = 256 << 10 // size limit of the header of a response in bytes
)

// Client retrieves documents. It is safe for concurrent use.
type Client struct {
	o         Options
	transport *http.Transport
	hosts     hosts
	budget    *budget
	robots    robotsCache
	dead      *deadHosts

	proxies sync.Map // addresses of proxies, which are always allowed

	isExempt func(netip.AddrPort) bool                  // whether an address is always allowed; for tests, may be nil
	sleep    func(context.Context, time.Duration) error // waits between tries; nil waits for the clock
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
	c := &Client{o: o, hosts: hosts{limit: o.PerHost}, dead: new(deadHosts),
		budget: newBudget(o.MaxHeld, o.MaxSize)}
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

// Share makes c and other share one budget of MaxHeld bytes, and what they know of dead hosts. Call
// it before Get and Open.
func (c *Client) Share(other *Client) {
	c.budget = other.budget
	c.dead = other.dead
}

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Heading holds the header of one answer.
type Heading struct {
	URL  string // URL of the answer: the base of references in the header
	Text []byte // the header fields as lines
}

// Response is a document that was retrieved.
type Response struct {
	URL      string    // URL after redirects, without user name, password and fragment
	Headings []Heading // headers of all answers, redirects first
	Type     string    // Content-Type, "" if there is none
	Body     []byte    // decoded body
	Coded    bool      // the body was decoded, so its bytes are not the bytes that were sent
	Problem  string    // the reason why the body may be incomplete, or ""
	Minor    bool      // no byte is missing because of Problem
	Broken   bool      // the connection broke before the end of the body, as Problem says

	share *reservation
}

// Release frees the memory of r. Body must not be used afterwards.
func (r *Response) Release() { r.share.shrinkTo(0) }

// Grow reserves n more bytes, for data that the caller makes from Body. It waits until other
// retrievals hold less. The error is ctx.Err().
func (r *Response) Grow(ctx context.Context, n int64) error { return r.share.add(ctx, n) }

// Get retrieves a URL. The caller must release the response. If the body is cut short, the response
// has a Problem. If the body is too large or too slow, Get returns an error. The error is an
// *Error, or ctx.Err().
//
// Get waits while other retrievals hold too many bytes, at most until turn is closed. If turn is
// nil, it does not wait.
func (c *Client) Get(ctx context.Context, url string, turn <-chan struct{}) (*Response, error) {
	u, err := parse(url)
	if err != nil {
		return nil, err
	}
	limited, cancel, watch := withTimeLimit(ctx, c.o.Timeout)
	defer cancel()
	t := &retrieval{client: c, listed: u, first: u, redirects: c.o.MaxRedirects, limit: c.o.MaxSize, watch: watch}
	t.share = &reservation{budget: c.budget, turn: turn}
	if c.o.Robots {
		t.robots = ctx
	}
	r, err := t.follow(limited)
	if err == nil && ctx.Err() == nil {
		r.share = t.share
		return r, nil
	}
	t.share.shrinkTo(0)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, c.explain(limited, u, err)
}

// accepted is the Accept-Encoding of requests: the codings that httpmsg decodes.
const accepted = "gzip, br, zstd, deflate"

// hosts limits the concurrent requests to each host.
type hosts struct {
	limit int
	mu    sync.Mutex
	open  map[string]*host
}

// host is the state of a host with requests.
type host struct {
	users int           // number of requests that run or wait
	slots chan struct{} // has an element for each request that runs
}

// enter waits for a slot at the host name. It returns the function that gives the slot back. The
// error is ctx.Err().
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
		return func() { <-x.slots; h.removeUser(name, x) }, nil
	case <-ctx.Done():
		h.removeUser(name, x)
		return nil, ctx.Err()
	}
}

// removeUser removes a request from a host, and forgets the host after the last one.
func (h *hosts) removeUser(name string, x *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x.users--
	if x.users == 0 {
		delete(h.open, name)
	}
}
