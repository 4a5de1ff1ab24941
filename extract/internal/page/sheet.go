package page

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// A style sheet file is resolved against its own URI and read like the text of a style element. Its
// charset comes from its byte order mark, from the transport, or from its @charset (CSS Syntax
// Level 3 section 3.2). The default is UTF-8.

// Sheet reads the text as a style sheet. It skips everything that is not CSS and never fails.
func Sheet(t *reading.Text) {
	m := reading.Maker{Text: t, Row: place.Style, Kind: place.KindRes,
		Layer: t.Current, Value: t.Style(t.Start(), len(t.Data)), Sheet: true}
	m.Cut(place.TypeSheet)
	sourceMap(t)
}

// sourceMap adds the URL of the source map that a comment at the end of the sheet names (ECMA-426,
// "CSSExtractSourceMapURL").
func sourceMap(t *reading.Text) {
	end := len(bytes.TrimRight(t.Data, "\t\n\f\r "))
	body, ok := bytes.CutSuffix(t.Data[:end], []byte("*/"))
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
	if t.Doc.Refs.End() > t.Source(s).Start {
		return // not a comment, but a part of a token that is not closed
	}
	m := reading.Maker{Text: t, Row: place.SourceMap, Kind: place.KindService,
		Layer: t.Current, Value: t.RawText(s.Start, s.End), Sheet: true}
	m.Add(m.Value.Whole(), escape.Map)
}

// sourceMapURL returns the URL in the text of a comment and its offset in the comment. at is -1
// without a URL.
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
