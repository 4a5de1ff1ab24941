package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The header fields of messages and responses whose values hold references. A
// heading is a document of its own, since what stands in it is resolved against
// the base that the heading itself gives, never against a BASE element of the
// body. Its references are listed only: no edit touches a heading.
//
// A value is unfolded first, with a map back; what a field makes of it is a row
// of the table.

// heading reads the text as header fields.
func (f *finder) heading() {
	f.element, f.rel = "header", ""
	eol := byte('\n')
	if bytes.IndexByte(f.data, eol) < 0 {
		eol = '\r'
	}
	for i := 0; i < len(f.data); {
		end := fieldEnd(f.data, i, eol)
		f.field(i, end)
		i = end
	}
}

// fieldEnd returns the offset after the field at i and its continuation lines.
func fieldEnd(data []byte, i int, eol byte) int {
	for {
		n := bytes.IndexByte(data[i:], eol)
		if n < 0 {
			return len(data)
		}
		i += n + 1
		if i == len(data) || data[i] != ' ' && data[i] != '\t' {
			return i
		}
	}
}

// field reads the field between two offsets, if the table has it.
func (f *finder) field(start, end int) {
	colon := bytes.IndexByte(f.data[start:end], ':')
	if colon < 0 {
		return
	}
	name := f.data[start : start+colon]
	if colon > 0 && (text.IsBlank(name[0]) || text.IsBlank(name[colon-1])) {
		name = bytes.Trim(name, " \t")
	}
	if !place.MayBeField(name) {
		return
	}
	var buf [place.LongestName]byte
	name = text.AppendLower(buf[:0], name)
	if string(name) == "content-type" && !mayBeMessage(f.data[start+colon+1:end]) {
		return
	}
	row := place.Field(name)
	if row == nil {
		return
	}
	v := f.unfolded(text.Trimmed(f.data, text.Span{Start: start + colon + 1, End: end}))
	m := maker{f: f, row: row, attr: f.doc.intern(name), kind: row.Kind, layer: fieldLayer(row.Base), v: v, sheet: true}
	f.cut(row.Type, &m)
}

// mayBeMessage reports whether a Content-Type may be message/external-body, by its first
// letter: most are not, and no other one has a reference.
func mayBeMessage(value []byte) bool {
	for _, c := range value {
		if !text.IsBlank(c) {
			return c|0x20 == 'm' || c > '~' || c < ' '
		}
	}
	return false
}

// fieldLayer returns the number of the layer that a field is resolved against.
func fieldLayer(b place.BaseRule) int {
	switch b {
	case place.BaseNone:
		return ref.NoLayer
	case place.BaseEntity:
		return ref.EntityLayer
	}
	return ref.OuterLayer
}

// unfolded decodes the value of a field: its line ends go. One that is not in UTF-8 is in
// Latin-1, in which HTTP was defined.
func (f *finder) unfolded(s text.Span) decoded {
	v := f.begin(s)
	latin := f.doc.Charset == "" && !utf8.Valid(f.data[s.Start:s.End])
	for i := s.Start; i < s.End; {
		n := bytes.IndexAny(f.data[i:s.End], "\r\n")
		if n < 0 {
			n = s.End - i
		}
		if latin {
			f.appendLatin(i, i+n)
		} else {
			v.broken = f.appendCharset(i, i+n) || v.broken
		}
		for i += n; i < s.End && (f.data[i] == '\r' || f.data[i] == '\n'); i++ {
		}
	}
	return f.taken(v)
}

// appendLatin appends the bytes between two offsets to f.text, decoded from Latin-1.
func (f *finder) appendLatin(start, end int) {
	for i := start; i < end; {
		if n := text.ASCIILength(f.data[i:end]); n > 0 {
			f.text.AppendSame(i, f.data[i:i+n])
			i += n
			continue
		}
		f.text.AppendToken(text.Span{Start: i, End: i + 1}, utf8.AppendRune(nil, rune(f.data[i])))
		i++
	}
}
