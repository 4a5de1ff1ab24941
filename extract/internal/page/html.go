package page

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// HTML reads the text to its end. Markup is never an error: it is read as browsers read it.
func (f *Finder) HTML() {
	f.repeats.begin(f)
	f.beginText()
	for {
		k := f.Scan.Next()
		if f.readsText() {
			f.passText(k)
		}
		if f.style.start > 0 {
			f.svgStyleText(k)
		}
		switch k {
		case markup.EOF:
			f.framed()
			return
		case markup.StartTag:
			f.tag()
		case markup.RawText:
			f.rawText()
		case markup.Comment:
			if f.ReadsComments() {
				f.Comment()
			}
		}
	}
}

// tag reads the start tag that was just scanned.
func (f *Finder) tag() {
	s := &f.Scan
	row, known := f.table.ElementAt(s.Space, f.Data, s.NameStart, s.NameEnd)
	f.Enter(f.table.Matrix[row], known)
	if f.lookUpAttrs() {
		f.attributes()
	}
	switch known {
	case "style":
		f.styleTag()
	case "script":
		f.Script()
	case "meta":
		f.Robots()
	}
}

// lookUpAttrs sets f.IDs to the numbers of the attributes in the table. any reports whether one of
// the attributes is a place of the table.
func (f *Finder) lookUpAttrs() (any bool) {
	f.IDs = f.IDs[:0]
	for i := range f.Scan.Attrs {
		a := &f.Scan.Attrs[i]
		id := f.table.AttrAt(f.Data, a.NameStart, a.NameEnd)
		f.IDs = append(f.IDs, id)
		any = any || f.Row[id] > 0
	}
	return any
}

// attributes reads the values of the attributes that are places of the table.
func (f *Finder) attributes() {
	if a := f.Attribute(place.AttrRel); a != nil {
		if rel := f.AttrBytes(a); string(rel) != f.lastRel {
			f.lastRel = f.Doc.Intern(rel)
		}
		f.Rel = f.lastRel
	}
	for i, id := range f.IDs {
		n := f.Row[id]
		if n == 0 {
			continue
		}
		p := f.table.Always[n]
		if p == nil {
			p = f.RowOf(n)
		}
		if a := &f.Scan.Attrs[i]; p != nil && !f.reuse(p, a, id) {
			f.Attr(p, a, id)
		}
	}
}

// Attr reads one attribute of the current tag. p is its place; id is its number in the table and
// must not be 0.
func (f *Finder) Attr(p *place.Row, a *markup.Attr, id uint8) {
	switch raw := f.Data[a.Start:a.End]; {
	case p.Type == place.TypeCSS && !markup.MayCall(raw), p.Type == place.TypeNames && !maybeURI(raw):
		return
	}
	if f.Element == "" {
		f.Name = f.Data[f.Scan.NameStart:f.Scan.NameEnd]
	}
	m := reading.Maker{Text: &f.Text, Row: p, Attr: f.table.AttrName(id), ID: id, Raw: a}
	if id == place.AttrXMLNS && a.NameEnd-a.NameStart > len("xmlns") || id == place.AttrOn || id == place.AttrData {
		m.Attr = f.Doc.InternLower(f.Data[a.NameStart:a.NameEnd])
	}
	m.Kind = p.Kind
	if f.Element == "link" && id == place.AttrHref {
		m.Kind = place.LinkKind(f.Rel)
	}
	m.Layer = f.layerFor(p)
	f.NoScript = f.inNoScript()
	m.Value = f.AttrValue(a) // last, because a finder maps only one value at a time
	if id == place.AttrXMLNS {
		f.NoteXSLT(m.Value.Bytes)
	}
	f.Cut(p.Type, &m)
	if p.Base == place.BaseOuter {
		f.baseElement(m.Value.Bytes)
	}
	f.note(p, &m)
}

// xsltSpace is the namespace of XSLT, which all versions share.
const xsltSpace = "http://www.w3.org/1999/XSL/Transform"

// NoteXSLT notes whether the current tag begins a style sheet of XSLT. space is a namespace that
// the tag declares. The result of a style sheet often declares the namespace, too, so the name of
// the tag or its version must show the style sheet (XSLT 1.0 sections 2.2 and 2.3).
func (f *Finder) NoteXSLT(space []byte) {
	if string(space) != xsltSpace || f.versioned == f.Scan.NameStart {
		return
	}
	f.versioned = f.Scan.NameStart
	name := f.Data[f.Scan.NameStart:f.Scan.NameEnd]
	name = bytes.ToLower(name[bytes.IndexByte(name, ':')+1:])
	switch string(name) {
	case "stylesheet", "transform", "package":
		f.XSLT = true
	}
	if bytes.Contains(f.Data[f.Scan.NameEnd:f.Scan.End], []byte(":version")) {
		f.XSLT = true
	}
	if f.XSLT {
		f.repeats.on = false // values that were read before could have no braces
	}
}

// Cut adds the references in the value of m according to the type. If the value is a document,
// another Finder reads it, which f keeps.
func (f *Finder) Cut(t place.ValueType, m *reading.Maker) {
	if t == place.TypeDocument {
		f.document(m)
		return
	}
	m.Cut(t)
}

// document reads a srcdoc.
func (f *Finder) document(m *reading.Maker) {
	if f.Depth == reading.MaxDepth {
		f.Problem(m.Value.Raw.Start, reading.SrcdocTooDeep)
		return
	}
	in := f.inside(m.Value, m.Layer)
	m.Fill(&f.frame, text.Span{}, escape.Single)
	in.Context = f.Doc.Context()
	*in.Context = f.frame.Context
	if in.Context.Bare == escape.BareWhole {
		in.Context.Bare = escape.BarePart
	}
	in.HTML()
}

// Comment reads the comment that was just scanned. Call it only if [Finder.ReadsComments] is true.
func (f *Finder) Comment() {
	s := &f.Scan
	if !bytes.HasPrefix(f.Data[s.Start:], []byte("<!--")) {
		return // a declaration without meaning
	}
	inner := text.Span{Start: s.TextStart, End: s.TextEnd}
	if hidden, ok := conditional(f.Data, inner); ok {
		f.hidden(hidden)
		return
	}
	if !f.Doc.Options.Comments {
		return
	}
	if name, settings, ok := block(f.Data, inner); ok {
		f.block(name, settings)
	} else {
		f.hidden(inner)
	}
}

// block reads the settings of a block of WordPress.
func (f *Finder) block(name []byte, settings text.Span) {
	in := f.commentedAt(settings)
	if in == nil {
		return
	}
	in.Element = f.Doc.InternLower(name)
	m := reading.Maker{Text: &in.Text, Row: place.Block, Kind: place.Block.Kind,
		Layer: in.Current, Value: in.Text.Text(0, len(in.Data)), Sheet: true}
	m.Cut(place.Block.Type)
}

// hidden reads the markup in a comment.
func (f *Finder) hidden(s text.Span) {
	if in := f.commentedAt(s); in != nil {
		in.HTML()
	}
}

// commentedAt returns the finder for a span of a comment, or nil if the span is nested too deep.
func (f *Finder) commentedAt(s text.Span) *Finder {
	if f.Depth == reading.MaxDepth {
		f.Problem(s.Start, reading.SrcdocTooDeep)
		return nil
	}
	in := f.inside(f.Text.Text(s.Start, s.End), f.Current)
	in.commented = true
	in.Context = &escape.Context{Outer: f.Context, Comment: true, Hyphens: f.Rules != nil}
	return in
}
