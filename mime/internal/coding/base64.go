package coding

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"absolink/extract"
)

// Base64 decodes base64 (RFC 2045 Section 6.8) into t. It ignores line ends and blanks. Three
// faults are a problem: other bytes, padding inside the text, and digits at the end that hold only
// part of a byte. Base64 still decodes the rest, for reading. If only padding at the end is
// missing, the problem is [Unpadded] and the data is complete.
func Base64(t *extract.Text, raw []byte, eol byte) (problem string) {
	d := base64Decoder{t: t, raw: raw, eol: eol}
	d.t.Grow(len(raw)/4*3+3, bytes.Count(raw, []byte{d.eol})+2)
	for pos := 0; pos < len(raw); {
		if n := d.run(pos); n > 0 {
			pos += n
			continue
		}
		d.byte(pos)
		pos++
	}
	switch open := d.n > 0 || d.want > 0; {
	case d.n == 1, open && d.problem != "", d.cut():
		d.problem = "truncated base64"
	case open:
		d.problem = Unpadded
	}
	if d.n > 0 {
		d.flush(len(raw))
	}
	return d.problem
}

// cut reports whether the last digits hold some bits of a byte whose other bits are missing. In a
// complete text these bits are zero.
func (d *base64Decoder) cut() bool {
	return d.n == 2 && d.quartet[1]&15 != 0 || d.n == 3 && d.quartet[2]&3 != 0
}

// Unpadded is the problem of base64 that is complete except for padding at its end.
const Unpadded = "base64 without all its padding"

type base64Decoder struct {
	raw     []byte
	eol     byte
	tried   int // end of the line that run has tried
	t       *extract.Text
	problem string
	ended   bool // padding was seen
	want    int  // number of "=" that are still to come

	quartet [4]byte // digits of a quartet that a line end or padding interrupts
	n       int
	start   int
}

// run decodes the whole quartets up to the end of the line, except for a quartet with padding. It
// returns the number of encoded bytes that it decoded. That is 0 if pos is within a quartet, or if
// the line holds bytes that are not base64. run decodes straight into Data, which has room for all
// of raw. It tries each line only once, so that time stays linear.
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

// byte handles one byte that is not part of a run.
func (d *base64Decoder) byte(pos int) {
	switch c := d.raw[pos]; {
	case Base64Digit[c] < 64:
		d.digit(pos, Base64Digit[c])
	case c == '=':
		d.pad(pos)
	case c != '\r' && c != '\n' && c != ' ' && c != '\t':
		d.problem = "bytes that are not base64"
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
	d.n++
	if d.n == 4 {
		d.flush(pos + 1)
	}
}

// pad handles an "=". The first one ends a quartet of two or three digits. After two digits, a
// second "=" must follow.
func (d *base64Decoder) pad(pos int) {
	switch {
	case d.n >= 2:
		d.ended = true
		d.want = 3 - d.n
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

// flush decodes the collected digits as one token that ends at end.
func (d *base64Decoder) flush(end int) {
	q, n := d.quartet, d.n
	out := [3]byte{q[0]<<2 | q[1]>>4, q[1]<<4 | q[2]>>2, q[2]<<6 | q[3]}
	d.t.AppendToken(extract.Span{Start: d.start, End: end}, out[:max(n-1, 0)])
	d.quartet, d.n = [4]byte{}, 0
}

// NeverBase64 reports whether raw is text that was never encoded, although it is labelled base64.
// Call it only if the decoding of raw had a problem. raw is text if it has a tag, a colon or a
// blank between words, and no line of base64.
func NeverBase64(raw []byte, _ byte) bool {
	text, first := false, true
	for len(raw) > 0 {
		n := bytes.IndexAny(raw, "\r\n")
		if n < 0 {
			n = len(raw)
		}
		line := bytes.Trim(raw[:n], " \t")
		raw = raw[min(n+1, len(raw)):]
		if len(line) == 0 {
			continue
		}
		if base64Line(line) && (len(line) >= leastLine || first && len(line)%4 == 0) && !isWord(line) {
			return false
		}
		first = false
		text = text || bytes.ContainsAny(line, "<: \t")
	}
	return text
}

// isWord reports whether a line that could be base64 is a word or a number of a text. That is so if
// most neighbouring letters have the same case, as in words, and the line does not decode to text.
func isWord(line []byte) bool {
	if len(line) > longestWord || line[len(line)-1] == '=' {
		return false
	}
	breaks := 0
	for i, c := range line[1:] {
		before, at := class(line[i]), class(c)
		if before != at && !(before == upper && at == lower) {
			breaks++
		}
	}
	if breaks*6 > len(line) {
		return false
	}
	decoded, err := base64.RawStdEncoding.AppendDecode(nil, line)
	return err != nil || !isText(decoded)
}

const longestWord = 40 // letters; an encoder writes longer lines, except for the last line

// Classes of the digits of base64.
const (
	upper = iota
	lower
	number
	sign
)

func class(digit byte) int {
	switch {
	case digit >= 'a':
		return lower
	case digit >= 'A':
		return upper
	case digit >= '0':
		return number
	}
	return sign
}

// isText reports whether b is UTF-8 without control characters.
func isText(b []byte) bool {
	control := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }
	return utf8.Valid(b) && !bytes.ContainsFunc(b, control)
}

// leastLine is the least length of a line that counts as base64, if it could be base64. A tag with
// a link is longer.
const leastLine = 16

// base64Line reports whether a whole line is base64.
func base64Line(line []byte) bool {
	digits := bytes.TrimRight(line, "=")
	return len(line)-len(digits) <= 2 && !bytes.ContainsFunc(digits, func(r rune) bool { return !isBase64(r) })
}

// isBase64 reports whether r is a digit of base64.
func isBase64(r rune) bool { return r < 0x80 && Base64Digit[r] < 64 }

// Base64Digit maps each digit of base64 to its value, and other bytes to 0xff.
var Base64Digit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 64 {
		t["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i]] = byte(i)
	}
	return t
}()
