package extract

import (
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Most references of a page are URLs in attributes that differ in nothing but their
// place from one before: links in the text, pictures. They are kept without being made
// anew, where the shape of the last one of the attribute is theirs.

// repeat is the shape of the last URL in an attribute of some name.
type repeat struct {
	row   *place.Row
	shape uint32
	text  uint32 // finder.texts when it was noted: that of another text is none
}

// repeat returns the room for an attribute, another one beside link types: where some
// links have them, others have not.
func (f *finder) repeat(id uint8) *repeat {
	if f.rel != "" {
		return &f.quick[int(id)+256]
	}
	return &f.quick[id]
}

// forget forgets all shapes that were noted.
func (f *finder) forget() {
	if f.texts++; f.texts == 0 {
		clear(f.quick[:])
		f.texts = 1
	}
}

// note notes the shape of the reference that m made, if another one may have it.
func (f *finder) note(p *place.Row, m *maker) {
	if f.simple && f.doc.refs.Open && p.Type == place.TypeURL && p.Base == place.BaseDocument && m.raw.Quote != 0 && !m.v.broken && m.id != place.AttrClassID {
		*f.repeat(m.id) = repeat{p, f.doc.refs.CloseLast(), f.texts}
	}
}

// again keeps the URL in an attribute that is the place p, and reports whether that
// could be done: its value is easily decoded, and its shape was noted.
func (f *finder) again(p *place.Row, a *markup.Attr, id uint8) bool {
	q := f.repeat(id)
	if q.row != p || q.text != f.texts || !f.fits(&f.doc.refs.Shapes[q.shape], a) {
		return false
	}
	v, ok := f.data[a.Start:a.End], a.Plain
	if !ok {
		v, ok = f.unescapedURL(v)
	}
	if ok {
		f.doc.refs.Append(text.Span{Start: a.Start, End: a.End}, q.shape, v)
	}
	return ok
}

// fits reports whether the reference in an attribute of the tag being read has a shape.
func (f *finder) fits(s *ref.Shape, a *markup.Attr) bool {
	return s.Context.Quote == a.Quote && s.LayerNumber == f.late && s.Element == f.element && s.Rel == f.rel
}

// unescapedURL decodes an attribute value in which nothing but character references
// is to be decoded, without a map; ok is false where there is more to it.
func (f *finder) unescapedURL(raw []byte) (v []byte, ok bool) {
	n := markup.PlainEnd(raw, 0)
	if n == len(raw) {
		return raw, true
	}
	if raw[n] != '&' {
		return raw, raw[n] >= 0x80 && f.charset() == nil && isClean(raw[n:])
	}
	t := &f.text.Data
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
