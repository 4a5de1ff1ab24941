package extract

import (
	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
)

// maker makes the references of one attribute or piece of text.
type maker struct {
	f     *finder
	row   *place.Row
	attr  string
	id    uint8
	kind  place.Kind
	layer int
	raw   *markup.Attr // nil for text
	v     decoded
	sheet bool // the text of a style element without character references
}

// cut finds the references in the value of m by its type.
func (f *finder) cut(t place.ValueType, m *maker) {
	switch {
	case t == place.TypeURL && !f.doc.Options.Scripts:
		m.add(text.Span{Start: 0, End: len(m.v.bytes)}, escape.Single)
		return
	case t == place.TypeURL:
		t = place.TypeScriptURL
	case t == place.TypeDocument:
		m.document()
		return
	case t == place.TypeLinkedData:
		if uri, ok := value.LinkedDataBase(m.v.bytes); ok {
			m.layer = f.doc.layers.Add(base.JSONBase, uri, f.late)
		}
	}
	kind, c := m.kind, &f.doc.cutter
	c.Loaders = f.doc.Options.Scripts
	for c.Reset(t, kind, m.v.bytes); c.Next(); {
		if t == place.TypeLinks {
			f.rel = f.doc.intern(c.Rel)
		}
		m.part(c)
	}
	m.kind = kind
	if t == place.TypeLinks {
		f.rel = ""
	}
}

// part adds the reference that c found last.
func (m *maker) part(c *value.Cutter) {
	f := m.f
	m.kind = c.Kind
	r := m.add(c.Span, c.List)
	r.ListOnly = r.ListOnly || c.Doubtful
	r.UTF8 = r.UTF8 || c.UTF8
	if r.Context.Token, r.Context.Inner = c.Token, c.Quote; c.Token != escape.NoToken && r.Context.Bare == escape.BareWhole {
		r.Context.Bare = escape.BarePart
	}
	if !c.Plain() {
		start := len(f.text.Data)
		f.text.Data = c.AppendValue(f.text.Data)
		r.Value = f.text.Data[start:len(f.text.Data):len(f.text.Data)]
	}
	if c.Token == escape.CSS {
		m.cssToken(r, c.Span)
	}
}

// add records the reference that the span of the value holds.
func (m *maker) add(s text.Span, form escape.List) *ref.Ref {
	r := m.f.doc.refs.Add()
	m.fill(r, s, form)
	return r
}

// fill makes r, which may hold an earlier reference, the one that the span of the
// value holds. It sets each field by itself: a whole Ref is made too often.
func (m *maker) fill(r *ref.Ref, s text.Span, form escape.List) {
	f := m.f
	r.Span = f.source(f.span(&m.v, s))
	r.Value = m.v.bytes[s.Start:s.End:s.End]
	r.Kind = m.kind
	r.Element, r.Attr, r.Rel = f.name(), m.attr, f.rel
	r.Identifier = m.row.Default == place.Never || m.kind == place.KindIdentifier || m.id == place.AttrClassID && m.id > 0 && place.OpaqueClass(r.Value)
	r.ListOnly = listOnly(m.row, f.doc.Options.Lazy)
	r.Form = m.id > 0 && (m.id == place.AttrAction || m.id == place.AttrFormAct)
	r.LayerNumber, r.Broken, r.NoScript, r.Hyphen, r.Unclear = m.layer, m.v.broken, false, false, false
	r.UTF8 = f.outer != nil // the charset of a srcdoc is UTF-8
	r.Relative = m.row.Base != place.BaseNone
	r.Context = escape.Context{Outer: f.context, List: form, Sheet: m.sheet}
	m.quote(r, s)
	if m.v.mapped || f.outer != nil {
		r.Context.Open = f.openBefore(&m.v, s)
	}
	if f.xmlDoc != nil {
		f.xmlDoc.settle(f, &m.v, s, r)
	}
	if !f.doc.switches.None() {
		f.doc.settleShift(r)
	}
}

// name returns the name of the element of the tag being read.
func (f *finder) name() string {
	if f.element == "" {
		f.element = f.doc.internLower(f.data[f.scan.NameStart:f.scan.NameEnd])
	}
	return f.element
}

// quote notes the quotes of the attribute in the place of r.
func (m *maker) quote(r *ref.Ref, s text.Span) {
	if m.raw == nil {
		r.Context.Quote = '"' // text: what an attribute escapes is more than enough
		return
	}
	r.Context.Quote = m.raw.Quote
	switch {
	case m.raw.Quote != 0:
	case !m.raw.HasValue:
		r.Context.Bare = escape.BareAbsent
	case s.Start == 0 && s.End == len(m.v.bytes):
		r.Context.Bare = escape.BareWhole
	default:
		r.Context.Bare = escape.BarePart
	}
}

// openBefore returns a bit for each document, from f outward, in which a
// character reference without its semicolon ends where s begins.
func (f *finder) openBefore(v *decoded, s text.Span) (open uint16) {
	if v.mapped && s.Start > 0 && text.OpenBefore(&f.text, v.start+s.Start, f.data) {
		open = 1
	}
	at := f.span(v, s).Start
	for bit := uint16(2); f.outer != nil; bit <<= 1 {
		out := f.outer
		if at > 0 && text.OpenBefore(&out.text, f.at+at, out.data) {
			open |= bit
		}
		at = out.text.Raw(text.Span{Start: f.at + at, End: f.at + at}).Start
		f = out
	}
	return open
}

// document reads a srcdoc.
func (m *maker) document() {
	f := m.f
	if f.depth == maxSrcdoc {
		f.doc.problem(f.source(m.v.raw).Start, "srcdoc-too-deep")
		return
	}
	mapped := m.v
	if !mapped.mapped {
		mapped = f.copied(m.v)
	}
	in := f.inside(mapped, m.layer)
	m.fill(&f.frame, text.Span{}, escape.Single)
	in.context = f.doc.newPlace()
	if *in.context = f.frame.Context; in.context.Bare == escape.BareWhole {
		in.context.Bare = escape.BarePart
	}
	in.html()
}

// copied returns v as a part of f.text.
func (f *finder) copied(v decoded) decoded {
	c := f.begin(v.raw)
	f.text.AppendSame(v.raw.Start, v.bytes)
	return f.taken(c)
}

// listOnly reports whether what stands in p is left as it is.
func listOnly(p *place.Row, lazy bool) bool {
	switch p.Default {
	case place.ListOnly, place.Never:
		return true
	case place.LazyRewrite:
		return !lazy
	}
	return false
}
