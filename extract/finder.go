package extract

import (
	"absolink/base"
	"absolink/extract/internal/css"
	"absolink/extract/internal/json"
	"absolink/extract/internal/markup"
)

// The finder walks the tags of one HTML text. The scanner hands it only tags
// with an attribute whose name may be in the table; the finder looks the names
// up, decodes the values where a '&' or a byte above ASCII stands in them, cuts
// lists, and records references. A srcdoc is read by a finder of its own, whose
// text is mapped back onto the bytes of the outer one.

// finder finds the references of one HTML text.
type finder struct {
	doc   *Doc
	table *lookup
	data  []byte // UTF-8, or a charset that can be scanned as it is
	scan  markup.Scanner
	text  Text // decoded values of this text, one after the other
	css   css.Scanner
	json  json.Scanner
	place *place  // of data in the text around it; nil at the top
	outer *finder // whose decoded value data is; nil at the top
	at    int     // offset of data in outer.text
	inner *finder // for srcdoc, kept for the next one
	depth int     // number of outer finders
	frame Ref     // scratch: the srcdoc being read

	early     int // number of the layer around this text
	own       int // number of the layer of its BASE, the same as early's if there is none
	late      int // number of the innermost layer: own, or one of xml:base inside of it
	based     bool
	basedAt   int  // where the tag of its BASE begins
	commented bool // the text stands in a comment

	xmlDoc *xmlReader // of the XML text that this text is or stands in; nil = none
	reader *xmlReader // kept for the next one

	element  string // of the tag being read; "" until it is needed, if the table lacks it
	row      []uint8
	ids      []uint8 // numbers of its attributes
	rel      string
	lastRel  string // that was not empty
	codebase int    // number of the layer of its codebase, 0 = not looked for

	simple    bool // the text is HTML, and the document itself
	sames     [1 << sameTagsBits]sameTag
	simpleTag *markup.SimpleTag // the tag that Pass was shown last and left, nil = none
	quick     [512]repeat       // by number of an attribute, and whether there are link types
	texts     uint32            // number of texts that were read

	block     *Place // the row of the text of the script element whose name begins at blockAt, nil = none
	blockAt   int
	sheetSkip bool // the style element being read is of another language

	svgStyle   int    // where the text of an open svg style element begins, 0 = none
	svgDepth   int    // how deep that element is
	svgDropped []Span // end tags in its text that close nothing
}

// maxSrcdoc is how deep documents in srcdoc attributes are read.
const maxSrcdoc = 8

// reset makes f read data, a text around which the layer number early lies.
func (f *finder) reset(data []byte, early int) {
	f.data, f.early, f.based, f.commented = data, early, false, false
	f.place, f.outer, f.at = nil, nil, 0
	f.own = f.doc.layers.add(base.None, "", early)
	f.late, f.xmlDoc = f.own, nil
	f.svgStyle, f.blockAt, f.simple = 0, -1, false
	f.table = table()
	f.scan.Filter, f.scan.Only = f.table.wantFor(&f.doc.Options), f.kinds()
	f.scan.Reset(data)
}

// html reads the text to its end.
func (f *finder) html() {
	f.simple = f.outer == nil && f.place == nil && f.xmlDoc == nil && f.doc.whole.Identity() && !f.doc.Options.Scripts
	f.forget()
	if f.scan.Passer = nil; f.simple {
		f.scan.Passer = f
	}
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
	row, known := f.table.elementAt(s.Space, f.data, s.NameStart, s.NameEnd)
	f.row, f.element, f.rel, f.codebase = f.table.matrix[row], known, "", 0
	if f.number() {
		f.attributes()
	}
	switch known {
	case "style":
		f.styleTag()
	case "script":
		f.scriptTag()
	default:
		f.noteTag()
	}
}

// number looks the names of the attributes up and reports whether one of them
// is a place of the table.
func (f *finder) number() (any bool) {
	f.ids = f.ids[:0]
	for i := range f.scan.Attrs {
		a := &f.scan.Attrs[i]
		id := f.table.attrAt(f.data, a.NameStart, a.NameEnd)
		f.ids = append(f.ids, id)
		any = any || f.row[id] > 0
	}
	return any
}

// attributes reads the values of the attributes that are places of the table.
func (f *finder) attributes() {
	if a := f.attribute(attrRel); a != nil {
		if rel := f.value(a.Start, a.End).bytes; string(rel) != f.lastRel {
			f.lastRel = f.doc.intern(rel)
		}
		f.rel = f.lastRel
	}
	for i, id := range f.ids {
		n := f.row[id]
		if n == 0 {
			continue
		}
		p := f.table.always[n]
		if p == nil {
			p = f.rowOf(n)
		}
		if a := &f.scan.Attrs[i]; p != nil && !f.again(p, a, id) {
			f.attr(p, a, id)
		}
	}
}

// rowOf returns the row of the table with a number from the matrix, or that of the
// same place that applies to the element; nil if there is none or the options
// leave it out.
func (f *finder) rowOf(n uint8) *Place {
	if n == 0 {
		return nil
	}
	p := &places[n-1]
	if c := choiceOf(n); c != nil {
		best := len(c.rows)
		for i := range c.tests {
			if a := f.attribute(c.tests[i].attr); a != nil {
				best = c.tests[i].find(stripped(f.value(a.Start, a.End).bytes), best)
			}
		}
		p = c.row(best)
	}
	if p == nil || p.Default == Lazy && !f.doc.Options.Lazy || p.Default == Scripts && !f.doc.Options.Scripts {
		return nil
	}
	return p
}

// attribute returns the attribute of a number, nil if there is none.
func (f *finder) attribute(id uint8) *markup.Attr {
	for i, n := range f.ids {
		if n == id {
			return &f.scan.Attrs[i]
		}
	}
	return nil
}

// attr reads one attribute that is the place p.
func (f *finder) attr(p *Place, a *markup.Attr, id uint8) {
	switch raw := f.data[a.Start:a.End]; {
	case p.Type == TypeCSS && !maybeCSS(raw), p.Type == TypeNames && !maybeURI(raw):
		return
	}
	m := maker{f: f, row: p, attr: f.table.attrs.list[id-1], id: id, raw: a}
	if id == attrXMLNS && a.NameEnd-a.NameStart > len("xmlns") || id == attrOn {
		m.attr = f.doc.internLower(f.data[a.NameStart:a.NameEnd])
	}
	m.kind = p.Kind
	if f.element == "link" && id == attrHref {
		m.kind = LinkKind(f.rel)
	}
	m.layer = f.layerFor(p)
	m.v = f.value(a.Start, a.End) // last: a finder maps one value at a time
	f.cut(p.Type, &m)
	if p.Base == BaseOuter {
		f.baseElement(m.v.bytes)
	}
	f.note(p, &m)
}

// layerFor returns the number of the layer that a place is resolved against.
func (f *finder) layerFor(p *Place) int {
	switch p.Base {
	case BaseOuter:
		return f.early
	case BaseSoFar:
		if !f.based {
			return f.early
		}
	case BaseCodebase:
		if !f.doc.Options.HTML5Objects {
			return f.codebaseLayer()
		}
	}
	return f.late
}

// codebaseLayer returns the number of the layer of the element's codebase.
func (f *finder) codebaseLayer() int {
	if f.codebase == 0 {
		f.codebase = f.late
		if a := f.attribute(attrCodebase); a != nil {
			value := f.doc.intern(f.value(a.Start, a.End).bytes)
			f.codebase = f.doc.layers.add(base.Codebase, value, f.late)
		}
	}
	return f.codebase
}

// baseElement takes the href of a base element as the base of the document, if
// it is the first that counts. In XML one without the namespace of XHTML is none.
func (f *finder) baseElement(href []byte) {
	if f.commented || !f.scan.BaseCounts() || f.outer == nil && f.xmlDoc != nil && f.xmlDoc.bared {
		return
	}
	if f.outer == nil {
		f.doc.bases = append(f.doc.bases, baseTag{f.doc.refs.last.Start, Span{f.scan.Start, f.scan.End}})
	}
	if f.based {
		return
	}
	f.based, f.basedAt = true, f.scan.Start
	f.doc.layers.set(f.own, base.BaseElement, f.doc.intern(href))
	if f.scan.NoScript > 0 {
		f.doc.refs.last.noscript = true // its href is the last one read
		f.doc.problem(f.source(Span{f.scan.Start, f.scan.End}).Start, "base-in-noscript")
	}
}

// framed takes back a BASE that stood in a body whose place a frameset took.
func (f *finder) framed() {
	if f.scan.Frameset && f.based && f.basedAt >= f.scan.Head {
		f.doc.layers.set(f.own, base.None, "")
	}
}

// source returns the span of the document's bytes for a span of f.data.
func (f *finder) source(s Span) Span {
	for ; f.outer != nil; f = f.outer {
		s = f.outer.text.Raw(Span{s.Start + f.at, s.End + f.at})
	}
	return f.doc.whole.Raw(s)
}
