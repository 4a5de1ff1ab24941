package extract

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
	"absolink/resolve/prose"
)

// Plain text holds URIs between delimiters or blanks (RFC 3986 Appendix C, RFC
// 2396 Appendix E). All of them are absolute; none is completed by a guess, and
// none is rewritten.
//
// Text whose lines flow (RFC 3676) is decoded first: quote marks and stuffed
// blanks at the start of lines go, and with delsp a soft line break goes together
// with its blank, so that a URI that was broken over lines is in one piece again.

// plainText reads the text as plain text.
func (f *finder) plainText() {
	f.runningText(f.plainValue())
}

// runningText adds the URIs in v.
func (f *finder) runningText(v decoded) {
	f.element, f.rel = "", ""
	m := maker{f: f, row: place.Plain, kind: place.KindNav, layer: f.late, v: v, sheet: true}
	for u := range prose.Find(v.bytes, f.doc.Options.BareHosts) {
		r := m.add(text.Span{Start: u.Start, End: u.End}, escape.Prose)
		r.Hyphen, r.Unclear = u.Uncertain, u.UnclearEnd
		if len(u.URI) != u.End-u.Start {
			r.Value = []byte(u.URI)
		}
	}
}

// plainValue decodes the whole text.
func (f *finder) plainValue() decoded {
	start := f.contentStart()
	v := f.sheetText(start, len(f.data))
	if f.doc.Flow == Fixed {
		return v
	}
	if v.mapped {
		// Rare: a charset and flowing lines. Both keep ASCII, so the lines are cut
		// from the raw bytes, and other characters are decoded one by one.
		f.text.Data = f.text.Data[:v.start]
	}
	v = f.begin(text.Span{Start: start, End: len(f.data)})
	w := flowing{f: f, tight: f.doc.Flow == FlowedTight}
	w.lines(start)
	v.broken = w.broken
	return f.taken(v)
}

// flowing decodes lines that flow.
type flowing struct {
	f      *finder
	tight  bool
	broken bool
	quotes int  // quote marks of the line before
	soft   bool // its end is a soft line break
}

// lines appends the lines from an offset on to the text of the finder.
func (w *flowing) lines(i int) {
	data := w.f.data
	for i < len(data) {
		end, next := lineEnd(data, i)
		w.line(i, end, next)
		i = next
	}
}

// lineEnd returns the end of the line at i, and the start of the next one.
func lineEnd(data []byte, i int) (end, next int) {
	n := bytes.IndexAny(data[i:], "\r\n")
	switch {
	case n < 0:
		return len(data), len(data)
	case data[i+n] == '\r' && i+n+1 < len(data) && data[i+n+1] == '\n':
		return i + n, i + n + 2
	}
	return i + n, i + n + 1
}

// line appends one line (RFC 3676 Sections 4.3 and 4.4).
func (w *flowing) line(start, end, next int) {
	data := w.f.data
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
		w.f.text.AppendToken(text.Span{Start: start, End: start}, []byte{'\n'}) // a soft break that nothing follows
	}
	w.quotes = quotes
	w.soft = bytes.HasSuffix(line, []byte(" ")) && !signature
	if w.soft && w.tight {
		end--
	}
	w.broken = w.f.appendCharset(start, end) || w.broken
	if !w.soft && next > end {
		w.f.text.AppendToken(text.Span{Start: end, End: next}, []byte{'\n'})
	}
}
