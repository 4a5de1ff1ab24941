package coding

import (
	"bytes"
	"encoding/base64"

	"absolink/extract"
)

// Base64 decodes base64 (RFC 2045 Section 6.8). Line ends and blanks are
// ignored. Other bytes, padding inside and a missing rest are a problem: what
// can be decoded then is decoded, for reading.
func Base64(t *extract.Text, raw []byte, cr bool) (problem string) {
	d := base64Decoder{t: t, raw: raw, eol: LineEnd(cr)}
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
	case Base64Digit[c] < 64:
		d.digit(pos, Base64Digit[c])
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

// Base64Digit gives the value of each byte of the alphabet, 0xff for others.
var Base64Digit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 64 {
		t["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i]] = byte(i)
	}
	return t
}()
