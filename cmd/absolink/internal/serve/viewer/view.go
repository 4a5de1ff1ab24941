package viewer

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/base"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/extract"
	"absolink/mime/document"
)

// viewOptions say what a page shows.
type viewOptions struct {
	document           int // number of the document; -1 means the first that is not a heading
	page               int // number of the page of rows or items, from 0
	kind, status, host string
	sort               string
	rows               bool // show the references
	// eachLink is called for each reference of the document. Then the view collects nothing else.
	eachLink func(n int, d *document.Document, l *extract.Link)
	open     int // number of the item to open, from 1; 0 means no item
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

// view reads an upload and holds the result. It is a run.Command with one worker. The page shows
// the exported fields.
type view struct {
	o    *viewOptions
	find *links.Options

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

// items has the items of a container that the page shows, and the item that is opened.
type items struct {
	Container bool // the input is a container
	Items     []Item
	ItemCount int

	opened     *upload
	unopened   error // why the item could not be stored
	openedKind string
	openedURI  string
}

func newView(o *viewOptions) *view {
	return &view{o: o, Page: o.page, documentView: documentView{Doc: max(o.document, 0)}}
}

// command sets the options of v and returns v as the command of a run.
func (v *view) command(find *links.Options) run.Command { v.find = find; return v }

// Unmatched returns nil: a view has no filters of its own.
func (v *view) Unmatched() []string { return nil }

// NewWorker returns the worker of v. Only one goroutine reads the input, so there is only one
// worker.
func (v *view) NewWorker(r *run.Run) container.Worker {
	return &viewWorker{v, links.NewFinder(v.find), r}
}

type viewWorker struct {
	v    *view
	find *links.Finder
	run  *run.Run
}

// Work reads an input, or an item of it.
func (w *viewWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	v := w.v
	if in.Kind.Container() {
		v.Container = true
		v.Kind = in.Kind.String()
		w.run.Containers.List(ctx, in, out, e)
		return
	}
	if v.Container {
		w.item(in, e)
		return
	}
	v.Kind = in.Kind.String()
	if !w.find.Open(in, e) {
		v.Problems = append(v.Problems, cmp.Or(e.Result.Reason(), "cannot be read"))
		return
	}
	for d := range w.find.Docs.All() {
		if ctx.Err() != nil {
			return
		}
		w.document(ctx, d, e)
	}
	w.find.NoteProblems(e, in, w.find.Docs.Problems())
	for _, p := range e.Problems.All() {
		v.remark(&p)
	}
}

// maxRemarks is the largest number of problems, and of notes, on a page.
const maxRemarks = 20

// remark adds p to the problems of the page, or to the notes if nothing was lost.
func (v *view) remark(p *report.Problem) {
	list := &v.Problems
	if p.Minor {
		list = &v.Notes
	}
	if len(*list) == maxRemarks {
		return
	}
	text := p.Text
	if p.Part != "" {
		text = "part " + p.Part + ": " + text
	}
	*list = append(*list, clip(text))
}

// item adds an item of a container to the page. With viewOptions.open it opens the item with that
// number instead.
func (w *viewWorker) item(in *input.Document, e *report.Entry) {
	v := w.v
	v.ItemCount++
	if v.o.open > 0 {
		if v.ItemCount == v.o.open && in.At != nil {
			v.opened, v.unopened = newUpload(in.Reader(), "", in.Size)
			v.openedKind = in.Kind.String()
			v.openedURI = in.Record.Target
		}
		return
	}
	if v.ItemCount <= v.o.page*pageItems || v.ItemCount > (v.o.page+1)*pageItems {
		return
	}
	it := Item{N: v.ItemCount, Title: in.Record.Target}
	if w.find.Open(in, e) {
		m := record.MessageOf(w.find.Docs.Message, true)
		it.Title, it.From, it.Date = cmp.Or(it.Title, m.Subject, m.ID), clip(m.From), m.Date
		for d := range w.find.Docs.All() {
			for l := range w.find.Links(d, e) {
				if w.find.Accept(d, &l, e) {
					it.Links++
				}
			}
		}
	}
	it.Title = clip(cmp.Or(it.Title, "without a subject"))
	v.Items = append(v.Items, it)
}

// document adds a document to the view. If it is the document that the page shows, it also sets
// documentView and references.
func (w *viewWorker) document(ctx context.Context, d *document.Document, e *report.Entry) {
	v, n := w.v, len(w.v.Documents)
	current := n == v.o.document || v.o.document < 0 && n == 0
	if v.o.document < 0 && d.Format != extract.Heading {
		v.o.document, v.Doc, current = n, n, true // the first that is not a heading
	}
	layers := d.Base()
	uri, _ := w.find.Base(layers)
	shown := Document{N: n, Part: d.Section(), Type: clip(d.Type),
		Base: clip(uri), Heading: d.Format == extract.Heading}
	for l := range w.listed(ctx, d, e) {
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
	v.draw(w.find.Explain(d.Base()), &shown) // the document was read again
	if !v.o.rows {
		return
	}
	w.setRows(ctx, d)
	v.data = d.Data
	v.encoding = d.Encoding()
	v.Source = nil
	if d.ReadOnly() {
		v.encoding = "utf-8" // show the bytes of d as they are
	}
	v.cutSource()
	v.data = nil
}

// clip returns at most maxText bytes of a text, as valid UTF-8. It adds the length of a longer
// text.
func clip[T string | []byte](text T) string {
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
func (v *view) draw(steps []base.Step, d *Document) {
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
	return &Layer{s.Layer.Source.String(), s.Layer.Part, clip(s.Layer.Value), clip(s.URI), s.Reason, s.Used}
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

// close closes an opened item that was not stored.
func (v *view) close() {
	if v.opened != nil {
		v.opened.file.Close()
	}
}

// finish sets Last for a container. Call it after everything was read.
func (v *view) finish() {
	if v.Container {
		v.Last = max(v.ItemCount-1, 0) / pageItems
	}
}

// Parts returns up to pageParts documents that the page offers, around the current one. Headings
// come last, and those without links are left out.
func (v *view) Parts() []Document {
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
func (v *view) Dropped() int {
	if v.Doc >= len(v.Documents) {
		return 0
	}
	return v.Documents[v.Doc].Links - v.listed
}
