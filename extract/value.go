package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
)

// value is a decoded attribute value or piece of text.
type value struct {
	bytes  []byte
	start  int // offset of bytes in the finder's data, or in its text if mapped
	mapped bool
	raw    Span // in the finder's data
	broken bool // some bytes were not of the charset
}

// value decodes the attribute value between two offsets of f.data.
func (f *finder) value(start, end int) value { return f.decode(start, end, true) }

// decode decodes character references, by the rules for attribute values or for
// text, line ends and the charset between two offsets of f.data.
func (f *finder) decode(start, end int, attr bool) value {
	if f.xmlDoc != nil && f.outer == nil {
		return f.xmlDoc.decode(start, end, attr)
	}
	v := value{bytes: f.data[start:end], start: start, raw: Span{start, end}}
	n := markup.PlainLength(v.bytes)
	if n == len(v.bytes) || v.bytes[n] >= 0x80 && f.charset() == nil && isClean(v.bytes[n:]) {
		return v
	}
	f.text.runs = f.text.runs[:0]
	v.start, v.mapped = len(f.text.Data), true
	v.broken = f.appendDecoded(start, end, attr)
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// span returns the span of f.data for a span of v.
func (f *finder) span(v *value, s Span) Span {
	switch {
	case !v.mapped:
		return Span{v.start + s.Start, v.start + s.End}
	case len(v.bytes) == 0:
		return v.raw
	case s.Start == len(v.bytes):
		return Span{v.raw.End, v.raw.End}
	}
	return f.text.Raw(Span{v.start + s.Start, v.start + s.End})
}

// charset returns the charset of f.data, nil if it is UTF-8.
func (f *finder) charset() *charset.Encoding {
	if f.outer != nil || f.doc.charset().Form == charset.UTF8 || f.doc.whole.mapped {
		return nil
	}
	return f.doc.charset()
}

// appendDecoded appends the bytes between two offsets to f.text, decoded, and
// reports whether some were not of the charset.
func (f *finder) appendDecoded(start, end int, attr bool) (broken bool) {
	data, t := f.data[:end], &f.text
	t.mapped = true
	for i := start; i < end; {
		n := markup.PlainLength(data[i:end])
		if n > 0 {
			t.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		text, next := buf[:0], i+1
		switch c := data[i]; {
		case c == '&' && bytes.HasPrefix(data[next:], ampersand):
			text, next = append(text, '&'), next+len(ampersand)
		case c == '&':
			if text, next = markup.AppendReference(text, data, i, attr); next == i+1 {
				t.AppendSame(i, data[i:next]) // it begins no reference
				i = next
				continue
			}
		case c == '\r':
			text = append(text, '\n')
			if next < end && data[next] == '\n' {
				next++
			}
		case c == 0:
			text = utf8.AppendRune(text, utf8.RuneError)
		default:
			var ok bool
			text, next, ok = f.char(text, data, i)
			broken = broken || !ok
		}
		t.AppendToken(Span{i, next}, text)
		i = next
	}
	return broken
}

const highs = 0x8080808080808080

// ampersand is what follows the '&' of nearly all references in URLs.
var ampersand = []byte("amp;")

// isClean reports whether b is UTF-8 that stands for itself.
func isClean(b []byte) bool {
	return bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, 0) < 0 && utf8.Valid(b)
}
