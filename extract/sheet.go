package extract

import (
	"bytes"

	"absolink/extract/internal/charset"
)

// A style sheet that stands alone is resolved against its own URI, and read as
// the text of a style element is. Its charset is that of its byte order mark, of
// the transport, of its @charset (CSS Syntax Level 3 section 3.2), else UTF-8.

// styleSheet reads the text as a style sheet.
func (f *finder) styleSheet() {
	f.element, f.rel = "", ""
	m := maker{f: f, row: &textPlace, kind: KindRes, layer: f.late, v: f.styleText(f.contentStart(), len(f.data)), sheet: true}
	m.css(false)
	f.sourceMap()
}

// contentStart returns the offset after the byte order mark, if there is one.
func (f *finder) contentStart() int {
	if bytes.HasPrefix(f.data, bomUTF8) {
		return len(bomUTF8)
	}
	return 0
}

// sheetCharset returns the charset that an @charset rule names, nil if there is
// none. The rule must stand at the very beginning, in exactly this form.
func (d *Doc) sheetCharset() *charset.Encoding {
	label, ok := bytes.CutPrefix(d.Data, []byte(`@charset "`))
	if !ok {
		return nil
	}
	n := bytes.IndexByte(label[:min(len(label), maxCharsetRule)], '"')
	if n < 0 || !bytes.HasPrefix(label[n:], []byte(`";`)) {
		return nil
	}
	cs := d.sets.get(label[:n])
	if cs != nil && wideForm(cs) != narrow {
		return d.sets.get(labelUTF8) // the rule could not have been read
	}
	return cs
}

// maxCharsetRule is how many bytes of a style sheet are searched for the end of its @charset.
const maxCharsetRule = 1024

// sourceMapPlace is the row of the comment that names the source map of a sheet.
var sourceMapPlace = Place{Type: TypeURL, Base: BaseDocument, Kind: KindService, Default: ListOnly}

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
	s := Span{start + 2 + at, start + 2 + at + len(url)}
	if f.doc.refs.end() > f.source(s).Start {
		return // no comment, but a part of what is not closed
	}
	m := maker{f: f, row: &sourceMapPlace, kind: KindService, layer: f.late, v: f.nulReplaced(s.Start, s.End), sheet: true}
	m.add(Span{0, len(m.v.bytes)}, blankList)
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
