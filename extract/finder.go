package extract

import (
	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// The finder walks the tags of one HTML text. The scanner hands it only tags
// with an attribute whose name may be in the table; the finder looks the names
// up, decodes the values where a '&' or a byte above ASCII stands in them, cuts
// lists, and records references. A srcdoc is read by a finder of its own, whose
// text is mapped back onto the bytes of the outer one.

// finder finds the references of one HTML text.
type finder struct {
	doc     *Doc
	table   *place.Lookup
	data    []byte // UTF-8, or a charset that can be scanned as it is
	scan    markup.Scanner
	text    text.Text // decoded values of this text, one after the other
	json    json.Scanner
	context *escape.Context // of data in the text around it; nil at the top
	outer   *finder         // whose decoded value data is; nil at the top
	at      int             // offset of data in outer.text
	inner   *finder         // for srcdoc, kept for the next one
	depth   int             // number of outer finders
	frame   ref.Ref         // scratch: the srcdoc being read

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

	simple bool        // the text is HTML, and the document itself
	quick  [512]repeat // by number of an attribute, and whether there are link types
	texts  uint32      // number of texts that were read

	block     *place.Row // the row of the text of the script element whose name begins at blockAt, nil = none
	blockAt   int
	sheetSkip bool // the style element being read is of another language

	svgStyle   int         // where the text of an open svg style element begins, 0 = none
	svgDepth   int         // how deep that element is
	svgDropped []text.Span // end tags in its text that close nothing
}

// maxSrcdoc is how deep documents in srcdoc attributes are read.
const maxSrcdoc = 8

// reset makes f read data, a text around which the layer number early lies.
func (f *finder) reset(data []byte, early int) {
	f.data, f.early, f.based, f.commented = data, early, false, false
	f.context, f.outer, f.at = nil, nil, 0
	f.own = f.doc.layers.Add(base.None, "", early)
	f.late, f.xmlDoc = f.own, nil
	f.svgStyle, f.blockAt, f.simple = 0, -1, false
	f.table = place.HTML()
	f.scan.Filter, f.scan.Only = f.wants(), f.kinds()
	f.scan.Reset(data)
}

// inside returns the finder for a document inside of this one: v, around which
// the layer number early lies.
func (f *finder) inside(v decoded, early int) *finder {
	if f.inner == nil {
		f.inner = &finder{doc: f.doc, depth: f.depth + 1}
	}
	in := f.inner
	in.reset(v.bytes, early)
	in.outer, in.at, in.xmlDoc = f, v.start, f.xmlDoc
	return in
}

// wants returns what the scanner keeps.
func (f *finder) wants() *markup.Filter {
	return f.table.WantFor(f.doc.Options.Lazy, f.doc.Options.Scripts)
}

// readsComments reports whether f looks at comments.
func (f *finder) readsComments() bool { return f.doc.Options.Comments || f.doc.Part != "" }

// kinds returns the kinds of tokens that f looks at.
func (f *finder) kinds() markup.Kinds {
	if f.readsComments() {
		return markup.Set(markup.StartTag, markup.RawText, markup.Comment)
	}
	return markup.Set(markup.StartTag, markup.RawText)
}

// rowOf returns the row of the table with a number from the matrix, or that of the
// same place that applies to the element; nil if there is none or the options
// leave it out.
func (f *finder) rowOf(n uint8) *place.Row {
	if n == 0 {
		return nil
	}
	p := place.RowAt(n)
	if c := place.ChoiceOf(n); c != nil {
		best := len(c.Rows)
		for i := range c.Tests {
			if a := f.attribute(c.Tests[i].Attr); a != nil {
				best = c.Tests[i].Find(text.Stripped(f.value(a).bytes), best)
			}
		}
		p = c.Row(best)
	}
	if p == nil || p.Default == place.Lazy && !f.doc.Options.Lazy || p.Default == place.Scripts && !f.doc.Options.Scripts {
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

// layerFor returns the number of the layer that a place is resolved against.
func (f *finder) layerFor(p *place.Row) int {
	switch p.Base {
	case place.BaseOuter:
		return f.early
	case place.BaseSoFar:
		if !f.based {
			return f.early
		}
	case place.BaseCodebase:
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
		if a := f.attribute(place.AttrCodebase); a != nil {
			value := f.doc.intern(f.value(a).bytes)
			f.codebase = f.doc.layers.Add(base.Codebase, value, f.late)
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
		f.doc.bases = append(f.doc.bases, baseTag{f.doc.refs.Last.Start, text.Span{Start: f.scan.Start, End: f.scan.End}})
	}
	if f.based {
		return
	}
	f.based, f.basedAt = true, f.scan.Start
	f.doc.layers.Set(f.own, base.BaseElement, f.doc.intern(href))
	if f.scan.NoScript > 0 {
		f.doc.refs.Last.NoScript = true // its href is the last one read
		f.doc.problem(f.source(text.Span{Start: f.scan.Start, End: f.scan.End}).Start, "base-in-noscript")
	}
}

// framed takes back a BASE that stood in a body whose place a frameset took.
func (f *finder) framed() {
	if f.scan.Frameset && f.based && f.basedAt >= f.scan.Head {
		f.doc.layers.Set(f.own, base.None, "")
	}
}

// source returns the span of the document's bytes for a span of f.data.
func (f *finder) source(s text.Span) text.Span {
	for ; f.outer != nil; f = f.outer {
		s = f.outer.text.Raw(text.Span{Start: s.Start + f.at, End: s.End + f.at})
	}
	return f.doc.whole.Raw(s)
}
