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

// If the server is overloaded or the connection breaks, the request for a range is repeated from
// where it broke off. Each answer must identify the same version of the file: parts of two versions
// would look like damage.

const (
	maxTries    = 5
	firstWait   = 500 * time.Millisecond // before the second try; each further one waits twice as long
	maxWait     = 2 * time.Minute        // the longest Retry-After that is obeyed
	maxRequests = 100                    // for one block, if each brings some bytes
	progress    = 64 << 10               // bytes after which a try is not counted
)

// rangeError reports that a server does not give a range of a file. Repeating the request is
// useless.
type rangeError struct{ text string }

func (r *rangeError) Error() string { return r.text }

func rangeErrorf(format string, a ...any) error { return &rangeError{fmt.Sprintf(format, a...)} }

var errBroken = errors.New("the server closes the connection before the end, again and again")

var errChanged = rangeErrorf("was changed on the server while it was read")

// busy reports that a server may answer later.
type busy struct {
	badStatus
	after time.Duration // wait that the server asks for
}

// fetch retrieves the bytes in [from, to), or up to the end of the file. Before the first answer
// only one goroutine may call it.
func (f *File) fetch(from, to int64) ([]byte, error) {
	data := make([]byte, 0, to-from)
	for try, requests := 1, 1; ; try, requests = try+1, requests+1 {
		had := len(data)
		err := f.request(&data, from, to)
		if f.size >= 0 {
			to = min(to, f.size)
		}
		switch {
		case f.ctx.Err() != nil:
			return nil, f.ctx.Err()
		case err == nil && int64(len(data)) >= to-from:
			return data, nil
		case err != nil && permanent(err) || try >= maxTries && len(data)-had < progress || requests >= maxRequests:
			return nil, cmp.Or(err, error(&Error{URL: f.first.Redacted(), Err: errBroken}))
		case len(data)-had >= progress || err == nil && len(data) > had:
			try = 0
			continue
		}
		if err := f.client.pause(f.ctx, try, err); err != nil {
			return nil, err
		}
	}
}

// permanent reports whether it is useless to try again after an error.
func permanent(err error) bool {
	var (
		private *refusedAddress
		status  *badStatus
		dns     *net.DNSError
		cert    *tls.CertificateVerificationError
		many    *tooMany
		target  *badTarget
		ranges  *rangeError
		record  tls.RecordHeaderError
	)
	return errors.As(err, &private) || errors.As(err, &status) || errors.As(err, &dns) && dns.IsNotFound ||
		errors.As(err, &cert) || errors.As(err, &many) || errors.As(err, &target) ||
		errors.As(err, &ranges) || errors.As(err, &record) ||
		errors.Is(err, errLoop) || errors.Is(err, errNoURL) || errors.Is(err, errScheme)
}

// pause waits before the next try: as long as the server asks for, else longer each time. A random
// part keeps many clients from coming back at once.
func (c *Client) pause(ctx context.Context, try int, err error) error {
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

// request makes one request for the bytes of [from, to) that data lacks, and adds the bytes of the
// answer.
func (f *File) request(data *[]byte, from, to int64) error {
	ctx, cancel, spent := patience(f.ctx, f.client.o.Timeout)
	defer cancel()
	at := from + int64(len(*data))
	t := &trip{client: f.client, listed: f.first, first: f.first, redirects: f.client.o.MaxRedirects, spent: spent}
	t.fields = http.Header{"Accept-Encoding": {"identity"}, "Range": {fmt.Sprintf("bytes=%d-%d", at, to-1)}}
	if v := f.mark.validator(); v != "" {
		t.fields.Set("If-Range", v)
	}
	t.take = func(u string, h *http.Response) error {
		switch {
		case h.StatusCode == http.StatusPartialContent:
			return f.part(u, h, data, at, to)
		case h.StatusCode == http.StatusOK && f.size < 0:
			return f.all(u, h, spent)
		}
		return f.refusal(h)
	}
	if _, err := t.follow(ctx); err != nil {
		return f.client.explain(ctx, f.first, err)
	}
	if f.whole != nil {
		return f.cut(data, from, to)
	}
	return nil
}

// cut copies the bytes in [from, to) from the temporary file.
func (f *File) cut(data *[]byte, from, to int64) error {
	if from >= f.size {
		return &Error{URL: f.first.Redacted(), Err: behind(f.size)}
	}
	*data = make([]byte, min(to, f.size)-from)
	_, err := f.whole.ReadAt(*data, from)
	return err
}

// refusal returns the error for an answer without bytes of the range.
func (f *File) refusal(h *http.Response) error {
	switch code := h.StatusCode; {
	case code == http.StatusOK:
		return errChanged // If-Range no longer holds (RFC 9110 13.1.5)
	case code == http.StatusRequestedRangeNotSatisfiable && f.size >= 0:
		return errChanged
	case code == http.StatusRequestedRangeNotSatisfiable:
		if size, err := strconv.ParseInt(strings.TrimPrefix(h.Header.Get("Content-Range"), "bytes */"),
			10, 64); err == nil {
			return behind(size)
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
	return rangeErrorf("the server says %d %s where a range was asked for", h.StatusCode, http.StatusText(h.StatusCode))
}

// behind returns the error for a range that begins behind the end of a file.
func behind(size int64) error {
	return rangeErrorf("ends before the range begins: it has %d bytes", size)
}

// retryAfter returns the wait that a Retry-After field asks for (RFC 9110 10.2.3).
func retryAfter(v string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// part reads the bytes from at on out of an answer with some of [at, to).
func (f *File) part(u string, h *http.Response, data *[]byte, at, to int64) error {
	text := h.Header.Get("Content-Range")
	first, last, size, ok := contentRange(text)
	switch {
	case !ok:
		return rangeErrorf("the Content-Range of the answer, %.60q, cannot be read", text)
	case first != at || last >= to:
		return rangeErrorf("the server answers with bytes %d to %d where %d to %d were asked for",
			first, last, at, to-1)
	case recoded(h):
		return rangeErrorf("the server compresses it (Content-Encoding %s), so that its ranges are not those of the "+
			"file", h.Header.Get("Content-Encoding"))
	}
	if err := f.same(u, size, h); err != nil {
		return err
	}
	n, err := io.ReadFull(h.Body, (*data)[len(*data):len(*data)+int(last+1-first)])
	*data = (*data)[:len(*data)+n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errBroken
	}
	return err
}

// recoded reports whether a response has a content coding that is not part of the file.
func recoded(h *http.Response) bool {
	switch strings.ToLower(h.Header.Get("Content-Encoding")) {
	case "", "identity":
		return false
	case "gzip", "x-gzip": // servers say this of compressed files
		return !strings.HasSuffix(strings.ToLower(h.Request.URL.Path), "gz")
	}
	return true
}

// same stores the facts of the first answer, and compares all other answers with them.
func (f *File) same(u string, size int64, h *http.Response) error {
	m := mark{h.Header.Get("ETag"), h.Header.Get("Last-Modified")}
	if f.size < 0 {
		f.at, f.size, f.mark = u, size, m
		return nil
	}
	if f.size != size || f.mark != m {
		return errChanged
	}
	return nil
}

// mark identifies a version of a file.
type mark struct{ tag, modified string }

// validator returns the value of If-Range: a strong tag, else the date. "" stands for no value.
func (m *mark) validator() string {
	if strings.HasPrefix(m.tag, `"`) {
		return m.tag
	}
	if m.tag != "" {
		return "" // a weak tag (RFC 9110 13.1.5), which same compares with the answer
	}
	return m.modified
}

// contentRange reads a Content-Range field with a size (RFC 9110 14.4).
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

// all reads the whole file from a server without support for ranges. The time limit starts again
// whenever bytes arrive.
func (f *File) all(u string, h *http.Response, spent *stopwatch) error {
	if recoded(h) {
		return rangeErrorf("the server compresses it (Content-Encoding %s), so that its ranges are not those of the "+
			"file", h.Header.Get("Content-Encoding"))
	}
	file, err := f.spool()
	if err != nil {
		return rangeErrorf("a temporary file: %v", err)
	}
	size, err := io.Copy(file, &patient{h.Body, spent, f.client.o.Timeout, 0})
	if err != nil {
		file.Close()
		return err
	}
	f.at, f.size, f.whole = u, size, file
	return nil
}

// patient is a body that renews its time limit whenever some of it has arrived.
type patient struct {
	io.Reader
	spent *stopwatch
	time  time.Duration
	came  int
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.came += n
	if p.came >= progress {
		p.came = 0
		p.spent.stop()
		p.spent.left = p.time
		p.spent.start()
	}
	return n, err
}
