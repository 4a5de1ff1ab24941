package lines

import (
	"bytes"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract/internal/place"
	search "absolink/extract/internal/prose"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// A heading consists of the header fields of a message or response. A table of package place lists
// the fields with references. The heading is a document of its own: its references are resolved
// against the base that the heading itself sets, never against a BASE element of the body. They are
// only listed: no edit touches a heading.
//
// A value is first unfolded, with a map back. The row of the field in the table says how the value
// is cut.

// Heading reads the text as header fields. It skips lines without a colon and never fails.
func Heading(t *reading.Text) {
	t.Element = "header"
	eol := byte('\n')
	if bytes.IndexByte(t.Data, eol) < 0 {
		eol = '\r'
	}
	for i := 0; i < len(t.Data); {
		end := fieldEnd(t.Data, i, eol)
		readField(t, i, end)
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

// readField reads the field between two offsets, if the table has it.
func readField(t *reading.Text, start, end int) {
	colon := bytes.IndexByte(t.Data[start:end], ':')
	if colon < 0 {
		return
	}
	name := t.Data[start : start+colon]
	if colon > 0 && (ascii.Space.Has(name[0]) || ascii.Space.Has(name[colon-1])) {
		name = bytes.Trim(name, " \t")
	}
	if !place.MayBeField(name) {
		return
	}
	var buf [place.LongestName]byte
	name = text.AppendLower(buf[:0], name)
	if string(name) == "content-type" && !mayBeMessage(t.Data[start+colon+1:end]) {
		return
	}
	row := place.Field(name)
	if row == nil {
		return
	}
	v := unfoldField(t, text.Trimmed(t.Data, text.Span{Start: start + colon + 1, End: end}), row.Type)
	m := reading.Maker{Text: t, Row: row, Attr: t.Doc.Intern(name),
		Kind: row.Kind, Layer: fieldLayer(row.Base), Value: v, Sheet: true}
	if row.Type == place.TypeText || row.Type == place.TypeAddress && isSentence(v.Bytes) {
		m.Prose()
		return
	}
	m.Cut(row.Type)
}

// isSentence reports whether a field that should hold one URL holds more text: words before the
// URL, as in "see http://a.example/", or several URLs, as in "http://a.example/,
// http://b.example/". A fold alone does not separate two URLs, because it may be within one URL.
func isSentence(value []byte) bool {
	field := base.Layer{Source: base.ContentLocation, Value: string(value)}
	start, end := field.Bounds()
	if start >= end {
		return false
	}
	value = value[start:end]
	before := -1 // end of the first URL
	for u := range search.Find(value, false) {
		if before >= 0 {
			return !isFold(value[before:u.Start])
		}
		if bytes.ContainsAny(value[:u.Start], " \t") {
			return true
		}
		before = u.End
	}
	return false
}

// isFold reports whether b is the end of a line and the blanks of the next one.
func isFold(b []byte) bool {
	return bytes.IndexByte(b, '\n') >= 0 && len(bytes.TrimLeft(b, " \t\n")) == 0
}

// mayBeMessage reports whether a Content-Type may be message/external-body, as far as its first
// letter shows. No other type has a reference.
func mayBeMessage(value []byte) bool {
	for _, c := range value {
		if !ascii.Space.Has(c) {
			return c|0x20 == 'm' || c > '~' || c < ' '
		}
	}
	return false
}

// fieldLayer returns the number of the layer that is the base of the references in a field.
func fieldLayer(b place.BaseRule) int {
	switch b {
	case place.BaseNone:
		return ref.NoLayer
	case place.BaseEntity:
		return ref.EntityLayer
	case place.BaseContent:
		return ref.ContentLayer
	}
	return ref.OuterLayer
}

// unfoldField unfolds the value of a field. It removes line ends, or replaces them by LF if the
// folds matter, as they do for comments. It decodes encoded words if fields of the type may have
// them. A value that is not UTF-8 is read as Latin-1, the original charset of HTTP.
func unfoldField(t *reading.Text, s text.Span, typ place.ValueType) reading.Value {
	latin := t.Doc.Transport == "" && !utf8.Valid(t.Data[s.Start:s.End])
	u := unfolder{t: t, keepBlanks: true, keepFolds: typ == place.TypeCleaned ||
		typ == place.TypeAddress, latin1: latin, encodedWords: typ.Encoded()}
	return u.decode(s)
}
