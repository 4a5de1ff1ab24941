package xml

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Decode decodes references, line ends and the charset between two offsets of the XML text. In an
// attribute value a tab or a line end becomes a blank (section 3.3.3).
func (x *Reader) Decode(start, end int, attr bool) reading.Value {
	f := x.f
	x.dtd.unread = false
	v := f.Same(start, end)
	n := markup.PlainEnd(v.Bytes, 0)
	special := n < len(v.Bytes) && !(v.Bytes[n] >= 0x80 && f.Charset() == nil && reading.IsSame(v.Bytes[n:]))
	if !special && !(attr && bytes.ContainsAny(v.Bytes, "\t\n")) {
		return v
	}
	v = f.Begin(v.Raw)
	v.Broken = x.appendDecoded(start, end, attr)
	return f.Taken(v)
}

// appendDecoded appends the decoded bytes between two offsets to the text of the finder. It reports
// whether some bytes were invalid in the charset.
func (x *Reader) appendDecoded(start, end int, attr bool) (broken bool) {
	f := x.f
	data, t := f.Data[:end], &f.Decoded
	for i := start; i < end; {
		n := 0
		for i+n < end && !specialXML(data[i+n], attr) {
			n++
		}
		if n > 0 {
			t.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		next := i + 1
		switch c := data[i]; {
		case c == '&':
			next = x.appendReference(data, i)
		case c == '\r' && next < end && data[next] == '\n':
			next++
			t.AppendToken(text.Span{Start: i, End: next}, breakXML(attr))
		case c == '\r', c == '\n', c == '\t':
			t.AppendToken(text.Span{Start: i, End: next}, breakXML(attr))
		case c == 0:
			t.AppendToken(text.Span{Start: i, End: next}, reading.Replacement)
		default:
			var char []byte
			var ok bool
			char, next, ok = f.Char(buf[:0], data, i)
			broken = broken || !ok
			t.AppendToken(text.Span{Start: i, End: next}, char)
		}
		i = next
	}
	return broken
}

// specialXML reports whether c needs decoding. A tab does so only in attributes.
func specialXML(c byte, attr bool) bool {
	return c == '&' || c >= 0x80 || c == '\r' || c == 0 || attr && (c == '\n' || c == '\t')
}

func breakXML(attr bool) []byte {
	if attr {
		return []byte(" ")
	}
	return []byte("\n")
}

// appendReference appends the text of the reference at i, which begins with '&', and returns the
// offset after it.
func (x *Reader) appendReference(data []byte, i int) (next int) {
	t := &x.f.Decoded
	out, next, whole, ok := x.dtd.reference(x.dtd.scratch[:0], data, i, 0)
	x.dtd.scratch = out
	switch {
	case !whole:
		x.defect(i)
		t.AppendSame(i, data[i:i+1])
		return i + 1
	case !ok:
		x.dtd.unread, x.dtd.used = true, true
		x.f.Problem(i, reading.UnreadEntity)
		t.AppendToken(text.Span{Start: i, End: next}, data[i:next])
		return next
	}
	if _, n := utf8.DecodeRune(out); n < len(out) {
		x.dtd.used = true
	}
	t.AppendToken(text.Span{Start: i, End: next}, out)
	return next
}
