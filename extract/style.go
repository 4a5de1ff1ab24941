package extract

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// maybeCSS reports whether a style attribute can hold a URL: each stands in a
// function, whose bracket may be written as a character reference.
func maybeCSS(raw []byte) bool {
	return bytes.IndexByte(raw, '(') >= 0 || bytes.IndexByte(raw, '&') >= 0
}

// maybeURI reports whether an attribute value can hold "://" or "urn:", of which a part
// may be written as a character reference.
func maybeURI(raw []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(raw[i:], ':')
		if n < 0 {
			return bytes.IndexByte(raw, '&') >= 0
		}
		i += n
		if i+1 < len(raw) && raw[i+1] == '/' || i > 0 && raw[i-1]|0x20 == 'n' {
			return true
		}
	}
}

// cssToken completes the reference that a token of CSS is.
func (m *maker) cssToken(r *ref.Ref, s text.Span) {
	if !utf8.Valid(r.Value) {
		r.Value, r.Broken = m.f.validated(r.Value), true
	}
	if m.f.splits(&m.v, s) {
		m.f.doc.problem(r.Start, "split-reference")
		r.ListOnly = true // an edit would take the tag away, and </form> and </body> mean something
	}
}

// styleTag notes what the text of the style element that begins will be.
func (f *finder) styleTag() {
	f.sheetSkip = false
	if a := f.attribute(place.AttrType); a != nil {
		t := bytes.TrimSpace(f.value(a).bytes)
		f.sheetSkip = len(t) > 0 && !bytes.EqualFold(t, []byte("text/css"))
	}
	if f.scan.Space != markup.HTML && !f.scan.SelfClosing && !f.sheetSkip {
		f.svgStyle, f.svgDepth, f.svgDropped = f.scan.End, f.scan.ForeignDepth(), f.svgDropped[:0]
		f.scan.Only, f.scan.Filter = 0, nil // any token ends a piece of its text
	}
}

// sheet adds the URLs of the text of a style element; raw says that it has no
// character references.
func (f *finder) sheet(v decoded, raw bool) {
	f.element, f.rel = "style", ""
	m := maker{f: f, row: place.Style, kind: place.KindRes, layer: f.late, v: v, sheet: raw}
	f.cut(place.TypeSheet, &m)
}

// styleText returns style sheet text without character references. If it is to be
// UTF-8 it stays as it is: nothing that ends or begins a URL depends on what is none.
func (f *finder) styleText(start, end int) decoded {
	if f.doc.named != nil && f.charset() == nil {
		return decoded{bytes: f.data[start:end], start: start, raw: text.Span{Start: start, End: end}}
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

// svgStyleText looks at the text before the token k inside an svg style element,
// where character references count, and at the token if it is a CDATA section. An end
// tag that closes nothing is dropped by browsers: the text goes on behind it.
func (f *finder) svgStyleText(k markup.Kind) {
	s := &f.scan
	f.dropNameless(s.Start)
	if k == markup.EndTag && s.ForeignDepth() == f.svgDepth {
		f.svgDropped = append(f.svgDropped, text.Span{Start: s.Start, End: s.End})
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
		f.svgStyle, f.scan.Only, f.scan.Filter = 0, f.kinds(), f.wants()
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
		f.svgDropped = append(f.svgDropped, text.Span{Start: start + n, End: start + n + len(nameless)})
		start += n + len(nameless)
	}
}

var nameless = []byte("</>")

// splits reports whether a tag dropped in an svg style element stands inside the span of v.
func (f *finder) splits(v *decoded, s text.Span) bool {
	if len(f.svgDropped) == 0 {
		return false
	}
	raw := f.span(v, s)
	n, _ := slices.BinarySearchFunc(f.svgDropped, raw.Start, func(tag text.Span, at int) int { return tag.Start - at })
	return n < len(f.svgDropped) && f.svgDropped[n].Start < raw.End
}

// svgText decodes the text from f.svgStyle to end, without the tags dropped in it.
func (f *finder) svgText(end int) decoded {
	if len(f.svgDropped) == 0 {
		return f.decode(f.svgStyle, end, false)
	}
	v := f.begin(text.Span{Start: f.svgStyle, End: end})
	start := f.svgStyle
	for _, tag := range append(f.svgDropped, text.Span{Start: end, End: end}) {
		v.broken = f.appendDecoded(start, tag.Start, false) || v.broken
		start = tag.End
	}
	return f.taken(v)
}
