package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// decoded is an attribute value or a piece of text, decoded.
type decoded struct {
	bytes  []byte
	start  int // offset of bytes in the finder's data, or in its text if mapped
	mapped bool
	raw    text.Span // in the finder's data
	broken bool      // some bytes were not of the charset
}

// value decodes the value of an attribute.
func (f *finder) value(a *markup.Attr) decoded {
	if a.Plain && f.xmlDoc == nil {
		return decoded{bytes: f.data[a.Start:a.End], start: a.Start, raw: text.Span{Start: a.Start, End: a.End}}
	}
	return f.decode(a.Start, a.End, true)
}

// begin begins a value that is decoded from the bytes of a span of f.data. What was
// decoded before stays in use, but has no map any more.
func (f *finder) begin(raw text.Span) decoded {
	return decoded{start: text.Begin(&f.text), mapped: true, raw: raw}
}

// taken returns v, which was begun last, with all that was appended to f.text since.
func (f *finder) taken(v decoded) decoded {
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// decode decodes character references, by the rules for attribute values or for
// text, line ends and the charset between two offsets of f.data.
func (f *finder) decode(start, end int, attr bool) decoded {
	if f.xmlDoc != nil && f.outer == nil {
		return f.xmlDoc.decode(start, end, attr)
	}
	v := decoded{bytes: f.data[start:end], start: start, raw: text.Span{Start: start, End: end}}
	n := markup.PlainEnd(f.data[:end], start) - start
	if n == len(v.bytes) || v.bytes[n] >= 0x80 && f.charset() == nil && isClean(v.bytes[n:]) {
		return v
	}
	v = f.begin(v.raw)
	v.broken = f.appendDecoded(start, end, attr)
	return f.taken(v)
}

// sheetText decodes text without character references.
func (f *finder) sheetText(start, end int) decoded {
	v := decoded{bytes: f.data[start:end], start: start, raw: text.Span{Start: start, End: end}}
	if text.IsASCII(v.bytes) || f.charset() == nil && utf8.Valid(v.bytes) {
		return v
	}
	v = f.begin(v.raw)
	v.broken = f.appendCharset(start, end)
	return f.taken(v)
}

// nulReplaced decodes text in which NUL is U+FFFD: that of raw text elements (HTML
// 13.2.5.3–4) and style sheets (CSS Syntax Level 3 section 3.3).
func (f *finder) nulReplaced(start, end int) decoded {
	if bytes.IndexByte(f.data[start:end], 0) < 0 {
		return f.sheetText(start, end)
	}
	v := f.begin(text.Span{Start: start, End: end})
	for i := start; i < end; i++ {
		n := bytes.IndexByte(f.data[i:end], 0)
		if n < 0 {
			n = end - i
		}
		v.broken = f.appendCharset(i, i+n) || v.broken
		if i += n; i < end {
			f.text.AppendToken(text.Span{Start: i, End: i + 1}, replacement)
		}
	}
	return f.taken(v)
}

// span returns the span of f.data for a span of v.
func (f *finder) span(v *decoded, s text.Span) text.Span {
	switch {
	case !v.mapped:
		return text.Span{Start: v.start + s.Start, End: v.start + s.End}
	case len(v.bytes) == 0:
		return v.raw
	case s.Start == len(v.bytes):
		return text.Span{Start: v.raw.End, End: v.raw.End}
	}
	return f.text.Raw(text.Span{Start: v.start + s.Start, End: v.start + s.End})
}

// charset returns the charset of f.data, nil if it is UTF-8.
func (f *finder) charset() *charset.Encoding {
	if f.outer != nil || f.doc.charset().Form == charset.UTF8 || !f.doc.whole.Identity() {
		return nil
	}
	return f.doc.charset()
}

// char appends the character at data[i], a byte that is not ASCII, to dst, and returns
// the offset after it; ok is false where U+FFFD stands for what is none. data begins as
// f.data does, and nothing of ASCII that follows it goes on with a character.
func (f *finder) char(dst, data []byte, i int) (out []byte, next int, ok bool) {
	return f.charset().Append(dst, data, i, len(data) == len(f.data))
}

// appendCharset appends the bytes between two offsets to f.text, decoded from
// the charset only, and reports whether some were not of it.
func (f *finder) appendCharset(start, end int) (broken bool) {
	data := f.data[:end]
	for i := start; i < end; {
		if n := text.ASCIILength(data[i:]); n > 0 {
			f.text.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		char, next, ok := f.char(buf[:0], data, i)
		broken = broken || !ok
		f.text.AppendToken(text.Span{Start: i, End: next}, char)
		i = next
	}
	return broken
}

// appendDecoded appends the bytes between two offsets to f.text, decoded, and
// reports whether some were not of the charset.
func (f *finder) appendDecoded(start, end int, attr bool) (broken bool) {
	data, t := f.data[:end], &f.text
	for i := start; i < end; {
		if n := markup.PlainEnd(data, i); n > i {
			t.AppendSame(i, data[i:n])
			i = n
			continue
		}
		var buf [8]byte
		char, next := buf[:0], i+1
		switch c := data[i]; {
		case c == '&' && bytes.HasPrefix(data[next:], ampersand):
			char, next = append(char, '&'), next+len(ampersand)
		case c == '&':
			if char, next = markup.AppendReference(char, data, i, attr); next == i+1 {
				t.AppendSame(i, data[i:next]) // it begins no reference
				i = next
				continue
			}
		case c == '\r':
			char = append(char, '\n')
			if next < end && data[next] == '\n' {
				next++
			}
		case c == 0:
			char = utf8.AppendRune(char, utf8.RuneError)
		default:
			var ok bool
			char, next, ok = f.char(char, data, i)
			broken = broken || !ok
		}
		t.AppendToken(text.Span{Start: i, End: next}, char)
		i = next
	}
	return broken
}

// ampersand is what follows the '&' of nearly all references in URLs.
var ampersand = []byte("amp;")

// isClean reports whether b is UTF-8 that stands for itself.
func isClean(b []byte) bool {
	return bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, 0) < 0 && utf8.Valid(b)
}
