package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Facts are what a server says about a file.
type Facts struct {
	Size   int64  // in bytes, or -1 if the server does not say it
	Ranges bool   // the server sends ranges of the file
	Type   string // Content-Type, or ""
}

// Measure asks a server for the size of a file, without its content. It first makes a HEAD request
// (RFC 9110 9.3.2). If that is refused, or gives no size or 0, it asks for the first byte: a URL
// may be signed for GET only, and some servers answer HEAD with the length 0. The error is an
// *Error, or ctx.Err().
func (c *Client) Measure(ctx context.Context, address string) (Facts, error) {
	u, err := parse(address)
	if err != nil {
		return Facts{}, err
	}
	method := http.MethodHead
	for try := 1; ; try++ {
		facts, err := c.requestFacts(ctx, u, method)
		var status *badStatus
		refused := errors.As(causeOf(err), &status) && status.code != http.StatusNotFound
		switch {
		case ctx.Err() != nil:
			return Facts{}, ctx.Err()
		case method == http.MethodHead && (refused || err == nil && facts.Size <= 0):
			method = http.MethodGet
			continue
		case err == nil:
			return facts, nil
		case isPermanent(err) || try >= maxTries:
			return Facts{}, err
		}
		if err := c.waitForRetry(ctx, try, causeOf(err)); err != nil {
			return Facts{}, err
		}
	}
}

// requestFacts makes one request for the facts of a file. The method is HEAD, or GET for the first
// byte.
func (c *Client) requestFacts(ctx context.Context, u *url.URL, method string) (facts Facts, err error) {
	limited, cancel, watch := withTimeLimit(ctx, c.o.Timeout)
	defer cancel()
	t := &retrieval{client: c, listed: u, first: u, redirects: c.o.MaxRedirects, watch: watch, method: method}
	t.fields = http.Header{"Accept-Encoding": {"identity"}}
	if method == http.MethodGet {
		t.fields.Set("Range", "bytes=0-0")
	}
	t.onAnswer = func(_ string, h *http.Response) (err error) {
		facts, err = factsOf(h)
		return err
	}
	if _, err := t.follow(limited); err != nil {
		return facts, c.explain(limited, u, err)
	}
	return facts, nil
}

// factsOf returns the facts in an answer to a HEAD request, or to a request for the first byte.
func factsOf(h *http.Response) (Facts, error) {
	f := Facts{Size: h.ContentLength, Type: h.Header.Get("Content-Type"),
		Ranges: strings.EqualFold(h.Header.Get("Accept-Ranges"), "bytes")}
	switch code := h.StatusCode; {
	case code == http.StatusPartialContent:
		_, _, size, ok := contentRange(h.Header.Get("Content-Range"))
		if !ok {
			return f, rangeErrorf("the Content-Range of the answer, %.60q, cannot be read",
				h.Header.Get("Content-Range"))
		}
		f.Size = size
		f.Ranges = true
	case code == http.StatusRequestedRangeNotSatisfiable: // an empty file has no first byte
		f.Size = 0
	case code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented:
		return f, &busy{badStatus{code}, 0}
	case code != http.StatusOK:
		return f, &badStatus{code}
	case isRecoded(h):
		f.Size = -1
	}
	return f, nil
}
