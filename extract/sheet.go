package extract

import (
	"bytes"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// A style sheet that stands alone is resolved against its own URI, and read as
// the text of a style element is. Its charset is that of its byte order mark, of
// the transport, of its @charset (CSS Syntax Level 3 section 3.2), else UTF-8.

// styleSheet reads the text as a style sheet.
func (f *finder) styleSheet() {
	f.element, f.rel = "", ""
	m := maker{f: f, row: place.Style, kind: place.KindRes, layer: f.late, v: f.styleText(f.contentStart(), len(f.data)), sheet: true}
	f.cut(place.TypeSheet, &m)
	f.sourceMap()
}

// contentStart returns the offset after the byte order mark, if there is one.
func (f *finder) contentStart() int {
	if form, n := charset.Mark(f.data); form == charset.UTF8 {
		return n
	}
	return 0
}

// sourceMap adds the URL of a comment that ends the sheet and names its source
// map (ECMA-426, "CSSExtractSourceMapURL").
func (f *finder) sourceMap() {
	end := len(bytes.TrimRight(f.data, "\t\n\f\r "))
	body, ok := bytes.CutSuffix(f.data[:end], []byte("*/"))
	if !ok {
		return
	}
	start := bytes.LastIndex(body, []byte("/*"))
	if start < 0 {
		return
	}
	url, at := sourceMapURL(body[start+2:])
	if at < 0 {
		return
	}
	s := text.Span{Start: start + 2 + at, End: start + 2 + at + len(url)}
	if f.doc.refs.End() > f.source(s).Start {
		return // no comment, but a part of what is not closed
	}
	m := maker{f: f, row: place.SourceMap, kind: place.KindService, layer: f.late, v: f.nulReplaced(s.Start, s.End), sheet: true}
	m.add(text.Span{Start: 0, End: len(m.v.bytes)}, escape.Blanks)
}

// sourceMapURL returns the URL in the text of a comment, and where it begins
// there, -1 if there is none.
func sourceMapURL(comment []byte) (url []byte, at int) {
	rest := comment
	if len(rest) == 0 || rest[0] != '#' && rest[0] != '@' {
		return nil, -1
	}
	rest = bytes.TrimLeft(rest[1:], "\t\n\f\r ")
	rest, ok := bytes.CutPrefix(rest, []byte("sourceMappingURL="))
	url = bytes.TrimRight(rest, "\t\n\f\r ")
	if !ok || len(url) == 0 || bytes.ContainsAny(url, "\"'\t\n\f\r ") {
		return nil, -1
	}
	return url, len(comment) - len(rest)
}
