package reading

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// Same returns the bytes of a span of t.Data unchanged, without a copy.
func (t *Text) Same(start, end int) Value {
	return Value{Bytes: t.Data[start:end], start: start, Raw: text.Span{Start: start, End: end}}
}

// Begin begins a value that is decoded from a span of t.Data by appending to t.Decoded. Earlier
// values stay in use, but lose their map.
func (t *Text) Begin(raw text.Span) Value {
	return Value{start: text.Begin(&t.Decoded), mapped: true, Raw: raw}
}

// Taken returns v with all bytes that were appended to t.Decoded since its Begin. No other value
// may have begun since then.
func (t *Text) Taken(v Value) Value {
	v.Bytes = t.Decoded.Data[v.start:len(t.Decoded.Data):len(t.Decoded.Data)]
	return v
}

// Span returns the span of t.Data for a span of v.
func (t *Text) Span(v *Value, s text.Span) text.Span {
	switch {
	case !v.mapped:
		return text.Span{Start: v.start + s.Start, End: v.start + s.End}
	case len(v.Bytes) == 0:
		return v.Raw
	case s.Start == len(v.Bytes):
		return text.Span{Start: v.Raw.End, End: v.Raw.End}
	}
	return t.Decoded.Raw(text.Span{Start: v.start + s.Start, End: v.start + s.End})
}

// AttrValue decodes the value of an attribute. It copies nothing if the value is literal.
func (t *Text) AttrValue(a *markup.Attr) Value {
	if a.Plain && t.Rules == nil {
		return t.Same(a.Start, a.End)
	}
	return t.Decode(a.Start, a.End, true)
}

// AttrBytes returns the bytes of AttrValue, which are valid as long as those.
func (t *Text) AttrBytes(a *markup.Attr) []byte {
	if a.Plain && t.Rules == nil {
		return t.Data[a.Start:a.End]
	}
	return t.Decode(a.Start, a.End, true).Bytes
}

// Decode decodes character references, line ends and the charset between two offsets of t.Data.
// attr selects the rules for attribute values; otherwise the rules for text apply. It copies
// nothing if the bytes are literal.
func (t *Text) Decode(start, end int, attr bool) Value {
	if t.Rules != nil && t.Outer == nil {
		return t.Rules.Decode(start, end, attr)
	}
	v := t.Same(start, end)
	n := markup.PlainEnd(t.Data[:end], start) - start
	if n == len(v.Bytes) || v.Bytes[n] >= 0x80 && t.Charset() == nil && IsSame(v.Bytes[n:]) {
		return v
	}
	v = t.Begin(v.Raw)
	v.Broken = t.AppendDecoded(start, end, attr)
	return t.Taken(v)
}

// Text decodes text without character references. It copies nothing if the text is UTF-8.
func (t *Text) Text(start, end int) Value {
	v := t.Same(start, end)
	if text.IsASCII(v.Bytes) || t.Charset() == nil && utf8.Valid(v.Bytes) {
		return v
	}
	v = t.Begin(v.Raw)
	v.Broken = t.AppendCharset(start, end)
	return t.Taken(v)
}

// Style returns style sheet text without character references. Text that is declared as UTF-8 stays
// unchanged: invalid bytes neither begin nor end a URL.
func (t *Text) Style(start, end int) Value {
	if t.Doc.named != nil && t.Charset() == nil {
		return t.Same(start, end)
	}
	return t.Text(start, end)
}

// RawText decodes text and replaces NUL by U+FFFD, as in raw text elements (HTML 13.2.5.3–4) and
// style sheets (CSS Syntax Level 3 section 3.3).
func (t *Text) RawText(start, end int) Value {
	if bytes.IndexByte(t.Data[start:end], 0) < 0 {
		return t.Text(start, end)
	}
	v := t.Begin(text.Span{Start: start, End: end})
	for i := start; i < end; i++ {
		n := bytes.IndexByte(t.Data[i:end], 0)
		if n < 0 {
			n = end - i
		}
		v.Broken = t.AppendCharset(i, i+n) || v.Broken
		i += n
		if i < end {
			t.Decoded.AppendToken(text.Span{Start: i, End: i + 1}, Replacement)
		}
	}
	return t.Taken(v)
}

// Char appends the character at data[i], whose first byte is not ASCII, to dst, and returns the
// offset after it. ok is false if U+FFFD replaces an invalid sequence. data must be a prefix of
// t.Data. If it is shorter, an ASCII byte must follow that cannot continue a character.
func (t *Text) Char(dst, data []byte, i int) (out []byte, next int, ok bool) {
	return t.Charset().Append(dst, data, i, len(data) == len(t.Data))
}

// AppendCharset appends the bytes between two offsets to t.Decoded. It decodes only the charset,
// and reports whether some bytes were invalid.
func (t *Text) AppendCharset(start, end int) (broken bool) {
	data := t.Data[:end]
	for i := start; i < end; {
		if n := text.ASCIILength(data[i:]); n > 0 {
			t.Decoded.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		char, next, ok := t.Char(buf[:0], data, i)
		broken = broken || !ok
		t.Decoded.AppendToken(text.Span{Start: i, End: next}, char)
		i = next
	}
	return broken
}

// AppendDecoded decodes the bytes between two offsets and appends them to t.Decoded. It reports
// whether some bytes were invalid in the charset.
func (t *Text) AppendDecoded(start, end int, attr bool) (broken bool) {
	data, d := t.Data[:end], &t.Decoded
	for i := start; i < end; {
		if n := markup.PlainEnd(data, i); n > i {
			d.AppendSame(i, data[i:n])
			i = n
			continue
		}
		var buf [8]byte
		char, next := buf[:0], i+1
		switch c := data[i]; {
		case c == '&' && bytes.HasPrefix(data[next:], ampersand):
			char, next = append(char, '&'), next+len(ampersand)
		case c == '&':
			char, next = markup.AppendReference(char, data, i, attr)
			if next == i+1 {
				d.AppendSame(i, data[i:next]) // it does not begin a reference
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
			char, next, ok = t.Char(char, data, i)
			broken = broken || !ok
		}
		d.AppendToken(text.Span{Start: i, End: next}, char)
		i = next
	}
	return broken
}

// ampersand follows the '&' of nearly all references in URLs.
var ampersand = []byte("amp;")

// IsSame reports whether b is literal UTF-8.
func IsSame(b []byte) bool {
	return bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, 0) < 0 && utf8.Valid(b)
}

// valid returns v with U+FFFD for bytes that are not UTF-8.
func (t *Text) valid(v []byte) []byte {
	d := &t.Decoded.Data
	start := len(*d)
	for i := 0; i < len(v); {
		*d, i, _ = charset.AppendUTF8(*d, v, i)
	}
	return (*d)[start:len(*d):len(*d)]
}
