package extract

import (
	"bytes"
	"slices"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The text of an element is what stands directly in it, without the text of
// elements inside it, comments and instructions. It is one value, decoded from one
// or several pieces of the document, and a reference in it can be edited where it
// lies in one of them: what is written depends on whether that is a CDATA section,
// which has no character references.

// xmlText collects the text of one element at a time.
type xmlText struct {
	row    *place.Row // of the text; nil while none is collected
	depth  int        // of its element
	space  place.Vocabulary
	name   string
	layer  int
	refs   int  // how many references stood before it
	link   bool // it is the link of an item or of the channel
	guid   permalink
	at     int // where what was not looked at begins
	pieces []textPiece

	reading bool // the text is being read: references lie in pieces
}

// textPiece is a part of the text.
type textPiece struct {
	text.Span      // of the document
	cdata     bool // of a CDATA section
	at        int  // where it begins in the decoded text
}

func (t *xmlText) reset() { *t = xmlText{pieces: t.pieces[:0]} }

// holdsHTML reports whether elements in no namespace, as the text around them is of
// a feed, are HTML.
func (t *xmlText) holdsHTML() bool {
	return t.row != nil && t.row.Type == place.TypeDocument && t.space != place.AtomSpace
}

// begin begins to collect the text of the element whose start tag was scanned, if
// it is a place.
func (t *xmlText) begin(x *xmlReader, v place.Vocabulary, own []int8) {
	f := x.f
	if t.row != nil {
		return
	}
	p := f.textRow(x, v, own)
	if p == nil {
		return
	}
	t.row, t.depth, t.space, t.name = p, len(x.open)+1, v, f.name()
	t.at, t.refs, t.pieces = f.scan.End, f.doc.refs.Len(), t.pieces[:0]
	t.layer = f.late
	if p.Type == place.TypeDocument {
		t.layer = x.feed.layer(x)
	}
	t.link = v == place.RSSSpace && t.name == "link"
}

// textRow returns the row of the text of the element whose start tag was scanned,
// nil if it has none.
func (f *finder) textRow(x *xmlReader, v place.Vocabulary, own []int8) *place.Row {
	if (v == place.HTMLSpace || v == place.SVGSpace) && f.element == "style" {
		if t := f.attributeValue(place.AttrType); len(t) > 0 && !bytes.EqualFold(t, []byte("text/css")) {
			return nil
		}
		return place.Style
	}
	if hides(v, []byte(f.element)) {
		f.scriptTag()
		if f.block != nil && f.block.Default == place.Scripts && !f.doc.Options.Scripts {
			return nil
		}
		return f.block
	}
	p := place.XMLRow(own[0])
	switch {
	case p == nil:
	case p.Type == place.TypeDocument && !textIsHTML(v, f.attributeValue(place.AttrType)):
		return nil
	case f.element == "guid" && v == place.RSSSpace:
		x.text.guid = f.permalink()
	}
	return p
}

// attributeValue returns the value of an attribute without the white space around
// it, nil if there is none.
func (f *finder) attributeValue(id uint8) []byte {
	a := f.attribute(id)
	if a == nil {
		return nil
	}
	return bytes.TrimSpace(f.value(a).bytes)
}

// gap takes the text before the token that was scanned, and the token if it is a
// CDATA section.
func (t *xmlText) gap(x *xmlReader, k markup.Kind) {
	s := &x.f.scan
	if t.row == nil {
		return
	}
	if len(x.open) == t.depth {
		if s.Start > t.at {
			t.pieces = append(t.pieces, textPiece{Span: text.Span{Start: t.at, End: s.Start}})
		}
		if k == markup.CDATA && s.TextStart < s.TextEnd {
			t.pieces = append(t.pieces, textPiece{Span: text.Span{Start: s.TextStart, End: s.TextEnd}, cdata: true})
		}
	}
	t.at = s.End
}

// end reads the text if its element, at that depth, ends.
func (t *xmlText) end(x *xmlReader, depth int) {
	if t.row == nil || t.depth != depth {
		return
	}
	p := t.row
	t.row = nil
	if len(t.pieces) == 0 {
		return
	}
	f := x.f
	inside := f.doc.refs.Len() > t.refs
	t.reading = true
	f.element, f.rel = t.name, ""
	m := maker{f: f, row: p, kind: p.Kind, layer: t.layer, v: t.value(x)}
	t.cut(x, &m)
	t.reading = false
	if inside { // elements inside came first
		f.doc.refs.Sort(t.refs)
	}
}

// value decodes the pieces.
func (t *xmlText) value(x *xmlReader) decoded {
	f := x.f
	x.dtd.unread = false
	if len(t.pieces) == 1 {
		p := &t.pieces[0]
		p.at = 0
		if p.cdata {
			return f.sheetText(p.Start, p.End)
		}
		return x.decode(p.Start, p.End, false)
	}
	last := t.pieces[len(t.pieces)-1]
	v := f.begin(text.Span{Start: t.pieces[0].Start, End: last.End})
	for i := range t.pieces {
		p := &t.pieces[i]
		p.at = len(f.text.Data)
		broken := false
		if p.cdata {
			broken = f.appendCharset(p.Start, p.End)
		} else {
			broken = x.appendDecoded(p.Start, p.End, false)
		}
		v.broken = v.broken || broken
	}
	return f.taken(v)
}

// cut finds the references in the text.
func (t *xmlText) cut(x *xmlReader, m *maker) {
	all := text.Trimmed(m.v.bytes, text.Span{Start: 0, End: len(m.v.bytes)})
	switch {
	case all.Start == all.End:
	case m.row.Type == place.TypeURL && t.name == "guid" && !t.guid.permits(m.v.bytes):
		if bytes.IndexByte(m.v.bytes, ':') >= 0 {
			m.kind = place.KindIdentifier
			m.add(all, escape.Single)
		}
	case m.row.Type != place.TypeURL:
		m.f.cut(m.row.Type, m)
	default:
		m.add(all, escape.Single)
		if t.link && len(x.open) > 1 {
			x.feed.link(x, x.open[len(x.open)-2].role, m.v.bytes[all.Start:all.End])
		}
	}
}

// settle notes where in the XML a reference of the finder f stands, which depends
// on the piece of the text. One that is not a whole part of one piece, or goes
// only in part into what an entity stands for, is listed and left as it is.
func (x *xmlReader) settle(f *finder, v *decoded, s text.Span, r *ref.Ref) {
	r.Context.XML = f.outer == nil
	mapped := f.outer != nil || v.mapped
	at := text.Span{Start: v.start + s.Start, End: v.start + s.End} // in the text of x.f, if mapped
	if f.outer != nil {
		at = f.span(v, s)
		for ; f.outer != x.f; f = f.outer {
			at = f.outer.text.Raw(text.Span{Start: at.Start + f.at, End: at.End + f.at})
		}
		at = text.Span{Start: at.Start + f.at, End: at.End + f.at}
	}
	whole := true
	if x.text.reading {
		p, end := x.text.piece(at.Start)
		r.Context.CDATA = p.cdata
		whole = at.End <= end
	}
	if mapped && x.dtd.used {
		whole = whole && !text.Cuts(&x.f.text, at)
	}
	if !whole {
		f.doc.problem(r.Start, "split-reference")
	}
	if !whole || x.dtd.unread && f == x.f {
		r.ListOnly = true
	}
}

// piece returns the piece that the decoded byte at i belongs to, and where it ends.
func (t *xmlText) piece(i int) (p *textPiece, end int) {
	n, _ := slices.BinarySearchFunc(t.pieces, i+1, func(p textPiece, i int) int { return p.at - i })
	n = max(n, 1)
	if n == len(t.pieces) {
		return &t.pieces[n-1], int(^uint(0) >> 1)
	}
	return &t.pieces[n-1], t.pieces[n].at
}
