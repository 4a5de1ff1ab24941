package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"absolink/mime"
	"absolink/mime/httpmsg"
)

// readBody sets r.Body to the decoded body of h.
func (t *retrieval) readBody(ctx context.Context, r *Response, h *http.Response) error {
	wire, err := t.readEncoded(ctx, h)
	if err != nil {
		r.Problem = describeBreak(h, len(wire), err)
		r.Broken = true
		if r.Problem == "" || ctx.Err() != nil {
			return err
		}
	}
	if int64(len(wire)) > t.limit {
		if !t.prefixOnly {
			return errTooLarge
		}
		wire = wire[:t.limit]
	}
	coding := strings.Join(h.Header.Values("Content-Encoding"), ",")
	body, problem, err := t.decode(ctx, coding, wire)
	switch {
	case errors.Is(err, httpmsg.ErrLimit) && !(t.prefixOnly && body != nil):
		return errTooLarge
	case err != nil && !errors.Is(err, httpmsg.ErrLimit):
		return err
	}
	r.Body = body
	r.Coded = !(len(body) == len(wire) && (len(wire) == 0 || &body[0] == &wire[0]))
	t.share.shrinkTo(int64(cap(body)))
	if r.Problem == "" {
		r.Problem = problem.Text
		r.Minor = problem.Minor
	}
	return nil
}

// firstRead is the initial size in bytes of the buffer for a body.
const firstRead = 32 << 10

// readEncoded returns the bytes of a body as they were sent. After an error it returns the bytes
// before the error. If the body is larger than the limit, it returns one byte more than the limit.
func (t *retrieval) readEncoded(ctx context.Context, h *http.Response) (data []byte, err error) {
	for {
		if len(data) == cap(data) {
			data, err = t.grow(ctx, h, data)
			if err != nil {
				return data, err
			}
		}
		n, err := h.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF, err == nil && int64(len(data)) > t.limit:
			return data, nil
		case err != nil:
			return data, err
		}
	}
}

// grow returns data in a larger buffer. The buffer is at most one byte larger than the
// Content-Length, or than the limit.
func (t *retrieval) grow(ctx context.Context, h *http.Response, data []byte) ([]byte, error) {
	size := max(firstRead, 2*int64(cap(data)))
	if n := h.ContentLength; n >= int64(len(data)) && n < size {
		size = n + 1 // one byte more, to see the end
	}
	size = min(size, t.limit+1)
	if err := t.reserve(ctx, size); err != nil {
		return data, err
	}
	more := make([]byte, len(data), size)
	copy(more, data)
	t.share.shrinkTo(size)
	return more, nil
}

// reserve adds n bytes to the reservation of t. While it waits for the bytes, the time limit is
// stopped, and other requests can use its slot at the host.
func (t *retrieval) reserve(ctx context.Context, n int64) error {
	if t.share.tryAdd(n) {
		return nil
	}
	t.watch.stop()
	defer t.watch.start()
	t.leaveHost()
	t.leaveHost = func() {}
	if err := t.share.add(ctx, n); err != nil {
		return err
	}
	leave, err := t.client.hosts.enter(ctx, t.host)
	if err == nil {
		t.leaveHost = leave
	}
	return err
}

// likelySize returns a size in bytes that most decoded bodies do not exceed. wire is the encoded
// size.
func likelySize(wire int) int64 { return max(1<<20, 4*int64(wire)) }

// decode returns the decoded body. codings is the Content-Encoding, and wire the body as it was
// sent. decode first reserves memory for the likely size. If that is too small, it reserves memory
// for the largest allowed size.
func (t *retrieval) decode(ctx context.Context,
	codings string, wire []byte) (body []byte, problem mime.Defect, err error) {
	if codings == "" || len(wire) == 0 {
		return httpmsg.Decode(codings, wire, int(t.limit))
	}
	for _, limit := range []int64{min(likelySize(len(wire)), t.limit), t.limit} {
		t.share.shrinkTo(int64(cap(wire)))
		if err := t.reserve(ctx, 2*limit); err != nil { // the buffer is copied as it grows
			return nil, problem, err
		}
		body, problem, err = httpmsg.Decode(codings, wire, int(limit))
		if limit == t.limit || !errors.Is(err, httpmsg.ErrLimit) {
			break
		}
	}
	return body, problem, err
}
