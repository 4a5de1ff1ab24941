package httpmsg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"absolink/mime"
)

// This file undoes content codings (RFC 9110 Section 8.4.1; RFC 7932 for br; RFC 8878 and 9659 for
// zstd) as browsers do. Browsers accept the errors of servers: deflate with or without the zlib
// wrapper, and junk after the end. Archives have two more errors. The crawler may have decoded the
// body, although the header still names the coding. Or the body is cut: then the bytes before the
// cut are decoded.

// maxCodings is the largest number of codings of one body. Servers use one, sometimes two, and each
// costs a pass over the body.
const maxCodings = 8

// maxWindow is the largest window that zstd as a content coding may ask for (RFC 9659 Section 3).
// Decoding takes that much memory besides its result.
const maxWindow = 8 << 20

// coding is one content coding.
type coding struct {
	pool         *sync.Pool            // decoders that are not in use
	looksEncoded func(src []byte) bool // reports whether src begins like encoded data; nil if this cannot be told
}

// decoder decodes one body after another.
type decoder interface {
	// Read reads decoded bytes.
	io.Reader
	// reset begins a body.
	reset(body []byte) error
	// bytesAfterEnd returns the number of bytes of the body after the end of the encoded data, or
	// -1 if it is more than 0 but unknown. err is the error of Read, or nil for io.EOF.
	bytesAfterEnd(err error) int
}

// codings has the content codings by their names. Those of large.go are added to it.
var codings = map[string]coding{
	"gzip":    {newPool(func() decoder { return new(gzipDecoder) }), isGzip},
	"x-gzip":  {newPool(func() decoder { return new(gzipDecoder) }), isGzip},
	"deflate": {newPool(func() decoder { return new(flateDecoder) }), nil},
}

// newPool returns a pool of decoders that create returns.
func newPool(create func() decoder) *sync.Pool {
	return &sync.Pool{New: func() any { return create() }}
}

// isGzip reports whether b begins with a gzip member.
func isGzip(b []byte) bool { return bytes.HasPrefix(b, []byte{0x1f, 0x8b}) }

// isZstd reports whether b begins with a frame or a skippable frame.
func isZstd(b []byte) bool {
	return bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(b) >= 4 && b[0]&0xf0 == 0x50 && bytes.Equal(b[1:4], []byte{0x2a, 0x4d, 0x18})
}

// isZlib reports whether b begins with the wrapper of RFC 1950.
func isZlib(b []byte) bool {
	return len(b) >= 2 && b[0]&0x0f == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0
}

// gzipDecoder reads the members of a body.
type gzipDecoder struct {
	z    gzip.Reader
	body bytes.Reader
}

func (d *gzipDecoder) reset(body []byte) error {
	d.body.Reset(body)
	return d.nextMember()
}

// nextMember begins the next member.
func (d *gzipDecoder) nextMember() error {
	err := d.z.Reset(&d.body)
	d.z.Multistream(false)
	return err
}

func (d *gzipDecoder) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		n, err = d.z.Read(p)
		if err == io.EOF && d.memberFollows() {
			err = d.nextMember()
		}
	}
	return n, err
}

// memberFollows reports whether another member follows the last one.
func (d *gzipDecoder) memberFollows() bool {
	var start [2]byte
	n, _ := d.body.ReadAt(start[:], d.body.Size()-int64(d.body.Len()))
	return isGzip(start[:n])
}

func (d *gzipDecoder) bytesAfterEnd(err error) int { return bytesAfter(&d.body, err) }

// bytesAfter returns the number of bytes that follow the encoded data in body. After an error it
// returns 0.
func bytesAfter(body *bytes.Reader, err error) int {
	if err != nil {
		return 0
	}
	return body.Len()
}

// flateDecoder reads deflate with or without the wrapper that RFC 9110 Section 8.4.1.2 requires.
type flateDecoder struct {
	io.Reader
	raw     io.Reader
	wrapped io.Reader
	body    bytes.Reader
}

func (d *flateDecoder) reset(body []byte) error {
	d.body.Reset(body)
	if !isZlib(body) {
		return d.resetRaw()
	}
	if d.wrapped != nil {
		d.Reader = d.wrapped
		return d.wrapped.(zlib.Resetter).Reset(&d.body, nil)
	}
	r, err := zlib.NewReader(&d.body)
	if err == nil {
		d.Reader, d.wrapped = r, r
	}
	return err
}

func (d *flateDecoder) resetRaw() error {
	if d.raw == nil {
		d.raw = flate.NewReader(&d.body)
		d.Reader = d.raw
		return nil
	}
	d.Reader = d.raw
	return d.raw.(flate.Resetter).Reset(&d.body, nil)
}

func (d *flateDecoder) bytesAfterEnd(err error) int { return bytesAfter(&d.body, err) }

// Decode returns body without its content codings, or body itself if there is nothing to undo.
// codings is the value of Content-Encoding: a list of codings in the order in which they were
// applied.
//
// A body that is cut or damaged is decoded up to the damage. A body that does not begin like data
// of its coding counts as already decoded. problem.Text says what could not be decoded, and is
// empty if all bytes could. problem.Offset has no meaning. The problem is minor if nothing was
// lost: the body was not encoded, or other bytes follow the encoded data. If there are several
// problems, Decode returns the first one that is not minor, or else the first one.
//
// An error says that a coding is unknown, that there are too many codings, or that the decoded body
// has more than limit bytes. In the last case the error wraps [ErrLimit], and data has the first
// limit bytes. But if these bytes are still encoded, because the list has more codings, data is
// nil. Decode is safe for concurrent use.
func Decode(codings string, body []byte, limit int) (data []byte, problem mime.Defect, err error) {
	list := codingList(codings)
	if len(list) > maxCodings {
		return nil, problem, fmt.Errorf("%d content codings", len(list))
	}
	for i := len(list) - 1; i >= 0; i-- {
		var text string
		if body, text, err = undoCoding(list[i], body, limit); err != nil {
			if i > 0 {
				body = nil
			}
			return body, problem, err
		}
		found := mime.Defect{Text: text, Minor: isHarmless(text)}
		if problem.Text == "" || problem.Minor && text != "" && !found.Minor {
			problem = found
		}
	}
	return body, problem, nil
}

// codingList returns the names of the codings in lower case, without identity.
func codingList(codings string) []string {
	var list []string
	for name := range strings.SplitSeq(codings, ",") {
		name = strings.ToLower(strings.Trim(name, " \t\r\n\"'"))
		switch name {
		// QUIRK: charsets and transfer encodings of mail
		case "", "identity", "none", "utf-8", "iso-8859-1", "binary", "7bit", "8bit":
		default:
			list = append(list, name)
		}
	}
	return list
}

// ErrLimit says that a decoded body is larger than the limit.
var ErrLimit = errors.New("decoded body larger than the limit")

// undoCoding undoes one coding. See Decode for its results.
func undoCoding(name string, body []byte, limit int) (data []byte, problem string, err error) {
	c, known := codings[name]
	switch {
	case !known:
		return nil, "", fmt.Errorf("unknown content coding %q", name)
	case len(body) == 0:
		return body, "", nil
	case c.looksEncoded != nil && !c.looksEncoded(body):
		return body, name + " declared, the body is not encoded", nil
	}
	d := c.pool.Get().(decoder)
	defer c.pool.Put(d)
	if err = d.reset(body); err == nil {
		data, err = readAll(d, len(body), limit)
	}
	stray := d.bytesAfterEnd(err)
	switch {
	case stray > 0:
		return data, fmt.Sprintf("%d bytes"+afterEnd, stray, name), nil
	case stray < 0:
		return data, fmt.Sprintf("some bytes"+afterEnd, name), nil
	case err == nil:
		return data, "", nil
	case err == ErrLimit:
		return data, "", fmt.Errorf("%s: %w of %d bytes", name, err, limit)
	case len(data) == 0 && c.looksEncoded == nil && looksText(body):
		return body, name + " declared, the body is not encoded", nil
	}
	return data, fmt.Sprintf("%s damaged after %d decoded bytes: %v", name, len(data), err), nil
}

// afterEnd is the end of the text of a problem: bytes follow the encoded data.
const afterEnd = " after the end of the %s data, not read"

// isHarmless reports whether problem, a result of undoCoding, lost no bytes.
func isHarmless(problem string) bool {
	return strings.HasSuffix(problem, " declared, the body is not encoded") ||
		strings.HasSuffix(problem, " data, not read")
}

// looksText reports whether the first bytes of b can be text. In data of deflate or br, one of the
// first bytes is almost always a control character.
func looksText(b []byte) bool {
	for _, c := range b[:min(len(b), 64)] {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' {
			return false
		}
	}
	return true
}

// readAll reads r to its end. After an error it returns the bytes before the error. encoded is the
// number of encoded bytes. If r has more than limit bytes, the error is ErrLimit.
func readAll(r io.Reader, encoded, limit int) ([]byte, error) {
	buf := make([]byte, 0, min(max(4*encoded, 512), limit+1))
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > limit:
			return buf[:limit], ErrLimit
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return buf, err
		}
	}
}
