package lines

import (
	"bytes"

	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Plain text has URIs between delimiters or blanks (RFC 3986 Appendix C, RFC 2396 Appendix E). All
// of them are absolute. The reader never guesses a missing part. The references are only listed,
// but a move may change the start of a URI, or all of it.
//
// Text with flowing lines (RFC 3676) is decoded first. Quote marks and stuffed blanks at the start
// of lines are removed. With delsp a soft line break is removed together with its blank, which
// joins a URI that was broken over lines.

// Plain reads the text as plain text with fixed lines.
func Plain(t *reading.Text) {
	prose(t, t.Text(t.Start(), len(t.Data)))
}

// Flowed reads the text as plain text with flowing lines. tight means delsp=yes.
func Flowed(t *reading.Text, tight bool) {
	start := t.Start()
	v := t.Begin(text.Span{Start: start, End: len(t.Data)})
	w := flowing{t: t, tight: tight}
	w.lines(start)
	v.Broken = w.broken
	prose(t, t.Taken(v))
}

// prose adds the URIs in v, which is running text.
func prose(t *reading.Text, v reading.Value) {
	m := reading.Maker{Text: t, Row: place.Plain, Kind: place.KindNav, Layer: t.Current, Value: v, Sheet: true}
	m.Prose()
}

// flowing decodes flowing lines.
type flowing struct {
	t      *reading.Text
	tight  bool
	broken bool
	quotes int  // number of quote marks of the previous line
	soft   bool // the previous line ends with a soft line break
}

// lines appends the lines from an offset on to w.t.Decoded.
func (w *flowing) lines(i int) {
	data := w.t.Data
	for i < len(data) {
		end, next := lineEnd(data, i)
		w.line(i, end, next)
		i = next
	}
}

// line appends one line (RFC 3676 Sections 4.3 and 4.4).
func (w *flowing) line(start, end, next int) {
	data := w.t.Data
	quotes := 0
	for start < end && data[start] == '>' {
		start++
		quotes++
	}
	if start < end && data[start] == ' ' {
		start++
	}
	line := data[start:end]
	signature := bytes.Equal(line, []byte("-- "))
	if w.soft && (quotes != w.quotes || signature) {
		// nothing continues the line before the soft break
		w.t.Decoded.AppendToken(text.Span{Start: start, End: start}, []byte{'\n'})
	}
	w.quotes = quotes
	w.soft = bytes.HasSuffix(line, []byte(" ")) && !signature
	if w.soft && w.tight {
		end--
	}
	w.broken = w.t.AppendCharset(start, end) || w.broken
	if !w.soft && next > end {
		w.t.Decoded.AppendToken(text.Span{Start: end, End: next}, []byte{'\n'})
	}
}
