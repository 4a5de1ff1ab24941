package extract

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// XML of every vocabulary is read by one walk over its tags, which keeps a stack
// of open elements for three things: the namespaces of prefixes, the layers of
// xml:base, and whose text is read. What an element or an attribute means depends
// on its namespace and local name alone; the format of the document decides only
// for elements that are in no namespace. Elements of XHTML, SVG and MathML are
// looked up in the table of HTML, all others in that of xmltable.go.
//
// The text of an element is read when it ends, since it may come in pieces,
// between comments and CDATA sections (xmltext.go). HTML in the text of a feed
// is read by a finder of its own, as a srcdoc is (feed.go).

// xmlReader reads the XML text of a finder.
type xmlReader struct {
	f     *finder
	open  []xmlElement
	names namespaces
	dtd   entities
	text  xmlText
	feed  feed
	rows  []*place.Row // of the attributes of the tag being read; nil = that of the table of HTML, if any

	first  bool             // the first start tag was read
	bare   place.Vocabulary // of elements in no namespace
	bared  bool             // the element being read is of bare
	silent int              // how many open elements hide their content
	bases  int              // how many xml:base attributes are in force
	marked bool             // a defect was reported
	loads  bool             // the XLink of the tag being read is loaded with the document
}

// xmlElement is an open element.
type xmlElement struct {
	nameStart, nameEnd int
	declared           int // how many declarations of namespaces stood around it
	layer              int // number of the layer around it
	role               role
	hides, based       bool // it hides its content; it has an xml:base
}

// maxXMLBase is how many xml:base attributes may be in force at once: each is
// resolved against the ones around it.
const maxXMLBase = 64

// maxSearch is how many open elements an end tag is looked for in.
const maxSearch = 64

func (f *finder) xhtml()   { f.readXML(place.HTMLSpace) }
func (f *finder) xml()     { f.readXML(place.NoSpace) }
func (f *finder) svg()     { f.readXML(place.SVGSpace) }
func (f *finder) feed()    { f.readXML(place.NoSpace) }
func (f *finder) sitemap() { f.readXML(place.NoSpace) }
func (f *finder) opml()    { f.readXML(place.NoSpace) }

// readXML reads the text to its end. Elements in no namespace are of bare, if the
// first one says nothing else.
func (f *finder) readXML(bare place.Vocabulary) {
	if f.reader == nil {
		f.reader = &xmlReader{f: f}
	}
	x := f.reader
	x.reset(bare)
	f.xmlDoc = x
	for {
		k := f.scan.NextXML()
		x.text.gap(x, k)
		switch k {
		case markup.EOF:
			x.finish()
			return
		case markup.StartTag:
			x.start()
		case markup.EndTag:
			x.end()
		case markup.Instruction:
			x.instruction()
		case markup.Doctype:
			x.doctype()
		case markup.Comment:
			if f.readsComments() {
				f.comment()
			}
		}
	}
}

func (x *xmlReader) reset(bare place.Vocabulary) {
	x.open, x.bare = x.open[:0], bare
	x.first, x.silent, x.bases, x.marked = false, 0, 0, false
	x.names.reset()
	x.dtd.reset()
	x.text.reset()
	x.feed = feed{}
}

// finish looks at what the end of the input leaves open.
func (x *xmlReader) finish() {
	s := &x.f.scan
	if len(x.open) > 0 || s.Start < s.End {
		x.defect(s.Start)
	}
	for len(x.open) > 0 {
		x.close()
	}
}

// defect reports that the text is not well-formed. What is read of it is what a
// forgiving reader would take it for.
func (x *xmlReader) defect(offset int) {
	if !x.marked {
		x.marked = true
		x.problem(offset, "not-well-formed")
	}
}

func (x *xmlReader) problem(offset int, what string) {
	x.f.doc.problem(x.f.source(text.Span{Start: offset, End: offset}).Start, what)
}

// start follows the start tag that was scanned.
func (x *xmlReader) start() {
	f, s := x.f, &x.f.scan
	e := xmlElement{nameStart: s.NameStart, nameEnd: s.NameEnd, declared: len(x.names.saved), layer: f.late}
	x.declare()
	v, local := x.names.element(f.data[s.NameStart:s.NameEnd])
	v = x.placed(v, local)
	x.base(&e)
	e.role = x.feed.enter(x, v, local)
	if x.silent == 0 {
		x.element(v, local)
	}
	e.hides = hides(v, local)
	if s.SelfClosing {
		x.leave(&e)
		return
	}
	if e.hides {
		x.silent++
	}
	x.open = append(x.open, e)
}

// placed returns the namespace of an element, which may have none.
func (x *xmlReader) placed(v place.Vocabulary, local []byte) place.Vocabulary {
	if !x.first {
		x.first = true
		x.bare = bareSpace(v, x.bare, local)
	}
	x.bared = false
	switch {
	case v != place.NoSpace:
		return v
	case x.text.holdsHTML(): // HTML that should have been escaped
		if x.bases == 0 {
			x.f.late = x.text.layer
		}
		return place.HTMLSpace
	}
	x.bared = true
	return x.bare
}

// bareSpace returns the namespace of elements in none, by the namespace and the
// local name of the first one: where that is in one, they are in none indeed.
func bareSpace(v, bare place.Vocabulary, local []byte) place.Vocabulary {
	if v != place.NoSpace {
		return place.NoSpace
	}
	switch string(local) {
	case "rss":
		return place.RSSSpace
	case "feed", "entry":
		return place.AtomSpace
	case "opml":
		return place.OPMLSpace
	case "urlset", "sitemapindex":
		return place.SitemapSpace
	}
	return bare
}

// hides reports whether the content of an element is of another language, though
// it may look like elements.
func hides(v place.Vocabulary, local []byte) bool {
	return (v == place.HTMLSpace || v == place.SVGSpace) && string(local) == "script"
}

// end follows the end tag that was scanned. One that fits no open element is
// ignored; one that fits an outer element closes those inside it as well.
func (x *xmlReader) end() {
	f, s := x.f, &x.f.scan
	name := f.data[s.NameStart:s.NameEnd]
	for i := len(x.open) - 1; i >= max(0, len(x.open)-maxSearch); i-- {
		if e := &x.open[i]; bytes.Equal(f.data[e.nameStart:e.nameEnd], name) {
			if i < len(x.open)-1 {
				x.defect(s.Start)
			}
			for len(x.open) > i {
				x.close()
			}
			return
		}
	}
	x.defect(s.Start)
}

// close closes the innermost open element.
func (x *xmlReader) close() {
	x.text.end(x, len(x.open))
	e := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	if e.hides {
		x.silent--
	}
	x.leave(&e)
}

// leave restores what was in force around an element.
func (x *xmlReader) leave(e *xmlElement) {
	x.feed.leave(e.role)
	x.names.restore(e.declared)
	x.f.late = e.layer
	if e.based {
		x.bases--
	}
}

// base takes the xml:base of the tag as a layer around what is inside of it.
func (x *xmlReader) base(e *xmlElement) {
	f := x.f
	for i := range f.scan.Attrs {
		a := &f.scan.Attrs[i]
		if string(f.data[a.NameStart:a.NameEnd]) != "xml:base" {
			continue
		}
		e.based = true
		x.bases++
		value := f.doc.intern(f.value(a).bytes)
		if x.bases > maxXMLBase {
			x.problem(f.scan.Start, "xml-base-too-deep")
			value = "about:blank" // no base, so that nothing is resolved against a wrong one
		}
		f.late = f.doc.layers.Add(base.XMLBase, value, f.late)
		return
	}
}

// element finds the references of the tag that was scanned.
func (x *xmlReader) element(v place.Vocabulary, local []byte) {
	f := x.f
	f.rel, f.codebase = "", 0
	own, known := place.XML().Element(v, local)
	f.row = f.table.Generic
	sp, html := v.MarkupSpace()
	f.scan.Space = sp
	if html {
		f.row, known = x.htmlRow(v, sp, local)
	}
	if f.element = known; known == "" {
		f.element = f.doc.internLower(local)
	}
	if x.number(own, html) {
		x.attributes()
	}
	if !f.scan.SelfClosing {
		x.text.begin(x, v, own)
	}
}

// htmlRow returns the row of an element in the table of HTML. Names of XHTML
// elements are in lower case.
func (x *xmlReader) htmlRow(v place.Vocabulary, sp markup.Space, local []byte) (row []uint8, known string) {
	var buf [place.LongestName + 2]byte
	switch {
	case v == place.VMLSpace:
		local = append(append(buf[:0], "v:"...), local...)
	case v == place.HTMLSpace && (hasUpper(local) || string(local) == "image"):
		return x.f.table.Matrix[place.AnyHTML], ""
	case len(local) > 0 && isUpper(local[0]): // no name of SVG and MathML
		local = nil
	}
	n, known := x.f.table.Element(sp, local)
	return x.f.table.Matrix[n], known
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

// number looks up the attributes of the tag, and reports whether one of them is a
// place of a table.
func (x *xmlReader) number(own []int8, html bool) (any bool) {
	f := x.f
	f.ids, x.rows = f.ids[:0], x.rows[:0]
	for i := range f.scan.Attrs {
		var buf [2 * place.LongestName]byte
		a := &f.scan.Attrs[i]
		name := x.names.attribute(buf[:0], f.data[a.NameStart:a.NameEnd])
		id := f.table.Attr(name)
		if html && f.scan.Space == markup.HTML && hasUpper(name) {
			id = 0
		}
		p := xmlRow(own, name, html && id > 0 && f.row[id] > 0)
		f.ids, x.rows = append(f.ids, id), append(x.rows, p)
		any = any || p != nil || f.row[id] > 0
	}
	return any
}

// xmlRow returns the row of an attribute in the table of XML, nil if there is
// none. That of any element counts where the table of HTML says nothing.
func xmlRow(own []int8, name []byte, html bool) *place.Row {
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
func (x *xmlReader) attributes() {
	f := x.f
	if a := f.attribute(place.AttrRel); a != nil {
		f.rel = f.doc.intern(f.value(a).bytes)
	}
	x.loads = x.embeds()
	for i, id := range f.ids {
		a := &f.scan.Attrs[i]
		if x.rows[i] != nil {
			x.attr(x.rows[i], a)
		} else if p := f.rowOf(f.row[id]); p != nil {
			f.attr(p, a, id)
		}
	}
}

// attr reads one attribute that is the place p.
func (x *xmlReader) attr(p *place.Row, a *markup.Attr) {
	f := x.f
	m := maker{f: f, row: p, kind: p.Kind, layer: f.late, raw: a}
	var buf [2 * place.LongestName]byte
	name := x.names.attribute(buf[:0], f.data[a.NameStart:a.NameEnd])
	m.attr = f.doc.internLower(name)
	switch {
	case f.element == "link" && m.attr == "href":
		m.kind = feedLinkKind(f.rel)
	case m.attr == "xlink:href" && x.loads:
		m.kind = place.KindRes
	case m.attr == "xml:base":
		m.layer = f.doc.layers.OuterOf(f.late)
	}
	m.v = f.value(a)
	f.cut(p.Type, &m)
}

// embeds reports whether the XLink of the tag is loaded with the document.
func (x *xmlReader) embeds() bool {
	f := x.f
	for i := range f.scan.Attrs {
		var buf [2 * place.LongestName]byte
		a := &f.scan.Attrs[i]
		value := f.data[a.Start:a.End]
		switch string(x.names.attribute(buf[:0], f.data[a.NameStart:a.NameEnd])) {
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

// declare takes the declarations of namespaces in the tag.
func (x *xmlReader) declare() {
	f := x.f
	for i := range f.scan.Attrs {
		a := &f.scan.Attrs[i]
		name := f.data[a.NameStart:a.NameEnd]
		if len(name) < len("xmlns") || string(name[:len("xmlns")]) != "xmlns" {
			continue
		}
		switch prefix := name[len("xmlns"):]; {
		case len(prefix) == 0:
			x.names.declare(nil, f.value(a).bytes)
		case prefix[0] == ':':
			x.names.declare(prefix[1:], f.value(a).bytes)
		}
	}
}
