package extract

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/css"
	"absolink/extract/internal/markup"
)

// maybeCSS reports whether a style attribute can hold a URL: each stands in a
// function, whose bracket may be written as a character reference.
func maybeCSS(raw []byte) bool {
	return bytes.IndexByte(raw, '(') >= 0 || bytes.IndexByte(raw, '&') >= 0
}

// css adds the URLs of the value, a list of declarations or a style sheet. CSS
// gives the parser of URLs no charset (CSS Values 4, 4.5.4), and browsers write
// queries in UTF-8; but Chromium takes that of the document for the url() of a
// style element, and so do we.
func (m *maker) css(declarations bool) {
	s, first := &m.f.css, m.f.doc.refs.len()
	for s.Reset(m.v.bytes, declarations); s.Next(); {
		r := m.token(Span{s.Start, s.End}, s.Quote)
		r.utf8 = r.utf8 || declarations || s.Context == css.Import
		if s.Escaped {
			r.Value = m.f.unescaped(r.Value, s.Quote != 0)
		}
		if s.Context == css.Namespace || s.Context == css.Document {
			r.Identifier, r.Kind = true, KindIdentifier
		}
	}
	if m.f.doc.Options.Scripts {
		m.loaders(first)
	}
}

// token records the URL in a token of CSS.
func (m *maker) token(s Span, quote byte) *Ref {
	r := m.add(s, single)
	if r.place.token, r.place.inner = cssToken, quote; r.place.bare == bareWhole {
		r.place.bare = barePart
	}
	if !utf8.Valid(r.Value) {
		r.Value, r.broken = m.f.validated(r.Value), true
	}
	if m.f.splits(&m.v, s) {
		m.f.doc.problem(r.Start, "split-reference")
		r.ListOnly = true // an edit would take the tag away, and </form> and </body> mean something
	}
	return r
}

// loaders adds the pictures of the filters of old browsers, as in
// progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x'), among the URLs of the
// value, the references from first on.
func (m *maker) loaders(first int) {
	b, open := m.v.bytes, false
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte("AlphaImageLoader("))
		if n < 0 {
			break
		}
		n += len("AlphaImageLoader(")
		open = commented(b[i:i+n], open)
		i += n
		if s, quote := loaderSource(b, i); quote != 0 && !open {
			m.token(s, quote)
		}
	}
	m.f.doc.refs.sort(first)
}

// longestLoader is how far the arguments of a loader are read.
const longestLoader = 4096

// loaderSource returns the string that src is in the arguments at i, and its quote, 0
// if there is none without escapes.
func loaderSource(b []byte, i int) (s Span, quote byte) {
	end := bytes.IndexByte(b[i:min(len(b), i+longestLoader)], ')')
	if end < 0 {
		return s, 0
	}
	n := bytes.Index(bytes.ToLower(b[i:i+end]), []byte("src"))
	if n < 0 {
		return s, 0
	}
	i = skipBlank(b, i+n+len("src"))
	if b[i] != '=' {
		return s, 0
	}
	if i = skipBlank(b, i+1); i == len(b) || b[i] != '"' && b[i] != '\'' {
		return s, 0
	}
	n = bytes.IndexByte(b[i+1:], b[i])
	if n < 0 || bytes.ContainsAny(b[i+1:i+1+n], "\\\n\r\f") {
		return s, 0
	}
	return Span{i + 1, i + 1 + n}, b[i]
}

// commented reports whether b ends inside of a comment, where open says so of its start.
func commented(b []byte, open bool) bool {
	from, to := bytes.LastIndex(b, []byte("/*")), bytes.LastIndex(b, []byte("*/"))
	if from == to {
		return open
	}
	return from > to
}

// unescaped returns the value of a CSS string or url() with escapes.
func (f *finder) unescaped(v []byte, inString bool) []byte {
	t := &f.text.Data
	start := len(*t)
	*t = css.AppendUnescaped(*t, v, inString)
	return (*t)[start:len(*t):len(*t)]
}

// styleTag notes what the text of the style element that begins will be.
func (f *finder) styleTag() {
	f.sheetSkip = false
	if a := f.attribute(attrType); a != nil {
		t := bytes.TrimSpace(f.value(a.Start, a.End).bytes)
		f.sheetSkip = len(t) > 0 && !bytes.EqualFold(t, []byte("text/css"))
	}
	if f.scan.Space != markup.HTML && !f.scan.SelfClosing && !f.sheetSkip {
		f.svgStyle, f.svgDepth, f.svgDropped = f.scan.End, f.scan.ForeignDepth(), f.svgDropped[:0]
		f.scan.Only, f.scan.Filter = 0, nil // any token ends a piece of its text
	}
}

// rawText looks at the text of a raw text element.
func (f *finder) rawText() {
	s := &f.scan
	switch name := f.data[s.NameStart:s.NameEnd]; {
	case isFold(name, "script"):
		f.scriptText()
	case isFold(name, "style") && !f.sheetSkip:
		f.sheet(f.styleText(s.TextStart, s.TextEnd), true)
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// sheet adds the URLs of the text of a style element; raw says that it has no
// character references.
func (f *finder) sheet(v value, raw bool) {
	f.element, f.rel = "style", ""
	m := maker{f: f, row: &textPlace, kind: KindRes, layer: f.late, v: v, sheet: raw}
	m.css(false)
}

// styleText returns style sheet text without character references. If it is to be
// UTF-8 it stays as it is: nothing that ends or begins a URL depends on what is none.
func (f *finder) styleText(start, end int) value {
	if f.doc.named != nil && f.charset() == nil {
		return value{bytes: f.data[start:end], start: start, raw: Span{start, end}}
	}
	return f.sheetText(start, end)
}

// validated returns v with U+FFFD for what is no UTF-8.
func (f *finder) validated(v []byte) []byte {
	t := &f.text.Data
	start := len(*t)
	for i := 0; i < len(v); {
		*t, i, _ = charset.AppendUTF8(*t, v, i)
	}
	return (*t)[start:len(*t):len(*t)]
}

// sheetText decodes text without character references.
func (f *finder) sheetText(start, end int) value {
	v := value{bytes: f.data[start:end], start: start, raw: Span{start, end}}
	if isASCII(v.bytes) || f.charset() == nil && utf8.Valid(v.bytes) {
		return v
	}
	f.text.runs = f.text.runs[:0]
	v.start, v.mapped = len(f.text.Data), true
	v.broken = f.appendCharset(start, end)
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// svgStyleText looks at the text before the token k inside an svg style element,
// where character references count, and at the token if it is a CDATA section. An end
// tag that closes nothing is dropped by browsers: the text goes on behind it.
func (f *finder) svgStyleText(k markup.Kind) {
	s := &f.scan
	f.dropNameless(s.Start)
	if k == markup.EndTag && s.ForeignDepth() == f.svgDepth {
		f.svgDropped = append(f.svgDropped, Span{s.Start, s.End})
		return
	}
	if s.Start > f.svgStyle {
		f.sheet(f.svgText(s.Start), false)
	}
	f.svgStyle, f.svgDropped = s.End, f.svgDropped[:0]
	switch k {
	case markup.CDATA:
		f.sheet(f.styleText(s.TextStart, s.TextEnd), true)
	case markup.EndTag, markup.StartTag, markup.EOF:
		f.svgStyle, f.scan.Only, f.scan.Filter = 0, f.kinds(), f.table.wantFor(&f.doc.Options)
	}
}

// dropNameless drops each "</>" before end: it is no token of the scanner.
func (f *finder) dropNameless(end int) {
	start := f.svgStyle
	if n := len(f.svgDropped); n > 0 {
		start = f.svgDropped[n-1].End
	}
	for {
		n := bytes.Index(f.data[start:end], nameless)
		if n < 0 {
			return
		}
		f.svgDropped = append(f.svgDropped, Span{start + n, start + n + len(nameless)})
		start += n + len(nameless)
	}
}

var nameless = []byte("</>")

// splits reports whether a tag dropped in an svg style element stands inside the span of v.
func (f *finder) splits(v *value, s Span) bool {
	if len(f.svgDropped) == 0 {
		return false
	}
	raw := f.span(v, s)
	n, _ := slices.BinarySearchFunc(f.svgDropped, raw.Start, func(tag Span, at int) int { return tag.Start - at })
	return n < len(f.svgDropped) && f.svgDropped[n].Start < raw.End
}

// svgText decodes the text from f.svgStyle to end, without the tags dropped in it.
func (f *finder) svgText(end int) value {
	if len(f.svgDropped) == 0 {
		return f.decode(f.svgStyle, end, false)
	}
	f.text.runs = f.text.runs[:0]
	v := value{start: len(f.text.Data), mapped: true, raw: Span{f.svgStyle, end}}
	start := f.svgStyle
	for _, tag := range append(f.svgDropped, Span{end, end}) {
		v.broken = f.appendDecoded(start, tag.Start, false) || v.broken
		start = tag.End
	}
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}
