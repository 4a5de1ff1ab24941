package page

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// maybeURI reports whether an attribute value can contain "://" or "urn:". A part of these may be
// written as a character reference.
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

// styleTag notes whether the text of the style element that begins is CSS.
func (f *Finder) styleTag() {
	f.style.skip = false
	if a := f.Attribute(place.AttrType); a != nil {
		t := bytes.TrimSpace(f.AttrBytes(a))
		f.style.skip = len(t) > 0 && !bytes.EqualFold(t, []byte("text/css"))
	}
	if f.Scan.Space != markup.HTML && !f.Scan.SelfClosing && !f.style.skip {
		f.style.start, f.style.depth, f.Dropped = f.Scan.End, f.Scan.ForeignDepth(), f.Dropped[:0]
		f.Scan.Only, f.Scan.Filter = 0, nil // any token ends a piece of its text
	}
}

// sheet adds the URLs in the text of a style element. raw means that the text has no character
// references.
func (f *Finder) sheet(v reading.Value, raw bool) {
	f.Element, f.Rel = "style", ""
	f.NoScript = f.inNoScript()
	m := reading.Maker{Text: &f.Text, Row: place.Style, Kind: place.KindRes, Layer: f.Current, Value: v, Sheet: raw}
	m.Cut(place.TypeSheet)
}

// svgStyleText reads the text before the token k in an svg style element, where character
// references count. If the token is a CDATA section, it reads the section too. Browsers drop an end
// tag that closes nothing; the text continues behind it.
func (f *Finder) svgStyleText(k markup.Kind) {
	s := &f.Scan
	f.dropNameless(s.Start)
	if k == markup.EndTag && s.ForeignDepth() == f.style.depth {
		f.Dropped = append(f.Dropped, text.Span{Start: s.Start, End: s.End})
		return
	}
	if s.Start > f.style.start {
		f.sheet(f.svgText(s.Start), false)
	}
	f.style.start, f.Dropped = s.End, f.Dropped[:0]
	switch k {
	case markup.CDATA:
		f.sheet(f.Style(s.TextStart, s.TextEnd), true)
	case markup.EndTag, markup.StartTag, markup.EOF:
		f.style.start = 0
		f.Scan.Only = f.kinds()
		f.Scan.Filter = f.wants()
	}
}

// dropNameless adds each "</>" before end to f.Dropped, because the scanner returns no token for
// it.
func (f *Finder) dropNameless(end int) {
	start := f.style.start
	if n := len(f.Dropped); n > 0 {
		start = f.Dropped[n-1].End
	}
	for {
		n := bytes.Index(f.Data[start:end], nameless)
		if n < 0 {
			return
		}
		f.Dropped = append(f.Dropped, text.Span{Start: start + n, End: start + n + len(nameless)})
		start += n + len(nameless)
	}
}

var nameless = []byte("</>")

// svgText decodes the text from f.style.start to end, without the dropped tags.
func (f *Finder) svgText(end int) reading.Value {
	if len(f.Dropped) == 0 {
		return f.Decode(f.style.start, end, false)
	}
	v := f.Begin(text.Span{Start: f.style.start, End: end})
	start := f.style.start
	for _, tag := range append(f.Dropped, text.Span{Start: end, End: end}) {
		v.Broken = f.AppendDecoded(start, tag.Start, false) || v.Broken
		start = tag.End
	}
	return f.Taken(v)
}
