package extract

import (
	"bytes"
	"iter"
	"slices"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/lines"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

// Doc is one document. The caller owns Data, which must not change while references of the document
// are in use. A Doc can be reused for another document: call Reset, and set the fields again.
// Reading then allocates nothing once its memory has grown. A Doc is not safe for concurrent use.
type Doc struct {
	Format Format // Unknown: Detect finds it
	Data   []byte // raw bytes
	// charset that the transport names (Content-Type, an option); if it is "", the byte order mark,
	// a declaration or the content decides
	Charset string
	Layer   *base.Layer // the layers around the document, or nil
	// section number of the document inside a message, or "" outside of messages. If Part is set,
	// Charset may also be a name that the Encoding Standard does not know: see [Doc.Encoding].
	Part    string
	Flowed  bool    // a Plain document is format=flowed: a line may continue on the next line (RFC 3676)
	DelSp   bool    // delsp=yes, with Flowed: the blank at the end of a line that continues is not text
	Cut     bool    // Data is cut short or damaged: a reference at its very end has the warning unclear-end
	Options Options // optional places and rules

	CSV       bool // a Plain document is a table whose fields end at commas (RFC 4180), and so do its bare URLs
	RobotsTxt bool // a Plain document is a robots.txt: a Sitemap line may have a relative reference

	format Format  // of Data, by Format or by Detect
	read   bool    // in has read Data
	in     *reader // nil until the first document is read
}

// reader reads documents, one after the other.
type reader struct {
	reading.Document
	page  page.Finder // page.Text is the text of documents of all formats
	xml   xml.Reader
	inner *Doc // reads pages inside calendars and cards; reused

	problems []Problem // memory for Doc.Problems
}

// markup implements [lines.HTML]: it calls add with each reference of the page in data.
func (r *reader) markup(data []byte, add func(lines.PageRef)) {
	if r.inner == nil {
		r.inner = new(Doc)
	}
	d := r.inner
	d.Reset()
	d.Format = HTML
	d.Data = data
	d.Charset = "utf-8"
	d.Options = Options(r.Options)
	for in := range d.Refs() {
		add(lines.PageRef{
			Span: text.Span(in.Span), Value: in.Value, Kind: place.Kind(in.Kind),
			Element: in.Element, Attr: in.Attr, Rel: in.Rel, Identifier: in.Identifier,
		})
	}
}

// Reset clears the exported fields and drops the document, but keeps the memory.
func (d *Doc) Reset() {
	*d = Doc{in: d.in}
}

// Refs yields every reference of the document in document order, each one as a byte span. Listing
// and rewriting both use it. Each range over the sequence reads the whole document before it yields
// the first reference, since a BASE applies to references before it. Pointers and slices in a Ref
// are valid until the next Refs or Reset of d.
func (d *Doc) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		d.find()
		r, shape := Ref{}, none
		for i := range d.in.Refs.Kept {
			shape = d.ref(&r, i, shape)
			if !yield(r) {
				return
			}
		}
	}
}

// none is a number that no shape has.
const none = ^uint32(0)

// ref sets r to the reference with index i, and returns the number of its shape. shape is the
// number of the current shape of r; most references have the same shape as the previous one.
func (d *Doc) ref(r *Ref, i int, shape uint32) uint32 {
	k := &d.in.Refs.Kept[i]
	r.Span = Span(k.Span)
	r.Value = d.in.Refs.Value(k)
	if k.Shape != shape {
		s := &d.in.Refs.Shapes[k.Shape]
		r.Kind = Kind(s.Kind)
		r.Element = s.Element
		r.Attr = s.Attr
		r.Rel = s.Rel
		r.Layer = s.Layer
		r.Identifier = s.Identifier
		r.ListOnly = s.ListOnly
		r.Doubtful = s.Doubtful
		r.Unsafe = s.Unsafe
		r.Form = s.Form
		r.shape = s
	}
	return k.Shape
}

// Base returns the innermost layer of the document, or nil. If a BASE element counts, this is its
// layer, with d.Layer around it; otherwise it is d.Layer. Base describes the last reading of the
// document. If d was not read since Reset, Base reads it first. The result is valid until the next
// Refs or Reset.
func (d *Doc) Base() *base.Layer {
	d.once()
	return d.in.Layers.Get(d.in.page.Own)
}

// Layered reports whether a reference of the document has other layers than d.Layer: a BASE, an
// xml:base or a codebase, for instance. Like [Doc.Base], it describes the last reading.
func (d *Doc) Layered() bool {
	d.once()
	for i := range d.in.Refs.Shapes {
		if d.in.Refs.Shapes[i].Layer != d.Layer {
			return true
		}
	}
	return false
}

// Encoding returns the name of the charset that the document is read in. It is in lower case as in
// the Encoding Standard, never "". A charset that is not declared is guessed from all of Data. In a
// message there are more charsets: names of IANA's registry that the standard does not have, such
// as ibm850, and unknown-8bit for an unknown name. In unknown-8bit only ASCII is read.
func (d *Doc) Encoding() string {
	d.once()
	return d.in.Charset().Name
}

// ReadOnly reports whether the charset of the document is never written, such as UTF-7 in a
// message. No link of such a document is changed.
func (d *Doc) ReadOnly() bool {
	d.once()
	return d.in.ReadOnly()
}

// Robots returns the contents of the meta elements for robots, in their order. These have the name
// "robots" or the name in Options.Robot. The result is valid until the next Refs or Reset.
func (d *Doc) Robots() []string {
	d.once()
	return d.in.Robots
}

// Scanned returns the bytes that were scanned for tags, with the map back to Data. This is Data
// itself if its charset keeps ASCII, otherwise its text in UTF-8. The result is valid until the
// next Refs or Reset.
func (d *Doc) Scanned() *Text {
	d.once()
	if d.in.Whole.Identity() {
		return &Text{Data: d.Data}
	}
	return &Text{Data: d.in.Whole.Data, origin: d.in.Whole.Map}
}

// Gaps returns the offsets in d.Data of the white space before attributes of tags, in order. A line
// end inserted there changes only the white space of the tag. Gaps returns nil if there are no such
// offsets, for formats without tags, and for XML with comments or CDATA sections, which HTML would
// end elsewhere. The result depends only on d.Format and d.Data.
//
// Gaps leaves out uncertain places. Text that switches character sets has no gaps. The search ends
// at an element with its own rules for comments and raw text (foreign content, select, frameset),
// and at a script that contains a comment.
func (d *Doc) Gaps() []int {
	switch d.Format {
	case HTML:
	case XHTML, XML, SVG, Feed, OPML, OpenSearch:
		if bytes.Contains(d.Data, []byte("<!--")) || bytes.Contains(d.Data, []byte("<![CDATA[")) {
			return nil
		}
	default:
		return nil
	}
	if bytes.IndexByte(d.Data, 0x1b) >= 0 || bytes.Contains(d.Data, []byte("~{")) || bytes.IndexByte(d.Data, 0) >= 0 {
		return nil
	}
	return page.Gaps(d.Data)
}

// RawEnds returns the offsets in d.Data at which the texts of raw text elements such as scripts
// end, in reading order. It includes elements in a srcdoc or comment that was read. In Markdown it
// also has the offsets at which blocks begin and the texts of links end. The result is valid until
// the next Refs or Reset.
//
// An edit must not move such an end. Otherwise text would become markup, or markup after it would
// become text.
func (d *Doc) RawEnds() []int {
	d.once()
	return d.in.RawEnds
}

// LinkText returns the text of the link that begins at an offset of d.Data, if the document states
// it beside the reference, as a WAT record does. In Markdown this is the text of a link or image
// without markup, if Options.LinkText is set. Otherwise it returns "". Like [Doc.Base], it
// describes the last reading.
func (d *Doc) LinkText(offset int) string {
	d.once()
	n, ok := slices.BinarySearchFunc(d.in.Texts, offset, func(t reading.LinkText, at int) int { return t.At - at })
	if !ok {
		return ""
	}
	return d.in.Texts[n].Text
}

// Problems returns the defects of the document, the first of each kind, in no particular order, or
// nil. The result is valid until the next Refs or Reset.
func (d *Doc) Problems() []Problem {
	d.once()
	if len(d.in.Problems) == 0 {
		return nil
	}
	list := d.in.problems[:0]
	for _, p := range d.in.Problems {
		list = append(list, Problem{Offset: p.Offset, Kind: Defect(p.Kind), Detail: p.Detail})
	}
	d.in.problems = list
	return list
}

// Identify sets d.Format to the result of [Detect] for d.Data and name, and explains it. named is
// the format according to the name alone, or Unknown. ending is the well-known ending of a file
// name such as ".css", or ""; it is also set for files that are not read as documents. misnamed
// reports that no document with this name begins like d.Data, so the beginning has decided.
func (d *Doc) Identify(name string) (named Format, ending string, misnamed bool) {
	id := identify(d.Data, name)
	d.Format = id.format
	return id.named, id.ending, id.misnamed
}

// once reads the document, unless it was read since Reset.
func (d *Doc) once() {
	if !d.read {
		d.find()
	}
}

// find reads the document.
func (d *Doc) find() {
	d.read = true
	ok := d.begin()
	in := d.in
	if ok {
		in.find(d)
		if !d.format.ListOnly() {
			in.MarkCode(&in.page.Text)
		}
	}
	in.Finish()
}

// begin prepares d.in for reading the document. ok is false if the document cannot be read.
func (d *Doc) begin() (ok bool) {
	if d.in == nil {
		d.in = new(reader)
	}
	d.format = d.Format
	if d.format == Unknown {
		d.format = Detect(d.Data, "")
	}
	in, f := d.in, &d.in.page
	in.Options = reading.Options(d.Options)
	in.Transport = d.Charset
	ok = in.Reset(&f.Text, d.Data, d.format.declaration(), d.Layer, d.Part, &f.Scan)
	f.Reset()
	return ok
}

// declaration returns how documents of the format declare their charset.
func (f Format) declaration() charset.Declaration {
	switch f {
	case HTML, Bookmarks:
		return charset.InMeta
	case XHTML, XML, SVG, Feed, Sitemap, OPML, OpenSearch:
		return charset.InXML
	case CSS:
		return charset.InRule
	case Manifest, JSONFeed, Linkset, WAT, JSONLinkset, Calendar, Heading:
		return charset.FixedUTF8
	}
	return charset.Undeclared
}

// find reads the text as a document in the format of d.
func (r *reader) find(d *Doc) {
	f, t := &r.page, &r.page.Text
	switch d.format {
	case HTML:
		f.HTML()
	case Bookmarks:
		f.Marks = true
		f.HTML()
	case XHTML:
		r.xml.Read(f, place.HTMLSpace)
	case SVG:
		r.xml.Read(f, place.SVGSpace)
	case XML, Feed, Sitemap, OPML, OpenSearch:
		r.xml.Read(f, place.NoSpace)
	case Markdown:
		if page.Markdown == nil {
			r.Problem(0, reading.UnknownFormat)
			return
		}
		page.Markdown(f)
	case CSS:
		page.Sheet(t)
	case Manifest:
		page.Manifest(t)
	case JSONFeed:
		f.Feed()
	case URLList:
		lines.URLs(t)
	case HeaderRules:
		lines.Rules(t)
	case Linkset:
		lines.Linkset(t)
	case WAT:
		f.WAT()
	case JSONLinkset:
		page.Linkset(t)
	case Script:
		page.Script(t)
	case Plain:
		switch {
		case d.Flowed:
			lines.Flowed(t, d.DelSp)
		case d.RobotsTxt:
			lines.Robots(t)
		case d.CSV:
			lines.Table(t)
		default:
			lines.Plain(t)
		}
	case Heading:
		lines.Heading(t)
	case Calendar:
		lines.Calendar(t, r.markup)
	case Card:
		lines.Card(t, r.markup)
	case Enriched:
		lines.Enriched(t)
	default:
		r.Problem(0, reading.UnknownFormat)
	}
}
