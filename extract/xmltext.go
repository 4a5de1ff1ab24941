package extract

import (
	"bytes"
	"slices"

	"absolink/extract/internal/markup"
)

// The text of an element is what stands directly in it, without the text of
// elements inside it, comments and instructions. It is one value, decoded from one
// or several pieces of the document, and a reference in it can be edited where it
// lies in one of them: what is written depends on whether that is a CDATA section,
// which has no character references.

// xmlText collects the text of one element at a time.
type xmlText struct {
	row    *Place // of the text; nil while none is collected
	depth  int    // of its element
	space  vocabulary
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
	Span       // of the document
	cdata bool // of a CDATA section
	at    int  // where it begins in the decoded text
}

func (t *xmlText) reset() { *t = xmlText{pieces: t.pieces[:0]} }

// holdsHTML reports whether elements in no namespace, as the text around them is of
// a feed, are HTML.
func (t *xmlText) holdsHTML() bool {
	return t.row != nil && t.row.Type == TypeDocument && t.space != atomSpace
}

// begin begins to collect the text of the element whose start tag was scanned, if
// it is a place.
func (t *xmlText) begin(x *xmlReader, v vocabulary, own []int8) {
	f := x.f
	if t.row != nil {
		return
	}
	p := f.textRow(x, v, own)
	if p == nil {
		return
	}
	t.row, t.depth, t.space, t.name = p, len(x.open)+1, v, f.name()
	t.at, t.refs, t.pieces = f.scan.End, f.doc.refs.len(), t.pieces[:0]
	t.layer = f.late
	if p.Type == TypeDocument {
		t.layer = x.feed.layer(x)
	}
	t.link = v == rssSpace && t.name == "link"
}

// textRow returns the row of the text of the element whose start tag was scanned,
// nil if it has none.
func (f *finder) textRow(x *xmlReader, v vocabulary, own []int8) *Place {
	if (v == htmlSpace || v == svgSpace) && f.element == "style" {
		if t := f.attributeValue(attrType); len(t) > 0 && !bytes.EqualFold(t, []byte("text/css")) {
			return nil
		}
		return &textPlace
	}
	if hides(v, []byte(f.element)) {
		f.scriptTag()
		if f.block != nil && f.block.Default == Scripts && !f.doc.Options.Scripts {
			return nil
		}
		return f.block
	}
	if own[0] == 0 {
		return nil
	}
	p := &xmlPlaces[own[0]-1]
	switch {
	case p.Type == TypeDocument && !textIsHTML(v, f.attributeValue(attrType)):
		return nil
	case f.element == "guid" && v == rssSpace:
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
	return bytes.TrimSpace(f.value(a.Start, a.End).bytes)
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
			t.pieces = append(t.pieces, textPiece{Span: Span{t.at, s.Start}})
		}
		if k == markup.CDATA && s.TextStart < s.TextEnd {
			t.pieces = append(t.pieces, textPiece{Span: Span{s.TextStart, s.TextEnd}, cdata: true})
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
	inside := f.doc.refs.len() > t.refs
	t.reading = true
	f.element, f.rel = t.name, ""
	m := maker{f: f, row: p, kind: p.Kind, layer: t.layer, v: t.value(x)}
	t.cut(x, &m)
	t.reading = false
	if inside { // elements inside came first
		f.doc.refs.sort(t.refs)
	}
}

// value decodes the pieces.
func (t *xmlText) value(x *xmlReader) value {
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
	f.text.runs = f.text.runs[:0]
	last := t.pieces[len(t.pieces)-1]
	v := value{start: len(f.text.Data), mapped: true, raw: Span{t.pieces[0].Start, last.End}}
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
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// cut finds the references in the text.
func (t *xmlText) cut(x *xmlReader, m *maker) {
	all := trimmed(m.v.bytes, Span{0, len(m.v.bytes)})
	switch {
	case all.Start == all.End:
	case m.row.Type == TypeCSS:
		m.css(false)
	case m.row.Type == TypeURL && t.name == "guid" && !t.guid.permits(m.v.bytes):
		if bytes.IndexByte(m.v.bytes, ':') >= 0 {
			m.kind = KindIdentifier
			m.add(all, single)
		}
	case m.row.Type != TypeURL:
		m.f.cut(m.row.Type, m)
	default:
		m.add(all, single)
		if t.link && len(x.open) > 1 {
			x.feed.link(x, x.open[len(x.open)-2].role, m.v.bytes[all.Start:all.End])
		}
	}
}

// settle notes where in the XML a reference of the finder f stands, which depends
// on the piece of the text. One that is not a whole part of one piece, or goes
// only in part into what an entity stands for, is listed and left as it is.
func (x *xmlReader) settle(f *finder, v *value, s Span, r *Ref) {
	r.place.xml = f.outer == nil
	mapped := f.outer != nil || v.mapped
	at := Span{v.start + s.Start, v.start + s.End} // in the text of x.f, if mapped
	if f.outer != nil {
		at = f.span(v, s)
		for ; f.outer != x.f; f = f.outer {
			at = f.outer.text.Raw(Span{at.Start + f.at, at.End + f.at})
		}
		at = Span{at.Start + f.at, at.End + f.at}
	}
	whole := true
	if x.text.reading {
		p, end := x.text.piece(at.Start)
		r.place.cdata = p.cdata
		whole = at.End <= end
	}
	if mapped && x.dtd.used {
		whole = whole && !x.f.text.cuts(at)
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

// cuts reports whether s begins or ends inside of what one token of raw bytes
// stands for.
func (t *Text) cuts(s Span) bool {
	for _, i := range []int{s.Start, s.End} {
		if i < len(t.Data) && len(t.runs) > 0 {
			if r := t.find(i); r.form == token && r.at != i {
				return true
			}
		}
	}
	return false
}
