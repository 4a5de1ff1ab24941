package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/secret"
	"absolink/resolve"
)

// retrieval is the retrieval of one URL with its redirects.
type retrieval struct {
	client     *Client
	listed     *url.URL        // the URL of the operator: credentials go only to its origin
	first      *url.URL        // the URL of the first request: listed, or the robots.txt of a site
	redirects  int             // largest number of redirects
	limit      int64           // largest size of the body in bytes
	prefixOnly bool            // the first limit bytes of a larger body are enough
	robots     context.Context // context for the retrieval of robots.txt; nil if robots.txt is ignored
	watch      *stopwatch      // stopwatch of the time limit
	share      *reservation    // the bytes that the retrieval holds; nil if they are not counted
	host       string          // host of the current request
	leaveHost  func()          // gives back the slot at the host
	fields     http.Header     // more fields of each request
	method     string          // of the requests; GET if it is empty

	// onAnswer is called with the last answer, which is not a redirect, and its URL. If onAnswer is
	// nil, the answer is read as a document.
	onAnswer func(u string, h *http.Response) error

	seen     []string // URLs that were requested
	headings []Heading
}

// follow retrieves t.first, and follows its redirects.
func (t *retrieval) follow(ctx context.Context) (*Response, error) {
	for u := t.first; ; {
		if slices.Contains(t.seen, u.String()) {
			return nil, errLoop
		}
		t.seen = append(t.seen, u.String())
		if t.robots != nil {
			t.watch.stop()
			err := t.client.checkRobots(ctx, t.robots, t.listed, u)
			t.watch.start()
			if err != nil {
				return nil, err
			}
		}
		r, next, err := t.requestOnce(ctx, u)
		if err != nil || next == nil {
			return r, err
		}
		if len(t.seen) > t.redirects {
			return nil, &tooManyRedirects{t.redirects}
		}
		u = next
	}
}

// requestOnce makes one request for u. It returns the response, or the target of the redirect. With
// onAnswer it returns nil and nil.
func (t *retrieval) requestOnce(ctx context.Context, u *url.URL) (*Response, *url.URL, error) {
	t.watch.stop()
	leave, err := t.client.hosts.enter(ctx, u.Host)
	t.watch.start()
	if err != nil {
		return nil, nil, err
	}
	t.host = u.Host
	t.leaveHost = leave
	defer func() { t.leaveHost() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := t.client.dead.check(u); err != nil {
		return nil, nil, err
	}
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	request := t.newRequest(httptrace.WithClientTrace(ctx, trace), u)
	h, err := t.client.transport.RoundTrip(request)
	// If the time is over after a redirect, an earlier host may have used it up.
	used := ctx.Err() != nil && len(t.seen) > 1
	switch {
	case connected:
		t.client.dead.forget(u)
	case err != nil && !isOurFault(err) && !used:
		t.client.dead.fail(u, t.client.explain(ctx, u, err))
	}
	if err != nil {
		return nil, nil, err
	}
	defer h.Body.Close()
	at := withoutUser(u).String()
	t.headings = append(t.headings, Heading{at, heading(h.Header)})
	if next, err := redirectTarget(h, at); next != nil || err != nil {
		discard(h.Body, cancel)
		return nil, next, err
	}
	if t.onAnswer != nil {
		return nil, nil, t.onAnswer(at, h)
	}
	switch {
	case h.StatusCode >= 400:
		return nil, nil, &badStatus{h.StatusCode}
	case h.StatusCode == http.StatusPartialContent && request.Header.Get("Range") == "":
		return nil, nil, errPart
	}
	r := &Response{URL: at, Headings: t.headings, Type: h.Header.Get("Content-Type")}
	err = t.readBody(ctx, r, h)
	if err == nil && h.StatusCode >= 300 && len(r.Body) == 0 {
		err = &badStatus{h.StatusCode} // a redirect without a target, or 304, which nobody asked for
	}
	return r, nil, err
}

// discard reads the rest of a body, so that the connection can be used again. If the body is slow,
// it calls cancel, which ends the connection. It reads at most maxDiscard bytes.
func discard(body io.Reader, cancel func()) {
	defer time.AfterFunc(discardTime, cancel).Stop()
	io.CopyN(io.Discard, body, maxDiscard)
}

const (
	maxDiscard  = 64 << 10
	discardTime = 250 * time.Millisecond
)

// newRequest returns the request for u.
func (t *retrieval) newRequest(ctx context.Context, u *url.URL) *http.Request {
	r := (&http.Request{Method: cmp.Or(t.method, http.MethodGet), URL: withoutUser(u),
		Host: u.Host, Header: make(http.Header)}).WithContext(ctx)
	r.Header.Set("User-Agent", t.client.o.UserAgent)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Accept-Encoding", accepted)
	trusted := sameOrigin(t.listed, u)
	if trusted {
		for name, values := range t.client.o.Header {
			name = http.CanonicalHeaderKey(name)
			if name == "Host" {
				r.Host = values[0]
				continue
			}
			r.Header[name] = values
		}
	}
	maps.Copy(r.Header, t.fields)
	if t.prefixOnly { // a prefix begins with the first byte
		r.Header.Del("Range")
	}
	if r.Header.Get("Authorization") == "" {
		user := u.User
		if user == nil && trusted {
			user = t.listed.User
		}
		if user != nil {
			pass, _ := user.Password()
			r.SetBasicAuth(user.Username(), pass)
		}
	}
	return r
}

// withoutUser returns u without its user name and password.
func withoutUser(u *url.URL) *url.URL {
	bare := *u
	bare.User = nil
	return &bare
}

// sameOrigin reports whether two URLs have the same scheme, host and port. Both must come from
// parse.
func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

// redirectTarget returns the target of a redirect (RFC 9110 15.4). from is the URL of the request.
// redirectTarget returns nil if the response is not a redirect. 300 and 304 do not count as
// redirects: a client does not follow them automatically.
func redirectTarget(h *http.Response, from string) (*url.URL, error) {
	switch h.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil
	}
	location := h.Header.Get("Location")
	if location == "" {
		return nil, nil
	}
	b, err := resolve.NewBase(from, resolve.Options{})
	if err != nil {
		return nil, err
	}
	uri, err := b.Resolve(location)
	if err != nil {
		return nil, &badTarget{location}
	}
	u, err := parse(uri)
	if err != nil {
		return nil, &badTarget{uri}
	}
	return u, nil
}

// parse parses a URL as browsers do, and drops its fragment. It refuses URLs that cannot be
// retrieved.
func parse(text string) (*url.URL, error) {
	fail := func(reason error) (*url.URL, error) { return nil, &Error{URL: secret.URL(text), Err: reason} }
	b, err := resolve.NewBase(text, resolve.Options{})
	if err != nil {
		return fail(errNoURL)
	}
	whole, _, _ := strings.Cut(b.String(), "#")
	u, err := url.Parse(whole)
	switch {
	case err != nil:
		return fail(errNoURL)
	case u.Scheme != "http" && u.Scheme != "https":
		return fail(errScheme)
	case u.Hostname() == "":
		return fail(errors.New("has no host"))
	}
	return u, nil
}

// heading returns header fields as lines, in the order of their names.
func heading(fields http.Header) []byte {
	var b bytes.Buffer
	fields.Write(&b)
	return b.Bytes()
}
