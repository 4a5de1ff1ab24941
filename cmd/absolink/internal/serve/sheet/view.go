// Package sheet collects the parts of a page that shows a document, and writes them as HTML: the
// base of the document with the figure of RFC 2396 Section 5.1, the links, the source with marks,
// the results of each rule set, and the changes of a rewrite. The caller reads the document.
//
//	v := sheet.NewView(sheet.OptionsOf(query))
//	for d := range documents {
//		v.AddDocument(ctx, finder, d)
//	}
//	sheet.WriteDocument(out, &sheet.Page{View: v, Name: "page.html", Query: query})
//
// Files in reading order:
//
//	view.go      a document that is shown
//	rows.go      the links on a page; rank.go finds them in a sorted order
//	rules.go     differences between the rule sets
//	window.go    the source with marks
//	diff.go      the changes of a rewrite
//	page.go      the content of a page, and the parameters of its address
//	html.go      the first page, the options and the figure; document.go the page of a document
//	samples.go   documents to try
package sheet

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// Finder finds the links of documents for a View.
type Finder interface {
	// Links yields the links of d. A link is valid until the next one. Links is called several
	// times for a document; first is true for the first call.
	Links(d *document.Document, first bool) iter.Seq[*extract.Link]
	// Base returns the base that the layers give, and its layer.
	Base(l *base.Layer) (uri string, from *base.Layer)
	// Explain returns a step for each layer.
	Explain(l *base.Layer) []base.Step
}

// Options say what a page shows.
type Options struct {
	document           int // number of the document; -1 means the first that is not a heading
	page               int // number of the page of rows or items, from 0
	kind, status, host string
	sort               string
	rows               bool // show the links
	// eachLink is called for each link of the document. Then the view collects nothing else.
	eachLink func(n int, d *document.Document, l *extract.Link)
}

// OptionsOf returns the options of a page with the query q in its address.
func OptionsOf(q url.Values) *Options {
	number := func(name string) int { n, _ := strconv.Atoi(q.Get(name)); return max(n, 0) }
	o := &Options{document: -1, page: number("page"), kind: q.Get("kind"),
		status: q.Get("status"), host: q.Get("host"), sort: q.Get("sort")}
	if q.Has("doc") {
		o.document = number("doc")
	}
	view := q.Get("view")
	o.rows = view != "rules" && view != "rewrite"
	return o
}

// Limits of one page.
const (
	pageRows  = 100
	pageItems = 50
	pageParts = 40
	maxRows   = 200000 // references to which the filters apply
	maxText   = 1000   // bytes of a text that are shown
)

// Document is one of the documents in a message, or the only document of another input.
type Document struct {
	N                int
	Part, Type, Base string
	Heading          bool
	Links            int
}

// Box is a box of the figure of Section 5.1.
type Box struct {
	Section, Title string
	Layers         []Layer
	Says           string // text about the possible content of the box
	Used           bool
	Inner          *Box
	Document       *Document // the document inside the innermost box
}

// Layer is a layer in a box.
type Layer struct {
	Source, Part, Value, URI, Reason string
	Used                             bool
}

// Item is an item of a container.
type Item struct {
	N                 int
	Title, From, Date string
	Links             int
}

// View is a document, message or container that a page shows.
type View struct {
	o *Options

	Kind       string
	Documents  []Document
	Problems   []string // what is lost by damage
	Notes      []string
	Page, Last int // current page and last page of rows or items

	documentView
	references
	items
}

// documentView is the document that a page shows.
type documentView struct {
	Doc     int    // number of the document, from 0
	Drawn   bool   // the document was found
	Figure  *Box   // its boxes have layers; nil if no box has any
	Forced  *Layer // the layer that replaces all boxes, or nil
	From    *Layer // the layer that gives the base, or nil
	BaseURI string
	Part    string // part of the message whose decoded body is the document
	Source  []Piece

	data     []byte // bytes of the document; set only during cutSource
	encoding string // encoding of data
}

// references are the references of the document that a page shows.
type references struct {
	Kinds, Statuses, Hosts []Facet
	Rows                   []Row
	Total                  int // number of references that the filters accept

	listed int // number of references that the filters apply to
}

// items has the items of a container that the page shows.
type items struct {
	Container bool // the input is a container
	Items     []Item
	ItemCount int
}

// NewView returns a View without documents.
func NewView(o *Options) *View {
	return &View{o: o, Page: o.page, documentView: documentView{Doc: max(o.document, 0)}}
}

// ShowsNextItem counts an item of a container. It reports whether the page shows the item.
func (v *View) ShowsNextItem() bool {
	v.Container = true
	v.ItemCount++
	return v.ItemCount > v.o.page*pageItems && v.ItemCount <= (v.o.page+1)*pageItems
}

// AddItem adds the item that was counted last. It cuts long texts.
func (v *View) AddItem(it Item) {
	it.N = v.ItemCount
	it.Title = Clip(cmp.Or(it.Title, "without a subject"))
	it.From = Clip(it.From)
	v.Items = append(v.Items, it)
}

// maxRemarks is the largest number of problems, and of notes, on a page.
const maxRemarks = 20

// AddRemark adds a text about a part, or about the whole if part is "". The text is a note if it is
// minor: if nothing was lost. Otherwise it is a problem.
func (v *View) AddRemark(part, text string, minor bool) {
	list := &v.Problems
	if minor {
		list = &v.Notes
	}
	if len(*list) == maxRemarks {
		return
	}
	if part != "" {
		text = "part " + part + ": " + text
	}
	*list = append(*list, Clip(text))
}

// AddDocument adds a document to the view. If it is the document that the page shows, AddDocument
// also reads its links.
func (v *View) AddDocument(ctx context.Context, f Finder, d *document.Document) {
	n := len(v.Documents)
	r := &reader{f, v.o}
	current := n == v.o.document || v.o.document < 0 && n == 0
	if v.o.document < 0 && d.Format != extract.Heading {
		v.o.document, v.Doc, current = n, n, true // the first that is not a heading
	}
	layers := d.Base()
	uri, _ := f.Base(layers)
	shown := Document{N: n, Part: d.Section(), Type: Clip(d.Type),
		Base: Clip(uri), Heading: d.Format == extract.Heading}
	for l := range r.listed(ctx, d, true) {
		if current && v.o.eachLink != nil {
			v.o.eachLink(shown.Links, d, l)
		}
		shown.Links++
		if v.o.eachLink != nil && shown.Links == maxRows {
			break
		}
	}
	v.Documents = append(v.Documents, shown)
	if !current || v.o.eachLink != nil {
		return
	}
	v.BaseURI = shown.Base
	if d.Leaf != nil {
		v.Part = d.Section()
	}
	v.draw(f.Explain(d.Base()), &shown) // the document was read again
	if !v.o.rows {
		return
	}
	v.setRows(ctx, r, d)
	v.data = d.Data
	v.encoding = d.Encoding()
	v.Source = nil
	if d.ReadOnly() {
		v.encoding = "utf-8" // show the bytes of d as they are
	}
	v.cutSource()
	v.data = nil
}

// Clip returns at most maxText bytes of a text, as valid UTF-8. It adds the length of a longer
// text.
func Clip[T string | []byte](text T) string {
	s, rest := string(text[:min(len(text), maxText)]), ""
	if len(text) > maxText {
		rest = "… (" + strconv.Itoa(len(text)) + " bytes)"
		for i := 0; i < utf8.UTFMax && !utf8.ValidString(s); i++ {
			s = s[:len(s)-1]
		}
	}
	return strings.ToValidUTF8(s, "\ufffd") + rest
}

// sections lists the boxes of the figure, the innermost first.
var sections = []struct{ layer, section, title, says string }{
	{"embedded", "5.1.1", "Embedded in the content", "What the document itself says: BASE, or xml:base."},
	{"encapsulating", "5.1.2", "Encapsulating entity",
		"What the message around it says: Content-Base or Content-Location."},
	{"retrieval", "5.1.3", "URI used to retrieve it", "Where it came from: you say that, or a web archive does."},
	{"default", "5.1.4", "Default of the application", "What you say for documents that nothing else gives a base."},
}

// draw makes the figure of a document: the boxes that have layers.
func (v *View) draw(steps []base.Step, d *Document) {
	v.Drawn = true
	v.Figure = nil // another document may have been drawn before
	v.From = nil
	v.Forced = nil
	for _, s := range sections {
		b := &Box{Section: s.section, Title: s.title, Inner: v.Figure}
		for _, step := range steps {
			if step.Layer.Source.Box() != s.layer {
				continue
			}
			l := newLayer(&step)
			b.Layers = append(b.Layers, *l)
			if l.Used {
				b.Used = true
				v.From = l
			}
		}
		if len(b.Layers) == 0 {
			continue
		}
		if b.Inner == nil {
			b.Document = d
		}
		v.Figure = b
	}
	for _, step := range steps {
		if step.Layer.Source == base.Forced {
			v.Forced = newLayer(&step)
			v.From = v.Forced
		}
	}
}

func newLayer(s *base.Step) *Layer {
	return &Layer{s.Layer.Source.String(), s.Layer.Part, Clip(s.Layer.Value), Clip(s.URI), s.Reason, s.Used}
}

// layerNames has the names of sources of layers for people, if they differ from the source.
var layerNames = map[string]string{
	"base-element": "the BASE element", "feed-link": "the link of the feed", "headers-path": "the path of the rule",
	"content-base": "Content-Base", "content-location": "Content-Location", "option": "the option --base",
	"root": "the option --root", "url": "the URL it was retrieved from", "warc-target-uri": "WARC-Target-URI",
	"snapshot": "Snapshot-Content-Location", "default-base": "the option --default-base",
}

// name returns the name of the source of l for people.
func (l *Layer) name() string { return cmp.Or(layerNames[l.Source], l.Source) }

// Finish ends the view of a container. Call it after all items were counted.
func (v *View) Finish() {
	if v.Container {
		v.Last = max(v.ItemCount-1, 0) / pageItems
	}
}

// Parts returns up to pageParts documents that the page offers, around the current one. Headings
// come last, and those without links are left out.
func (v *View) Parts() []Document {
	var list, headings []Document
	for _, d := range v.Documents {
		switch {
		case !d.Heading:
			list = append(list, d)
		case d.Links > 0 || d.N == v.Doc:
			headings = append(headings, d)
		}
	}
	list = append(list, headings...)
	now := slices.IndexFunc(list, func(d Document) bool { return d.N == v.Doc })
	from := max(0, min(now-pageParts/2, len(list)-pageParts))
	return list[from:min(len(list), from+pageParts)]
}

// Name returns the name of a document in its message.
func (d *Document) Name() string {
	switch {
	case d.Part == "" && d.Heading:
		return "header"
	case d.Part == "":
		return "document"
	case d.Heading:
		return "header of part\u00a0" + d.Part
	}
	return "part\u00a0" + d.Part
}

// Dropped returns the number of references of the document that are left out because of maxRows.
func (v *View) Dropped() int {
	if v.Doc >= len(v.Documents) {
		return 0
	}
	return v.Documents[v.Doc].Links - v.listed
}
