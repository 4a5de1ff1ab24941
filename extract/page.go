package extract

import (
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
)

// html reads the text to its end.
func (f *finder) html() {
	f.simple = f.outer == nil && f.context == nil && f.xmlDoc == nil && f.doc.whole.Identity() && !f.doc.Options.Scripts
	f.forget()
	for {
		k := f.scan.Next()
		if f.svgStyle > 0 {
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
			f.comment()
		}
	}
}

// tag looks at the start tag that was scanned.
func (f *finder) tag() {
	s := &f.scan
	row, known := f.table.ElementAt(s.Space, f.data, s.NameStart, s.NameEnd)
	f.row, f.element, f.rel, f.codebase = f.table.Matrix[row], known, "", 0
	if f.number() {
		f.attributes()
	}
	switch known {
	case "style":
		f.styleTag()
	case "script":
		f.scriptTag()
	}
}

// number looks the names of the attributes up and reports whether one of them
// is a place of the table.
func (f *finder) number() (any bool) {
	f.ids = f.ids[:0]
	for i := range f.scan.Attrs {
		a := &f.scan.Attrs[i]
		id := f.table.AttrAt(f.data, a.NameStart, a.NameEnd)
		f.ids = append(f.ids, id)
		any = any || f.row[id] > 0
	}
	return any
}

// attributes reads the values of the attributes that are places of the table.
func (f *finder) attributes() {
	if a := f.attribute(place.AttrRel); a != nil {
		if rel := f.value(a).bytes; string(rel) != f.lastRel {
			f.lastRel = f.doc.intern(rel)
		}
		f.rel = f.lastRel
	}
	for i, id := range f.ids {
		n := f.row[id]
		if n == 0 {
			continue
		}
		p := f.table.Always[n]
		if p == nil {
			p = f.rowOf(n)
		}
		if a := &f.scan.Attrs[i]; p != nil && !f.again(p, a, id) {
			f.attr(p, a, id)
		}
	}
}

// attr reads one attribute that is the place p.
func (f *finder) attr(p *place.Row, a *markup.Attr, id uint8) {
	switch raw := f.data[a.Start:a.End]; {
	case p.Type == place.TypeCSS && !maybeCSS(raw), p.Type == place.TypeNames && !maybeURI(raw):
		return
	}
	m := maker{f: f, row: p, attr: f.table.AttrName(id), id: id, raw: a}
	if id == place.AttrXMLNS && a.NameEnd-a.NameStart > len("xmlns") || id == place.AttrOn {
		m.attr = f.doc.internLower(f.data[a.NameStart:a.NameEnd])
	}
	m.kind = p.Kind
	if f.element == "link" && id == place.AttrHref {
		m.kind = place.LinkKind(f.rel)
	}
	m.layer = f.layerFor(p)
	m.v = f.value(a) // last: a finder maps one value at a time
	f.cut(p.Type, &m)
	if p.Base == place.BaseOuter {
		f.baseElement(m.v.bytes)
	}
	f.note(p, &m)
}
