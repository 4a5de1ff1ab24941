package xml

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
)

// Read reads the text of f to its end. The caller has set this text to a document and reset it.
// Read keeps f until the next Read. Text that is not well-formed is a problem, never an error.
// defaultSpace is the vocabulary of elements without a namespace, unless the first element decides
// otherwise.
func (x *Reader) Read(f *page.Finder, defaultSpace place.Vocabulary) {
	x.f = f
	x.reset(defaultSpace)
	f.Rules = x
	for {
		k := f.Scan.NextXML()
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
			if f.ReadsComments() {
				f.Comment()
			}
		}
	}
}

// finish closes the elements that are still open at the end of the input, and reports the defect.
func (x *Reader) finish() {
	s := &x.f.Scan
	if len(x.open) > 0 || s.Start < s.End {
		x.defect(s.Start)
	}
	x.f.Doc.Open = len(x.open) > 0
	for len(x.open) > 0 {
		x.close()
	}
}

// start handles the start tag that was just scanned.
func (x *Reader) start() {
	f, s := x.f, &x.f.Scan
	e := element{nameStart: s.NameStart, nameEnd: s.NameEnd, declared: len(x.names.saved), layer: f.Current}
	x.declare()
	v, local := x.names.element(f.Data[s.NameStart:s.NameEnd])
	v = x.placed(v, local)
	x.base(&e)
	e.role = x.feed.enter(&x.f.Text, v, local)
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

// placed returns the namespace of an element. v is its declared namespace, if any.
func (x *Reader) placed(v place.Vocabulary, local []byte) place.Vocabulary {
	if !x.first {
		x.first = true
		x.defaultSpace = defaultSpaceFor(v, x.defaultSpace, local)
	}
	x.f.Other = false
	switch {
	case v != place.NoSpace:
		return v
	case x.text.holdsHTML(): // HTML that should have been escaped
		if x.bases == 0 {
			x.f.Current = x.text.layer
		}
		return place.HTMLSpace
	}
	x.f.Other = true
	return x.defaultSpace
}

// defaultSpaceFor returns the namespace for elements without one. v and local are the namespace and
// the local name of the first element. If the first element has a namespace, elements without one
// really have none.
func defaultSpaceFor(v, defaultSpace place.Vocabulary, local []byte) place.Vocabulary {
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
	case "OpenSearchDescription":
		return place.SearchSpace
	case "browserconfig":
		return place.TileSpace
	}
	return defaultSpace
}

// end handles the end tag that was just scanned. An end tag that matches no open element is
// ignored. An end tag of an outer element also closes the elements inside it.
func (x *Reader) end() {
	f, s := x.f, &x.f.Scan
	name := f.Data[s.NameStart:s.NameEnd]
	for i := len(x.open) - 1; i >= max(0, len(x.open)-maxSearch); i-- {
		if e := &x.open[i]; bytes.Equal(f.Data[e.nameStart:e.nameEnd], name) {
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
func (x *Reader) close() {
	x.text.end(x, len(x.open))
	e := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	if e.hides {
		x.silent--
	}
	x.leave(&e)
}

// leave restores the state from before an element.
func (x *Reader) leave(e *element) {
	x.feed.leave(e.role)
	x.names.restore(e.declared)
	x.f.Current = e.layer
	if e.based {
		x.bases--
	}
}

// base makes the xml:base of the tag a layer around the content of the element.
func (x *Reader) base(e *element) {
	f := x.f
	for i := range f.Scan.Attrs {
		a := &f.Scan.Attrs[i]
		if string(f.Data[a.NameStart:a.NameEnd]) != "xml:base" {
			continue
		}
		e.based = true
		x.bases++
		value := f.Doc.Intern(f.AttrBytes(a))
		if x.bases > maxXMLBase {
			f.Problem(f.Scan.Start, reading.XMLBaseTooDeep)
			value = "about:blank" // not a base, so that nothing is resolved against a wrong one
		}
		f.Current = f.Doc.Layers.Add(base.XMLBase, value, f.Current)
		if f.XSLT && strings.ContainsAny(value, "{}") {
			f.Doc.Layers.SetPattern(f.Current)
		}
		return
	}
}

// declare applies the namespace declarations in the tag.
func (x *Reader) declare() {
	f := x.f
	for i := range f.Scan.Attrs {
		a := &f.Scan.Attrs[i]
		name := f.Data[a.NameStart:a.NameEnd]
		if len(name) < len("xmlns") || string(name[:len("xmlns")]) != "xmlns" {
			continue
		}
		f.NoteXSLT(f.AttrBytes(a))
		switch prefix := name[len("xmlns"):]; {
		case len(prefix) == 0:
			x.names.declare(nil, f.AttrBytes(a))
		case prefix[0] == ':':
			x.names.declare(prefix[1:], f.AttrBytes(a))
		}
	}
}
