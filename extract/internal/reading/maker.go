package reading

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
)

// Maker makes the references of one attribute or piece of text. Text, Row and Value must be set.
// The zero values of the other fields are right for text.
type Maker struct {
	Text   *Text
	Row    *place.Row
	Attr   string
	ID     uint8 // of the attribute in the table of HTML, or 0
	Kind   place.Kind
	Layer  int          // number of their base layer
	Raw    *markup.Attr // nil for text
	Value  Value
	Sheet  bool // text without character references
	Script bool // text of a script element of HTML

	braceEnd  int  // offset in Value up to which inBraces has read it
	braceOpen bool // a brace is open at this offset
}

// Cut adds the references in the value according to a type, which must not be TypeDocument.
func (m *Maker) Cut(t place.ValueType) {
	d := m.Text.Doc
	switch {
	case t == place.TypeURL && !d.Options.Scripts, t == place.TypePrefix:
		m.Add(m.Value.Whole(), escape.Single)
		return
	case t == place.TypeURL:
		t = place.TypeScriptURL
	case t == place.TypeLinkedData:
		if uri, ok := value.LinkedDataBase(m.Value.Bytes); ok {
			m.Layer = d.Layers.Add(base.JSONBase, uri, m.Text.Current)
		}
	}
	kind, c := m.Kind, &d.cutter
	c.Loaders = d.Options.Scripts
	var templates pieces
	if isList(t) {
		templates.begin(m.Value.Bytes)
	}
	for c.Reset(t, kind, m.Value.Bytes); c.Next(); {
		if t == place.TypeLinks {
			m.Text.Rel = d.Intern(c.Rel)
		}
		r := m.part(c)
		if templates.hold(c.Span) && r.Template == ref.NoTemplate {
			r.Template = ref.NearPiece
		}
	}
	m.Kind = kind
	if t == place.TypeLinks {
		m.Text.Rel = ""
	}
}

// part adds the reference that c found last, and returns it.
func (m *Maker) part(c *value.Cutter) *ref.Ref {
	m.Kind = c.Kind
	r := m.Add(c.Span, c.List)
	r.ListOnly = r.ListOnly || c.ListOnly
	r.Doubtful = r.Doubtful || c.Doubtful
	r.UTF8 = r.UTF8 || c.UTF8
	r.Joined, r.Prefix = c.Joined, c.Prefix
	r.Context.Fixed = r.Context.Fixed || m.Script && c.Fixed
	r.Context.Token, r.Context.Inner = c.Token, c.Quote
	if c.Token != escape.NoToken && r.Context.Bare == escape.BareWhole {
		r.Context.Bare = escape.BarePart
	}
	if !c.Plain() {
		d := &m.Text.Decoded
		start := len(d.Data)
		d.Data = c.AppendValue(d.Data)
		r.Value = d.Data[start:len(d.Data):len(d.Data)]
	}
	if c.Token == escape.CSS {
		m.cssToken(r, c.Span)
	}
	return r
}

// cssToken completes a reference that is a token of CSS.
func (m *Maker) cssToken(r *ref.Ref, s text.Span) {
	if !utf8.Valid(r.Value) {
		r.Value, r.Broken = m.Text.valid(r.Value), true
	}
	if m.Text.splits(&m.Value, s) {
		m.Text.Doc.Problem(r.Start, SplitReference)
		r.ListOnly = true
		r.Unsafe = true // an edit would remove the tag, and </form> and </body> have an effect
	}
}

// splits reports whether the span of v contains a dropped tag.
func (t *Text) splits(v *Value, s text.Span) bool {
	if len(t.Dropped) == 0 {
		return false
	}
	raw := t.Span(v, s)
	n, _ := slices.BinarySearchFunc(t.Dropped, raw.Start, func(tag text.Span, at int) int { return tag.Start - at })
	return n < len(t.Dropped) && t.Dropped[n].Start < raw.End
}

// Add adds the reference in a span of the value, and returns it. It may be changed until the next
// reference is added.
func (m *Maker) Add(s text.Span, list escape.List) *ref.Ref {
	r := m.Text.Doc.Refs.Add()
	m.Fill(r, s, list)
	return r
}

// Fill makes r the reference in a span of the value. r may be an earlier reference. Fill sets the
// fields one by one, because copying a whole Ref each time is too slow.
func (m *Maker) Fill(r *ref.Ref, s text.Span, list escape.List) {
	t, v := m.Text, &m.Value
	r.Span = t.Source(t.Span(v, s))
	r.Value = v.Bytes[s.Start:s.End:s.End]
	r.Kind = m.Kind
	if t.Element == "" {
		t.Element = t.Doc.InternLower(t.Name)
	}
	r.Element, r.Attr, r.Rel = t.Element, m.Attr, t.Rel
	r.Identifier = m.Row.Default == place.Never || m.Kind == place.KindIdentifier ||
		m.ID == place.AttrClassID && m.ID > 0 && place.OpaqueClass(r.Value)
	r.ListOnly = listOnly(m.Row, t.Doc.Options.Lazy)
	r.Doubtful = r.ListOnly && value.IsHost(text.Stripped(r.Value))
	r.Unsafe = false
	r.Form = m.ID > 0 && (m.ID == place.AttrAction || m.ID == place.AttrFormAct)
	r.LayerNumber, r.Broken, r.Doubt, r.Hyphen, r.Unclear = m.Layer, v.Broken, 0, false, false
	r.Joined = false
	r.Template = ref.NoTemplate
	if t.XSLT && m.Raw != nil && m.inBraces(s) {
		r.Template = ref.InXSLT
	}
	r.Text = false
	r.Prefix = m.Row.Type == place.TypePrefix
	r.UTF8 = t.Outer != nil // the charset of a srcdoc is UTF-8
	r.Relative = m.Row.Base != place.BaseNone
	r.Context = escape.Context{Outer: t.Context, List: list, Sheet: m.Sheet}
	m.quote(r, s)
	if t.NoScript {
		r.Context.Fixed = text.IndexFold(r.Value, "</noscript") >= 0 ||
			text.IndexFold(t.Doc.Refs.Data[r.Start:r.End], "</noscript") >= 0
	}
	if v.mapped || t.Outer != nil {
		r.Context.Open = t.openBefore(v, s)
	}
	if t.Rules != nil {
		t.Rules.Settle(t, *v, s, r)
	}
	if !t.Doc.switches.None() {
		t.Doc.settleShift(r)
	}
}

// inBraces reports whether a span of the value, an attribute of a style sheet of XSLT, contains a
// part of an expression in braces (XSLT 1.0 section 7.6.2). It reads each byte of the value once if
// it is called for spans in their order.
func (m *Maker) inBraces(s text.Span) bool {
	v := m.Value.Bytes
	if s.Start < m.braceEnd {
		m.braceEnd, m.braceOpen = 0, false
	}
	for ; m.braceEnd < s.Start; m.braceEnd++ {
		switch v[m.braceEnd] {
		case '{':
			m.braceOpen = true
		case '}':
			m.braceOpen = false
		}
	}
	return m.braceOpen || bytes.ContainsAny(v[s.Start:s.End], "{}")
}

// quote notes the quotes of the attribute in the context of r.
func (m *Maker) quote(r *ref.Ref, s text.Span) {
	if m.Raw == nil {
		r.Context.Quote = '"' // text has no quotes; the escapes of an attribute include all that text needs
		return
	}
	r.Context.Quote = m.Raw.Quote
	switch {
	case m.Raw.Quote != 0:
	case !m.Raw.HasValue:
		r.Context.Bare = escape.BareAbsent
	case s.Start == 0 && s.End == len(m.Value.Bytes):
		r.Context.Bare = escape.BareWhole
	default:
		r.Context.Bare = escape.BarePart
	}
}

// openBefore returns a bit for each text, from t outward. The bit is set if a character reference
// without its semicolon ends where s begins.
func (t *Text) openBefore(v *Value, s text.Span) (open uint16) {
	if v.mapped && s.Start > 0 && text.OpenBefore(&t.Decoded, v.start+s.Start, t.Data) {
		open = 1
	}
	at := t.Span(v, s).Start
	for bit := uint16(2); t.Outer != nil; bit <<= 1 {
		out := t.Outer
		if at > 0 && text.OpenBefore(&out.Decoded, t.at+at, out.Data) {
			open |= bit
		}
		at = out.Decoded.Raw(text.Span{Start: t.at + at, End: t.at + at}).Start
		t = out
	}
	return open
}

// At returns the span of the decoded text of outer for a span of a value of t, which is outer or
// inside it. mapped is false if the value was not decoded.
func (t *Text) At(outer *Text, v *Value, s text.Span) (at text.Span, mapped bool) {
	if t == outer {
		return text.Span{Start: v.start + s.Start, End: v.start + s.End}, v.mapped
	}
	at = t.Span(v, s)
	for ; t.Outer != outer; t = t.Outer {
		at = t.Outer.Decoded.Raw(text.Span{Start: at.Start + t.at, End: at.End + t.at})
	}
	return text.Span{Start: at.Start + t.at, End: at.End + t.at}, true
}

// listOnly reports whether the references in p are only listed.
func listOnly(p *place.Row, lazy bool) bool {
	switch p.Default {
	case place.ListOnly, place.Never:
		return true
	case place.LazyRewrite:
		return !lazy
	}
	return false
}
