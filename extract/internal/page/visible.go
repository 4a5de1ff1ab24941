package page

import (
	"slices"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// With Options.VisibleText the URLs in the text of a page are references too. The text is read in
// pieces as a reader sees them: tags of elements within a line are left out, and any other tag ends
// a piece. So a URL with a tag inside is one URL. Such a tag stays where it is: an edit replaces
// only bytes before it.
//
// Code that a page shows, raw text such as scripts, and foreign content such as drawings are not
// read.

// visible is the text that is being read.
type visible struct {
	pieces  []text.Span // of Text.Data, since the last boundary
	start   int         // end of the last token
	hidden  int         // number of open elements whose text is not read
	foreign bool        // the last token was in foreign content
	refs    int         // number of references before the first piece
}

// readsText reports whether URLs in the text are read.
func (f *Finder) readsText() bool { return f.Doc.Options.VisibleText }

// beginText begins to read the text.
func (f *Finder) beginText() { f.visible = visible{pieces: f.visible.pieces[:0]} }

// passText adds the text before the token k to the pieces. If the token ends a piece of text as a
// reader sees it, passText reads the pieces.
func (f *Finder) passText(k markup.Kind) {
	v, s := &f.visible, &f.Scan
	end := s.Start
	if v.hidden == 0 && !v.foreign && v.start < end {
		if len(v.pieces) == 0 {
			v.refs = f.Doc.Refs.Len()
		}
		v.pieces = append(v.pieces, text.Span{Start: v.start, End: end})
	}
	v.start = s.End
	v.foreign = s.ForeignDepth() > 0
	switch k {
	case markup.StartTag, markup.EndTag:
		name := f.Data[s.NameStart:s.NameEnd]
		if contains(inLine, name) {
			return
		}
		if contains(code, name) {
			v.hide(k)
		}
	case markup.Comment:
		return
	}
	f.endText()
}

// hide counts the start or end tag of an element whose text is not read.
func (v *visible) hide(k markup.Kind) {
	if k == markup.StartTag {
		v.hidden++
	} else {
		v.hidden = max(v.hidden-1, 0)
	}
}

// code are the elements whose text is not read, besides raw text elements.
var code = []string{"code", "kbd", "samp"}

// inLine are the elements whose tags do not separate words.
var inLine = []string{"abbr", "acronym", "b", "basefont", "bdi", "bdo", "big", "blink", "cite", "del", "dfn", "em",
	"font", "i", "ins", "mark", "nobr", "s", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
	"var", "wbr"}

// endText adds the URLs in the pieces.
func (f *Finder) endText() {
	v := &f.visible
	if len(v.pieces) == 0 {
		return
	}
	first, last := v.pieces[0], v.pieces[len(v.pieces)-1]
	inside := f.Doc.Refs.Len() > v.refs // tags between the pieces had references
	value := f.textOf(text.Span{Start: first.Start, End: last.End})
	v.pieces = v.pieces[:0]
	if !slices.Contains(value.Bytes, ':') && !f.Doc.Options.BareHosts {
		return
	}
	f.Element, f.Name, f.Rel = "", nil, ""
	f.NoScript = f.inNoScript()
	m := reading.Maker{Text: &f.Text, Row: place.Plain, Kind: place.Plain.Kind, Layer: f.Current, Value: value}
	m.Prose()
	if inside { // these were added before the URLs in the text
		f.Doc.Refs.Sort(v.refs)
	}
}

// textOf decodes the pieces, which are within a span.
func (f *Finder) textOf(s text.Span) reading.Value {
	pieces := f.visible.pieces
	if len(pieces) == 1 {
		return f.Decode(s.Start, s.End, false)
	}
	v := f.Begin(s)
	for _, p := range pieces {
		v.Broken = f.AppendDecoded(p.Start, p.End, false) || v.Broken
	}
	return f.Taken(v)
}
