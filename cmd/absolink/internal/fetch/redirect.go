package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/secret"
	"absolink/resolve"
)

// trip is the retrieval of one URL with its redirects.
type trip struct {
	client    *Client
	listed    *url.URL        // URL of the operator, whose origin gets the credentials
	first     *url.URL        // URL of the first request: listed, or the robots.txt of a site on the way
	redirects int             // limit of redirects
	limit     int64           // limit of the body in bytes
	beginning bool            // the first bytes of a larger body are enough
	robots    context.Context // context for retrieving robots.txt; nil means that robots.txt is not asked
	spent     *stopwatch      // time that the trip takes
	share     *share          // memory that the trip holds; nil means that it is not counted
	host      string          // host of the current request
	leave     func()          // releases the slot at the host
	fields    http.Header     // more fields of each request

	// take is called with the final answer, which is not a redirect, and its URL. If take is nil,
	// the answer is read as a document.
	take func(u string, h *http.Response) error

	seen     []string
	headings []Heading
}

// follow retrieves the first URL, or the target of its redirects.
func (t *trip) follow(ctx context.Context) (*Response, error) {
	for u := t.first; ; {
		if slices.Contains(t.seen, u.String()) {
			return nil, errLoop
		}
		t.seen = append(t.seen, u.String())
		if t.robots != nil {
			t.spent.stop()
			err := t.client.permitted(ctx, t.robots, t.listed, u)
			t.spent.start()
			if err != nil {
				return nil, err
			}
		}
		r, next, err := t.step(ctx, u)
		if err != nil || next == nil {
			return r, err
		}
		if len(t.seen) > t.redirects {
			return nil, &tooMany{t.redirects}
		}
		u = next
	}
}

// step makes one request. It returns the response, or the target of a redirect.
func (t *trip) step(ctx context.Context, u *url.URL) (*Response, *url.URL, error) {
	t.spent.stop()
	leave, err := t.client.hosts.enter(ctx, u.Host)
	t.spent.start()
	if err != nil {
		return nil, nil, err
	}
	t.host = u.Host
	t.leave = leave
	defer func() { t.leave() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	request := t.request(ctx, u)
	h, err := t.client.transport.RoundTrip(request)
	if err != nil {
		return nil, nil, err
	}
	defer h.Body.Close()
	at := address(u)
	t.headings = append(t.headings, Heading{at, heading(h.Header)})
	if next, err := target(h, at); next != nil || err != nil {
		discard(h.Body, cancel)
		return nil, next, err
	}
	if t.take != nil {
		return nil, nil, t.take(at, h)
	}
	switch {
	case h.StatusCode >= 400:
		return nil, nil, &badStatus{h.StatusCode}
	case h.StatusCode == http.StatusPartialContent && request.Header.Get("Range") == "":
		return nil, nil, errPart
	}
	r := &Response{URL: at, Headings: t.headings, Type: h.Header.Get("Content-Type")}
	err = t.read(ctx, r, h)
	if err == nil && h.StatusCode >= 300 && len(r.Body) == 0 {
		err = &badStatus{h.StatusCode} // a redirect without a target, or 304, which nobody asked for
	}
	return r, nil, err
}

// discard reads the rest of a body, so that the connection can be reused. If the body is large or
// slow, it gives up the connection by calling cancel.
func discard(body io.Reader, cancel func()) {
	defer time.AfterFunc(discardTime, cancel).Stop()
	io.CopyN(io.Discard, body, maxDiscard)
}

const (
	maxDiscard  = 64 << 10
	discardTime = 250 * time.Millisecond
)

// request makes the request for u.
func (t *trip) request(ctx context.Context, u *url.URL) *http.Request {
	r := (&http.Request{Method: http.MethodGet, URL: withoutUser(u),
		Host: u.Host, Header: make(http.Header)}).WithContext(ctx)
	r.Header.Set("User-Agent", t.client.o.UserAgent)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Accept-Encoding", accepted)
	own := sameOrigin(t.listed, u)
	if own {
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
	if t.beginning { // robots.txt is read from its beginning
		r.Header.Del("Range")
	}
	if r.Header.Get("Authorization") == "" {
		user := u.User
		if user == nil && own {
			user = t.listed.User
		}
		if user != nil {
			pass, _ := user.Password()
			r.SetBasicAuth(user.Username(), pass)
		}
	}
	return r
}

// withoutUser returns a URL as it stands in a request.
func withoutUser(u *url.URL) *url.URL {
	bare := *u
	bare.User = nil
	return &bare
}

// sameOrigin reports whether two URLs of parse have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

// target returns the target of a redirect, or nil if the response is not a redirect (RFC 9110
// 15.4). 300 and 304 have no target that a reader follows on its own.
func target(h *http.Response, from string) (*url.URL, error) {
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

// parse reads a URL as browsers do, and refuses URLs that cannot be retrieved.
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

// address returns a URL without credentials, as a base for references.
func address(u *url.URL) string {
	c := *u
	c.User = nil
	return c.String()
}

// heading returns the fields of a response as lines, in the order of their names.
func heading(fields http.Header) []byte {
	var b bytes.Buffer
	fields.Write(&b)
	return b.Bytes()
}
