package xml

import (
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// element finds the references of the tag that was just scanned.
func (x *Reader) element(v place.Vocabulary, local []byte) {
	f := x.f
	own, known := place.XML().Element(v, local)
	row := place.HTML().Generic
	sp, html := v.MarkupSpace()
	f.Scan.Space = sp
	if html {
		row, known = x.htmlRow(v, sp, local)
	}
	if known == "" {
		known = x.name(local)
	}
	f.Enter(row, known)
	if x.lookUpAttrs(own, html) {
		x.attributes()
	}
	if html && known == "meta" {
		f.Robots()
	}
	if !f.Scan.SelfClosing {
		x.text.begin(x, v, own)
	}
}

// name returns the name of the current element in lower case: the local name, or the whole name if
// nothing follows the colon.
func (x *Reader) name(local []byte) string {
	if len(local) == 0 {
		local = x.f.Data[x.f.Scan.NameStart:x.f.Scan.NameEnd]
	}
	return x.f.Doc.InternLower(local)
}

// htmlRow returns the row of an element in the table of HTML. The names of XHTML elements are in
// lower case.
func (x *Reader) htmlRow(v place.Vocabulary, sp markup.Space, local []byte) (row []uint8, known string) {
	var buf [place.LongestName + 2]byte
	switch {
	case v == place.VMLSpace:
		local = append(append(buf[:0], "v:"...), local...)
	case v == place.HTMLSpace && (hasUpper(local) || string(local) == "image"):
		return place.HTML().Matrix[place.AnyHTML], ""
	case len(local) > 0 && isUpper(local[0]): // SVG and MathML have no such names
		local = nil
	}
	n, known := place.HTML().Element(sp, local)
	return place.HTML().Matrix[n], known
}

func hasUpper(name []byte) bool {
	for _, c := range name {
		if isUpper(c) {
			return true
		}
	}
	return false
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// lookUpAttrs looks up the attributes of the tag in the tables. any reports whether one of them is
// a place of a table.
func (x *Reader) lookUpAttrs(own []int8, html bool) (any bool) {
	f := x.f
	f.IDs, x.rows = f.IDs[:0], x.rows[:0]
	for i := range f.Scan.Attrs {
		var buf [2 * place.LongestName]byte
		a := &f.Scan.Attrs[i]
		name := x.names.attribute(buf[:0], f.Data[a.NameStart:a.NameEnd])
		id := place.HTML().Attr(name)
		if html && f.Scan.Space == markup.HTML && hasUpper(name) {
			id = 0
		}
		p := rowOf(own, name, html && id > 0 && f.Row[id] > 0)
		f.IDs, x.rows = append(f.IDs, id), append(x.rows, p)
		any = any || p != nil || f.Row[id] > 0
	}
	return any
}

// rowOf returns the row of an attribute in the table of XML, or nil. A row for any element counts
// only if the table of HTML has no row.
func rowOf(own []int8, name []byte, html bool) *place.Row {
	id := place.XML().Attr(name)
	switch {
	case id == 0:
		return nil
	case own[id] > 0:
		return place.XMLRow(own[id])
	case html && !text.HasPrefixFold(name, "xsi:") && !text.IsFold(name, "xml:base"):
		return nil
	}
	return place.XML().Any(id)
}

// attributes reads the values of the attributes that are places.
func (x *Reader) attributes() {
	f := x.f
	if a := f.Attribute(place.AttrRel); a != nil {
		f.Rel = f.Doc.Intern(f.AttrBytes(a))
	}
	x.loads = x.embeds()
	for i, id := range f.IDs {
		a := &f.Scan.Attrs[i]
		if x.rows[i] != nil {
			x.attr(x.rows[i], a)
		} else if p := f.RowOf(f.Row[id]); p != nil {
			f.Attr(p, a, id)
		}
	}
}

// attr reads the attribute at the place p.
func (x *Reader) attr(p *place.Row, a *markup.Attr) {
	f := x.f
	m := reading.Maker{Text: &f.Text, Row: p, Kind: p.Kind, Layer: f.Current, Raw: a}
	var buf [2 * place.LongestName]byte
	name := x.names.attribute(buf[:0], f.Data[a.NameStart:a.NameEnd])
	m.Attr = f.Doc.InternLower(name)
	switch {
	case f.Element == "link" && m.Attr == "href":
		m.Kind = feedLinkKind(f.Rel)
	case m.Attr == "xlink:href" && x.loads:
		m.Kind = place.KindRes
	case m.Attr == "xml:base":
		m.Layer = f.Doc.Layers.OuterOf(f.Current)
	}
	m.Value = f.AttrValue(a)
	f.Cut(p.Type, &m)
}

// embeds reports whether the XLink of the tag is loaded with the document.
func (x *Reader) embeds() bool {
	f := x.f
	for i := range f.Scan.Attrs {
		var buf [2 * place.LongestName]byte
		a := &f.Scan.Attrs[i]
		value := f.Data[a.Start:a.End]
		switch string(x.names.attribute(buf[:0], f.Data[a.NameStart:a.NameEnd])) {
		case "xlink:show":
			return string(value) == "embed"
		case "xlink:actuate":
			if string(value) == "onLoad" {
				return true
			}
		}
	}
	return false
}
