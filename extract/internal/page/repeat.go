package page

import (
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Most references of a page are URLs in a few attributes, such as the href of links and the src of
// pictures, and their shapes repeat. If the last reference in an attribute of the same name had the
// right shape, the next reference gets that shape, and no new shape is made.

// begin forgets all noted shapes and decides whether shapes of this text are noted.
func (q *repeats) begin(f *Finder) {
	q.on = f.Outer == nil && f.Context == nil && f.Rules == nil && f.Doc.Whole.Identity() && !f.Doc.Options.Scripts
	q.text++
	if q.text == 0 {
		clear(q.noted[:])
		q.text = 1
	}
}

// of returns the entry for an attribute of an element with link types.
func (q *repeats) of(id uint8, element, rel string) *repeat {
	return &q.noted[(int(id)+11*len(element)+5*len(rel))%len(q.noted)]
}

// note notes the shape of the reference that m made, if another reference may have the same shape.
func (f *Finder) note(p *place.Row, m *reading.Maker) {
	if f.repeats.on && f.Doc.Refs.Open && !f.Doc.Refs.Last.ListOnly && p.Type == place.TypeURL &&
		p.Base == place.BaseDocument && m.Raw.Quote != 0 && !m.Value.Broken && m.ID != place.AttrClassID {
		*f.repeats.of(m.ID, f.Element, f.Rel) = repeat{p, f.Doc.Refs.CloseLast(), f.repeats.text}
	}
}

// reuse adds the URL in an attribute with the noted shape and reports whether it did. The shape
// must belong to the place p, and the value must be decodable without a map.
func (f *Finder) reuse(p *place.Row, a *markup.Attr, id uint8) bool {
	q := f.repeats.of(id, f.Element, f.Rel)
	if q.row != p || q.text != f.repeats.text || !f.fits(&f.Doc.Refs.Shapes[q.shape], a) {
		return false
	}
	v, ok := f.Data[a.Start:a.End], a.Plain
	if !ok {
		v, ok = f.unescapedURL(v)
	}
	if ok {
		f.Doc.Refs.Append(text.Span{Start: a.Start, End: a.End}, q.shape, v)
	}
	return ok
}

// fits reports whether a reference in an attribute of the current tag would have the shape s.
func (f *Finder) fits(s *ref.Shape, a *markup.Attr) bool {
	return !f.inNoScript() && s.Context.Quote == a.Quote &&
		s.LayerNumber == f.Current && s.Element == f.Element && s.Rel == f.Rel
}

// unescapedURL decodes an attribute value without a map. ok is false if the value needs more than
// the decoding of character references.
func (f *Finder) unescapedURL(raw []byte) (v []byte, ok bool) {
	n := markup.PlainEnd(raw, 0)
	if n == len(raw) {
		return raw, true
	}
	if raw[n] != '&' {
		return raw, raw[n] >= 0x80 && f.Charset() == nil && reading.IsSame(raw[n:])
	}
	t := &f.Decoded.Data
	start := len(*t)
	for *t = append(*t, raw[:n]...); n < len(raw); {
		if raw[n] != '&' {
			*t = (*t)[:start]
			return nil, false
		}
		*t, n = markup.AppendReference(*t, raw, n, true)
		end := markup.PlainEnd(raw, n)
		*t = append(*t, raw[n:end]...)
		n = end
	}
	return (*t)[start:len(*t):len(*t)], true
}
