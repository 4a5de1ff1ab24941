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

// read reads the body of a response and decodes it.
func (t *trip) read(ctx context.Context, r *Response, h *http.Response) error {
	wire, err := t.wire(ctx, h)
	if err != nil {
		r.Problem = brokenOff(h, len(wire), err)
		r.Broken = true
		if r.Problem == "" || ctx.Err() != nil {
			return err
		}
	}
	if int64(len(wire)) > t.limit {
		if !t.beginning {
			return errTooLarge
		}
		wire = wire[:t.limit]
	}
	coding := strings.Join(h.Header.Values("Content-Encoding"), ",")
	body, problem, err := t.decode(ctx, coding, wire)
	switch {
	case errors.Is(err, httpmsg.ErrLimit) && !(t.beginning && body != nil):
		return errTooLarge
	case err != nil && !errors.Is(err, httpmsg.ErrLimit):
		return err
	}
	r.Body = body
	r.Coded = !(len(body) == len(wire) && (len(wire) == 0 || &body[0] == &wire[0]))
	t.share.keep(int64(cap(body)))
	if r.Problem == "" {
		r.Problem = problem.Text
		r.Minor = problem.Minor
	}
	return nil
}

// firstRead is the initial size in bytes of the buffer for a body.
const firstRead = 32 << 10

// wire reads the bytes of a body as they were sent. After an error it also returns the bytes before
// it. If the body exceeds the limit, it returns one byte more than the limit.
func (t *trip) wire(ctx context.Context, h *http.Response) (data []byte, err error) {
	for {
		if len(data) == cap(data) {
			data, err = t.grown(ctx, h, data)
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

// grown returns data with a larger buffer. If the heading gives a smaller length, the buffer has
// that length.
func (t *trip) grown(ctx context.Context, h *http.Response, data []byte) ([]byte, error) {
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
	t.share.keep(size)
	return more, nil
}

// reserve takes room for n bytes. Waiting does not count as time of the URL, and other requests get
// its slot at the host meanwhile.
func (t *trip) reserve(ctx context.Context, n int64) error {
	if t.share.try(n) {
		return nil
	}
	t.spent.stop()
	defer t.spent.start()
	t.leave()
	t.leave = func() {}
	if err := t.share.take(ctx, n); err != nil {
		return err
	}
	leave, err := t.client.hosts.enter(ctx, t.host)
	if err == nil {
		t.leave = leave
	}
	return err
}

// likelySize returns the usual size in bytes of a decoded body.
func likelySize(wire int) int64 { return max(1<<20, 4*int64(wire)) }

// decode undoes the codings of a body. It reserves room for the likely size first, and for the
// largest allowed size if that is too small.
func (t *trip) decode(ctx context.Context, codings string, wire []byte) (body []byte, problem mime.Defect, err error) {
	if codings == "" || len(wire) == 0 {
		return httpmsg.Decode(codings, wire, int(t.limit))
	}
	for _, limit := range []int64{min(likelySize(len(wire)), t.limit), t.limit} {
		t.share.keep(int64(cap(wire)))
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
