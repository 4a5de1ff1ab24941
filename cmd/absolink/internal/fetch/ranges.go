package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// If the server is overloaded or the connection breaks, the rest of a range is requested again. All
// answers must come from the same version of the file, because parts of two versions would look
// like damage.

const (
	maxTries    = 5                      // largest number of tries in a row that yield less than minProgress
	firstWait   = 500 * time.Millisecond // wait before the second try; the wait doubles for each further try
	maxWait     = 2 * time.Minute        // the longest Retry-After that is obeyed
	maxRequests = 100                    // largest number of requests for one block
	minProgress = 64 << 10               // number of bytes after which the tries count from 1 again
)

// rangeError is the error for a range that the server will never send.
type rangeError struct{ text string }

func (r *rangeError) Error() string { return r.text }

// rangeErrorf returns a *rangeError.
func rangeErrorf(format string, a ...any) error { return &rangeError{fmt.Sprintf(format, a...)} }

var errBroken = errors.New("the server closes the connection before the end, again and again")

var errChanged = rangeErrorf("was changed on the server while it was read")

// busy is the error for a server that does not answer now, but may answer later.
type busy struct {
	badStatus
	after time.Duration // the wait that the server asks for
}

// fetch returns the bytes in [from, to), or up to the end of the file. Only one goroutine may call
// it until the first call has returned.
func (f *File) fetch(from, to int64) ([]byte, error) {
	data := make([]byte, 0, to-from)
	for try, requests := 1, 1; ; try, requests = try+1, requests+1 {
		had := len(data)
		err := f.requestRange(&data, from, to)
		if f.size >= 0 {
			to = min(to, f.size)
		}
		switch {
		case f.ctx.Err() != nil:
			return nil, f.ctx.Err()
		case err == nil && int64(len(data)) >= to-from:
			return data, nil
		case err != nil && isPermanent(err),
			try >= maxTries && len(data)-had < minProgress,
			requests >= maxRequests:
			return nil, cmp.Or(err, error(&Error{URL: f.first.Redacted(), Err: errBroken}))
		case len(data)-had >= minProgress || err == nil && len(data) > had:
			try = 0
			continue
		}
		if err := f.client.waitForRetry(f.ctx, try, err); err != nil {
			return nil, err
		}
	}
}

// isPermanent reports whether a repeated request would fail with the same error.
func isPermanent(err error) bool {
	err = causeOf(err)
	var (
		private *refusedAddress
		dead    *deadHost
		status  *badStatus
		dns     *net.DNSError
		cert    *tls.CertificateVerificationError
		many    *tooManyRedirects
		target  *badTarget
		ranges  *rangeError
		record  tls.RecordHeaderError
	)
	return errors.As(err, &private) || errors.As(err, &dead) || errors.As(err, &status) ||
		errors.As(err, &dns) && dns.IsNotFound || errors.As(err, &cert) || errors.As(err, &many) ||
		errors.As(err, &target) || errors.As(err, &ranges) || errors.As(err, &record) ||
		errors.Is(err, errLoop) || errors.Is(err, errNoURL) || errors.Is(err, errScheme)
}

// waitForRetry waits before the next try, at least as long as the server asks. The time doubles
// with each try, and has a random part, so that many clients do not come back at the same time.
func (c *Client) waitForRetry(ctx context.Context, try int, err error) error {
	wait := firstWait << (try - 1)
	wait = wait/2 + rand.N(wait/2)
	var b *busy
	if errors.As(err, &b) {
		wait = max(wait, b.after)
	}
	if c.sleep != nil {
		return c.sleep(ctx, wait)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// requestRange makes one request for bytes in [from, to), and appends the bytes of the answer to
// data. data already has the first bytes of the range.
func (f *File) requestRange(data *[]byte, from, to int64) error {
	ctx, cancel, watch := withTimeLimit(f.ctx, f.client.o.Timeout)
	defer cancel()
	at := from + int64(len(*data))
	t := &retrieval{client: f.client, listed: f.first, first: f.first, redirects: f.client.o.MaxRedirects, watch: watch}
	t.fields = http.Header{"Accept-Encoding": {"identity"}, "Range": {fmt.Sprintf("bytes=%d-%d", at, to-1)}}
	if v := f.version.validator(); v != "" {
		t.fields.Set("If-Range", v)
	}
	t.onAnswer = func(u string, h *http.Response) error {
		switch {
		case h.StatusCode == http.StatusPartialContent:
			return f.readPart(u, h, data, at, to)
		case h.StatusCode == http.StatusOK && f.size < 0:
			return f.readWhole(u, h, watch)
		}
		return f.explainRefusal(h)
	}
	if _, err := t.follow(ctx); err != nil {
		return f.client.explain(ctx, f.first, err)
	}
	if f.whole != nil {
		return f.copyFromWhole(data, from, to)
	}
	return nil
}

// copyFromWhole sets data to the bytes in [from, to) of the temporary file.
func (f *File) copyFromWhole(data *[]byte, from, to int64) error {
	if from >= f.size {
		return &Error{URL: f.first.Redacted(), Err: errAfterEnd(f.size)}
	}
	*data = make([]byte, min(to, f.size)-from)
	_, err := f.whole.ReadAt(*data, from)
	return err
}

// explainRefusal returns the error for an answer that has no bytes of the range.
func (f *File) explainRefusal(h *http.Response) error {
	switch code := h.StatusCode; {
	case code == http.StatusOK:
		return errChanged // If-Range no longer holds (RFC 9110 13.1.5)
	case code == http.StatusRequestedRangeNotSatisfiable && f.size >= 0:
		return errChanged
	case code == http.StatusRequestedRangeNotSatisfiable:
		if size, err := strconv.ParseInt(strings.TrimPrefix(h.Header.Get("Content-Range"), "bytes */"),
			10, 64); err == nil {
			return errAfterEnd(size)
		}
		return rangeErrorf("ends before the range begins")
	case code == http.StatusTooManyRequests || code == http.StatusRequestTimeout || code >= 500:
		after := retryAfter(h.Header.Get("Retry-After"), time.Now())
		if after > maxWait {
			return rangeErrorf("the server says %d, and asks to come back in %v", code, after.Round(time.Second))
		}
		return &busy{badStatus{code}, after}
	case code >= 400:
		return &badStatus{code}
	}
	return rangeErrorf("the server answers a request for a range with %d %s", h.StatusCode,
		http.StatusText(h.StatusCode))
}

// errAfterEnd returns the error for a range that begins after the end of a file.
func errAfterEnd(size int64) error {
	return rangeErrorf("ends before the range begins: it has %d bytes", size)
}

// retryAfter returns the wait that the Retry-After field v asks for (RFC 9110 10.2.3).
func retryAfter(v string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// readPart reads an answer with bytes in [at, to), and appends them to data. The first byte must be
// at the offset at.
func (f *File) readPart(u string, h *http.Response, data *[]byte, at, to int64) error {
	text := h.Header.Get("Content-Range")
	first, last, size, ok := contentRange(text)
	switch {
	case !ok:
		return rangeErrorf("the Content-Range of the answer, %.60q, cannot be read", text)
	case first != at || last >= to:
		return rangeErrorf("the server answers with bytes %d to %d, but the request was for bytes %d to %d",
			first, last, at, to-1)
	case isRecoded(h):
		return errRecoded(h)
	}
	if err := f.checkVersion(u, size, h); err != nil {
		return err
	}
	n, err := io.ReadFull(h.Body, (*data)[len(*data):len(*data)+int(last+1-first)])
	*data = (*data)[:len(*data)+n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errBroken
	}
	return err
}

// errRecoded returns the error for a response for which isRecoded is true.
func errRecoded(h *http.Response) error {
	return rangeErrorf("the server compresses it (Content-Encoding %s), so its ranges are not ranges of the file",
		h.Header.Get("Content-Encoding"))
}

// isRecoded reports whether the server has compressed the file for this response.
func isRecoded(h *http.Response) bool {
	switch strings.ToLower(h.Header.Get("Content-Encoding")) {
	case "", "identity":
		return false
	case "gzip", "x-gzip": // many servers name this coding for a file that is stored compressed
		return !strings.HasSuffix(strings.ToLower(h.Request.URL.Path), "gz")
	}
	return true
}

// checkVersion stores the URL, size and version of the first answer. It returns errChanged if a
// later answer has another size or version.
func (f *File) checkVersion(u string, size int64, h *http.Response) error {
	m := version{h.Header.Get("ETag"), h.Header.Get("Last-Modified")}
	if f.size < 0 {
		f.url = u
		f.size = size
		f.version = m
		return nil
	}
	if f.size != size || f.version != m {
		return errChanged
	}
	return nil
}

// version identifies a version of a file, by ETag and Last-Modified.
type version struct{ tag, modified string }

// validator returns the value for If-Range: a strong ETag, or else the date. It returns "" if
// neither can be used.
func (m *version) validator() string {
	if strings.HasPrefix(m.tag, `"`) {
		return m.tag
	}
	if m.tag != "" {
		return "" // a weak ETag (RFC 9110 13.1.5), which checkVersion compares
	}
	return m.modified
}

// contentRange returns the values of a Content-Range field with a size (RFC 9110 14.4).
func contentRange(v string) (first, last, size int64, ok bool) {
	unit, rest, _ := strings.Cut(v, " ")
	span, total, ok := strings.Cut(rest, "/")
	from, to, dash := strings.Cut(span, "-")
	if !ok || !dash || !strings.EqualFold(unit, "bytes") {
		return 0, 0, 0, false
	}
	for _, n := range []struct {
		text string
		n    *int64
	}{{from, &first}, {to, &last}, {total, &size}} {
		v, err := strconv.ParseUint(n.text, 10, 63)
		if err != nil {
			return 0, 0, 0, false
		}
		*n.n = int64(v)
	}
	return first, last, size, first <= last && last < size
}

// readWhole reads the whole file, from a server without support for ranges, into a temporary file.
// The time limit starts again whenever minProgress bytes have arrived.
func (f *File) readWhole(u string, h *http.Response, watch *stopwatch) error {
	if isRecoded(h) {
		return errRecoded(h)
	}
	file, err := f.spool()
	if err != nil {
		return rangeErrorf("a temporary file: %v", err)
	}
	size, err := io.Copy(file, &renewingBody{Reader: h.Body, watch: watch, limit: f.client.o.Timeout})
	if err != nil {
		file.Close()
		return err
	}
	f.url = u
	f.size = size
	f.whole = file
	return nil
}

// renewingBody is a body whose time limit starts again whenever minProgress bytes have arrived.
type renewingBody struct {
	io.Reader
	watch    *stopwatch
	limit    time.Duration
	progress int // bytes since the last start of the time limit
}

func (p *renewingBody) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.progress += n
	if p.progress >= minProgress {
		p.progress = 0
		p.watch.stop()
		p.watch.left = p.limit
		p.watch.start()
	}
	return n, err
}
