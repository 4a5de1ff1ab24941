package lines

import (
	"bytes"

	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Plain text has URIs between delimiters or blanks (RFC 3986 Appendix C, RFC 2396 Appendix E). All
// of them are absolute: a missing part is never guessed. The references are only listed, but a move
// may change the start of a URI, or the whole URI.
//
// Text with flowing lines (RFC 3676) is decoded first. Quote marks and stuffed blanks at the start
// of lines are removed. With delsp a soft line break is removed together with its blank, so a URI
// that was broken over lines is whole again.

// Plain reads the text as plain text with fixed lines.
func Plain(t *reading.Text) {
	addProse(t, t.Text(t.Start(), len(t.Data)))
}

// Table reads the text as a table whose fields end at commas (RFC 4180).
func Table(t *reading.Text) {
	m := maker(t, t.Text(t.Start(), len(t.Data)))
	m.Fields()
}

// Flowed reads the text as plain text with flowing lines. delSp means delsp=yes.
func Flowed(t *reading.Text, delSp bool) {
	start := t.Start()
	v := t.Begin(text.Span{Start: start, End: len(t.Data)})
	w := flowedText{t: t, delSp: delSp}
	w.appendLines(start)
	v.Broken = w.broken
	addProse(t, t.Taken(v))
}

// addProse adds the URIs in v, which is running text.
func addProse(t *reading.Text, v reading.Value) {
	m := maker(t, v)
	m.Prose()
}

// maker returns a maker of references in v, which is text.
func maker(t *reading.Text, v reading.Value) reading.Maker {
	return reading.Maker{Text: t, Row: place.Plain, Kind: place.KindNav, Layer: t.Current, Value: v, Sheet: true}
}

// flowedText decodes flowing lines.
type flowedText struct {
	t          *reading.Text
	delSp      bool
	broken     bool
	prevQuotes int  // number of quote marks of the previous line
	prevSoft   bool // the previous line ends with a soft line break
}

// appendLines appends the lines from an offset on to w.t.Decoded.
func (w *flowedText) appendLines(i int) {
	data := w.t.Data
	for i < len(data) {
		end, next := lineEnd(data, i)
		w.appendLine(i, end, next)
		i = next
	}
}

// appendLine appends one line (RFC 3676 Sections 4.3 and 4.4).
func (w *flowedText) appendLine(start, end, next int) {
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
	if w.prevSoft && (quotes != w.prevQuotes || signature) {
		// this line does not continue the previous one, although that ended with a soft line break
		w.t.Decoded.AppendToken(text.Span{Start: start, End: start}, []byte{'\n'})
	}
	w.prevQuotes = quotes
	w.prevSoft = bytes.HasSuffix(line, []byte(" ")) && !signature
	if w.prevSoft && w.delSp {
		end--
	}
	w.broken = w.t.AppendCharset(start, end) || w.broken
	if !w.prevSoft && next > end {
		w.t.Decoded.AppendToken(text.Span{Start: end, End: next}, []byte{'\n'})
	}
}
