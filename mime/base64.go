package mime

import (
	"bytes"
	"encoding/base64"
	"slices"

	"absolink/extract"
)

// decodeBase64 decodes base64 (RFC 2045 Section 6.8). Line ends and blanks are
// ignored. Other bytes, padding inside and a missing rest are a problem: what
// can be decoded then is decoded, for reading.
func decodeBase64(t *extract.Text, raw []byte, cr bool) (problem string) {
	d := base64Decoder{t: t, raw: raw, eol: lineEndByte(cr)}
	d.t.Grow(len(raw)/4*3+3, bytes.Count(raw, []byte{d.eol})+2)
	for pos := 0; pos < len(raw); {
		if n := d.run(pos); n > 0 {
			pos += n
			continue
		}
		d.byte(pos)
		pos++
	}
	if d.n > 0 || d.want > 0 {
		d.problem = "truncated base64"
	}
	if d.n > 0 {
		d.flush(len(raw))
	}
	return d.problem
}

type base64Decoder struct {
	raw     []byte
	eol     byte
	tried   int // end of the line that run has looked at
	t       *extract.Text
	problem string
	ended   bool // padding was seen
	want    int  // of it that is still to come

	quartet [4]byte // digits of a quartet that a line end or padding breaks
	n       int
	start   int
}

// run decodes the whole quartets up to the end of the line, but for one with
// padding, and returns how many bytes they are; 0 if pos lies within a quartet or
// bytes that are not base64 follow. Quartets are decoded to where they belong:
// Data has room for all of raw. A line is tried once only, for linear time.
func (d *base64Decoder) run(pos int) int {
	if d.n > 0 || d.ended || pos < d.tried {
		return 0
	}
	line := d.raw[pos:]
	if i := bytes.IndexByte(line, d.eol); i >= 0 {
		line = line[:i]
	}
	d.tried = pos + len(line)
	line = bytes.TrimRight(line, " \t\r")
	line = line[:len(line)/4*4]
	if n := len(line); n > 0 && line[n-1] == '=' {
		line = line[:n-4]
	}
	out := d.t.Data[len(d.t.Data) : len(d.t.Data)+len(line)/4*3]
	if k, err := base64.StdEncoding.Decode(out, line); err != nil || k < len(out) {
		return 0
	}
	d.t.AppendBase64(pos, out)
	return len(line)
}

// byte takes one byte that is not part of a run.
func (d *base64Decoder) byte(pos int) {
	switch c := d.raw[pos]; {
	case base64Digit[c] < 64:
		d.digit(pos, base64Digit[c])
	case c == '=':
		d.pad(pos)
	case c != '\r' && c != '\n' && c != ' ' && c != '\t':
		d.problem = "bytes that are no base64"
	}
}

func (d *base64Decoder) digit(pos int, v byte) {
	if d.ended {
		d.problem, d.ended = "base64 after its end", false
	}
	if d.n == 0 {
		d.start = pos
	}
	d.quartet[d.n] = v
	if d.n++; d.n == 4 {
		d.flush(pos + 1)
	}
}

// pad takes an "=": the first one ends a quartet of two or three digits, of two
// it wants another.
func (d *base64Decoder) pad(pos int) {
	switch {
	case d.n >= 2:
		d.ended, d.want = true, 3-d.n
		end := pos + 1
		if d.want > 0 && end < len(d.raw) && d.raw[end] == '=' {
			end++
		}
		d.flush(end)
	case d.want > 0:
		d.want--
	default:
		d.problem = "padding inside base64"
	}
}

// flush decodes the digits collected as one token that ends at end.
func (d *base64Decoder) flush(end int) {
	q, n := d.quartet, d.n
	out := [3]byte{q[0]<<2 | q[1]>>4, q[1]<<4 | q[2]>>2, q[2]<<6 | q[3]}
	d.t.AppendToken(extract.Span{Start: d.start, End: end}, out[:max(n-1, 0)])
	d.quartet, d.n = [4]byte{}, 0
}

// base64Digit gives the value of each byte of the alphabet, 0xff for others.
var base64Digit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 64 {
		t["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i]] = byte(i)
	}
	return t
}()

// editBase64 encodes anew from the line of the first edit to the end of the
// base64, in lines as long as the first one. Lines before it stay, and what
// stands after the last digit.
func editBase64(l *Leaf, edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	if l.Problem != "" {
		return nil, nil, l.Entity.errorf("%s", l.Problem)
	}
	eol := l.Entity.m.eol
	start, from := base64Line(l, edits[0].Start, eol)
	end := len(bytes.TrimRight(l.raw, " \t\r\n"))
	start = min(start, end)
	s := scratches.Get().(*scratch)
	defer s.release()
	s.raw = extract.Apply(s.raw[:0], l.Data[from:], shifted(edits, -from))
	width := base64Width(l.raw[:end], base64.StdEncoding.EncodedLen(len(s.raw)), eol)
	laid := layBase64(s.raw, width, l.lineEnd(l.lineStop(start)))
	if !s.decoded(laid) {
		return nil, nil, l.Entity.errorf("the edited base64 body does not decode to the edited text")
	}
	e := extract.Edit{Span: extract.Span{Start: start, End: end}, New: laid}
	return []extract.Edit{trimmed(l.raw, e)}, edits, nil
}

// decoded reports whether lines of base64 decode to the bytes in s.raw: then the whole
// body decodes to the edited text, since quartets begin where these lines do.
func (s *scratch) decoded(digits []byte) bool {
	s.got = slices.Grow(s.got[:0], base64.StdEncoding.DecodedLen(len(digits)))
	n, err := base64.StdEncoding.Decode(s.got[:cap(s.got)], digits)
	return err == nil && bytes.Equal(s.got[:n], s.raw)
}

// layBase64 encodes text in lines of n bytes, without a line end after the last.
func layBase64(text []byte, n int, eol []byte) []byte {
	if n%4 > 0 {
		return cutLines(base64.StdEncoding.AppendEncode(nil, text), n, eol)
	}
	digits := base64.StdEncoding.EncodedLen(len(text))
	out := make([]byte, 0, digits+(digits/n+1)*len(eol))
	for line := n / 4 * 3; len(text) > line; text = text[line:] {
		out = append(base64.StdEncoding.AppendEncode(out, text[:line]), eol...)
	}
	return base64.StdEncoding.AppendEncode(out, text)
}

// base64Line returns the start of the line that holds the quartet of the decoded
// offset, or of one before it that begins with a quartet, and its decoded offset.
func base64Line(l *Leaf, at int, eol byte) (start, decoded int) {
	at -= at % 3
	end := l.Raw(extract.Span{Start: at, End: at}).Start
	for digits := 0; ; {
		start = bytes.LastIndexByte(l.raw[:end], eol) + 1
		for _, c := range l.raw[start:end] {
			if base64Digit[c] < 64 {
				digits++
			}
		}
		if digits%4 == 0 || start == 0 {
			return start, at - digits/4*3
		}
		end = start - 1
	}
}

// base64Width returns the length of lines that a body is written in: that of its
// first line, or of the second if that is longer. A body in one line longer than
// usual stays in one while a line can carry it.
func base64Width(raw []byte, digits int, eol byte) int {
	first, rest, more := bytes.Cut(bytes.TrimLeft(raw, " \t\r\n"), []byte{eol})
	second, _, _ := bytes.Cut(rest, []byte{eol})
	width := max(len(bytes.TrimSpace(first)), len(bytes.TrimSpace(second)))
	switch {
	case more:
		return max(width, 4)
	case width > maxLine, width > 76 && digits <= maxLine:
		return max(digits, 1)
	}
	return 76
}

// cutLines cuts b into lines of n bytes, without a line end after the last.
func cutLines(b []byte, n int, eol []byte) []byte {
	out := make([]byte, 0, len(b)+(len(b)/n+1)*len(eol))
	for len(b) > n {
		out = append(append(out, b[:n]...), eol...)
		b = b[n:]
	}
	return append(out, b...)
}
