package xml

import (
	"bytes"
	"slices"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The text of an element is the text directly in it, without the text of inner elements, comments
// and instructions. It is one value, decoded from one or several pieces of the document. A
// reference can be edited if it lies in one piece. A CDATA section has no character references, so
// the kind of the piece decides how a reference is written.

// begin starts to collect the text of the element whose start tag was just scanned, if the text is
// a place.
func (t *content) begin(x *Reader, v place.Vocabulary, own []int8) {
	f := x.f
	if t.row != nil {
		return
	}
	p := x.textRow(v, own)
	if p == nil {
		return
	}
	t.row = p
	t.depth = len(x.open) + 1
	t.space = v
	t.name = f.Element
	t.at, t.refs, t.pieces = f.Scan.End, f.Doc.Refs.Len(), t.pieces[:0]
	t.layer = f.Current
	if p.Type == place.TypeDocument {
		t.layer = x.layer()
	}
	t.link = v == place.RSSSpace && t.name == "link"
}

// layer returns the number of the base layer for HTML in the text of an element.
func (x *Reader) layer() int {
	if n := x.feed.layer(); n > 0 && x.bases == 0 {
		return n
	}
	return x.f.Current
}

// textRow returns the row of the text of the current element, or nil.
func (x *Reader) textRow(v place.Vocabulary, own []int8) *place.Row {
	f := x.f
	if (v == place.HTMLSpace || v == place.SVGSpace) && f.Element == "style" {
		if t := x.attributeValue(place.AttrType); len(t) > 0 && !bytes.EqualFold(t, []byte("text/css")) {
			return nil
		}
		return place.Style
	}
	if hides(v, []byte(f.Element)) {
		return f.Script()
	}
	p := place.XMLRow(own[0])
	switch {
	case p == nil:
	case p.Type == place.TypeDocument && !textIsHTML(v, x.attributeValue(place.AttrType)):
		return nil
	case f.Element == "guid" && v == place.RSSSpace:
		x.text.guid = permalinkOf(f)
	}
	return p
}

// attributeValue returns the value of an attribute without the white space around it, or nil.
func (x *Reader) attributeValue(id uint8) []byte {
	f := x.f
	a := f.Attribute(id)
	if a == nil {
		return nil
	}
	return bytes.TrimSpace(f.AttrBytes(a))
}

// gap adds the text before the token that was just scanned to the pieces. If the token is a CDATA
// section, it adds the section too.
func (t *content) gap(x *Reader, k markup.Kind) {
	s := &x.f.Scan
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

// end reads the collected text if its element, at that depth, ends.
func (t *content) end(x *Reader, depth int) {
	if t.row == nil || t.depth != depth {
		return
	}
	p := t.row
	t.row = nil
	if len(t.pieces) == 0 {
		return
	}
	f := x.f
	inside := f.Doc.Refs.Len() > t.refs
	t.reading = true
	f.Element, f.Rel = t.name, ""
	m := reading.Maker{Text: &f.Text, Row: p, Kind: p.Kind, Layer: t.layer, Value: t.value(x)}
	t.cut(x, &m)
	t.reading = false
	if inside { // references of inner elements came first
		f.Doc.Refs.Sort(t.refs)
	}
}

// value decodes the pieces.
func (t *content) value(x *Reader) reading.Value {
	f := x.f
	x.dtd.unread = false
	if len(t.pieces) == 1 {
		p := &t.pieces[0]
		p.at = 0
		if p.cdata {
			return f.Text.Text(p.Start, p.End)
		}
		return x.Decode(p.Start, p.End, false)
	}
	last := t.pieces[len(t.pieces)-1]
	v := f.Begin(text.Span{Start: t.pieces[0].Start, End: last.End})
	for i := range t.pieces {
		p := &t.pieces[i]
		p.at = len(f.Decoded.Data)
		broken := false
		if p.cdata {
			broken = f.AppendCharset(p.Start, p.End)
		} else {
			broken = x.appendDecoded(p.Start, p.End, false)
		}
		v.Broken = v.Broken || broken
	}
	return f.Taken(v)
}

// cut finds the references in the text.
func (t *content) cut(x *Reader, m *reading.Maker) {
	all := text.Trimmed(m.Value.Bytes, text.Span{Start: 0, End: len(m.Value.Bytes)})
	switch {
	case all.Start == all.End:
	case m.Row.Type == place.TypeURL && t.name == "guid" && !t.guid.permits(m.Value.Bytes):
		if bytes.IndexByte(m.Value.Bytes, ':') >= 0 {
			m.Kind = place.KindIdentifier
			m.Add(all, escape.Single)
		}
	case m.Row.Type != place.TypeURL && m.Row.Type != place.TypePrefix:
		x.f.Cut(m.Row.Type, m)
	default:
		m.Add(all, escape.Single)
		if t.link && len(x.open) > 1 {
			x.feed.link(&x.f.Text, x.open[len(x.open)-2].role, m.Value.Bytes[all.Start:all.End])
		}
	}
}

// Settle records how a reference of the text in is written in the XML, which depends on the piece
// that contains it. A reference is only listed if it is not within one piece, or if it covers only
// a part of the text of an entity.
func (x *Reader) Settle(in *reading.Text, v reading.Value, s text.Span, r *ref.Ref) {
	r.Context.XML = in.Outer == nil
	at, mapped := in.At(&x.f.Text, &v, s)
	whole := true
	if x.text.reading {
		p, end := x.text.piece(at.Start)
		r.Context.CDATA = p.cdata
		whole = at.End <= end
	}
	if mapped && x.dtd.used {
		whole = whole && !text.Cuts(&x.f.Decoded, at)
	}
	if !whole {
		in.Doc.Problem(r.Start, reading.SplitReference)
	}
	if !whole || x.dtd.unread && in == &x.f.Text {
		r.ListOnly = true
		r.Unsafe = true
	}
}

// piece returns the piece with the decoded byte at i, and the end of this piece.
func (t *content) piece(i int) (p *textPiece, end int) {
	n, _ := slices.BinarySearchFunc(t.pieces, i+1, func(p textPiece, i int) int { return p.at - i })
	n = max(n, 1)
	if n == len(t.pieces) {
		return &t.pieces[n-1], int(^uint(0) >> 1)
	}
	return &t.pieces[n-1], t.pieces[n].at
}
