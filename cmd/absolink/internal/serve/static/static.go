// Package static shows documents on the page of the command serve, without a server. The package
// runs in a browser, as WebAssembly: wasm is the program, and index.html, page.js and the assets of
// package sheet are its other files. .ci/package writes them to a zip file.
//
// The package has no part of the command that reads files or flags, and no code for the network. It
// reads single documents, messages and mailboxes. Web archives, compressed files and Markdown need
// the program absolink: the page is at most 2.5 MB in gzip.
//
// Files in reading order: static.go, kind.go, options.go, rewrite.go.
package static

import (
	"bytes"
	"context"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/serve/sheet"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/mbox"
)

// Document is a document that a person gave to the page.
type Document struct {
	Name string
	Data []byte
}

// Start returns the main element of the first page. problem is the text of an error, or "".
func Start(problem string) string {
	var out strings.Builder
	sheet.WriteStart(&out, &sheet.Start{Error: problem, Where: "browser"})
	return out.String()
}

// Sample returns the sample with the name of a file, and the query to show it with. It returns nil
// if there is no such sample.
func Sample(file string) (d *Document, query string) {
	s := sheet.SampleNamed(file)
	if s == nil {
		return nil, ""
	}
	return &Document{s.File, s.Data()}, s.Flags.Encode()
}

// Show returns the main element of the page of d. query has the parameters of the page.
func (d *Document) Show(query string) string {
	q, _ := url.ParseQuery(query)
	v := sheet.NewView(sheet.OptionsOf(q))
	p := &sheet.Page{View: v, Name: sheet.Clip(d.Name), Size: int64(len(d.Data)), Query: q}
	if err := d.fill(p, q); err != nil {
		p.Error = err.Error()
	}
	var out strings.Builder
	sheet.WriteDocument(&out, p)
	return out.String()
}

// fill reads d into the page p.
func (d *Document) fill(p *sheet.Page, q url.Values) error {
	o, err := newOptions(sheet.Flags(q))
	if err != nil {
		return err
	}
	if err := d.read(p.View, o); err != nil {
		return err
	}
	p.Finish()
	p.Read = true
	switch q.Get("view") {
	case "rules":
		p.Differ, err = sheet.CompareRules(p.Doc, func(v *sheet.View, rules string) error {
			again := sheet.Flags(q)
			again.Set("rules", rules)
			o, err := newOptions(again)
			if err != nil {
				return err
			}
			return d.read(v, o)
		})
	case "rewrite":
		err = d.showRewriting(p, o)
	}
	return err
}

// read reads d into v.
func (d *Document) read(v *sheet.View, o *options) error {
	kind, err := d.kind(o.kind)
	if err != nil {
		return err
	}
	v.Kind = kind.String()
	if kind == kinds.Mbox {
		return d.readMailbox(v, o)
	}
	var set document.Set
	if err := set.Open(d.source(kind), o.outer, o.documentOptions(true)); err != nil {
		return err
	}
	f := &finder{resolver: o.resolver()}
	for each := range set.All() {
		v.AddDocument(context.Background(), f, each)
	}
	for _, p := range set.Problems() {
		v.AddRemark(p.Part, problemText(&p), p.Minor)
	}
	return nil
}

// source returns d as the source of documents.
func (d *Document) source(k kinds.Kind) *document.Source {
	return &document.Source{Format: k.Format(), Message: k == kinds.Message, At: bytes.NewReader(d.Data),
		Size: int64(len(d.Data)), Data: d.Data}
}

// readMailbox reads the messages of a mailbox into v.
func (d *Document) readMailbox(v *sheet.View, o *options) error {
	for m, err := range mbox.NewReader(bytes.NewReader(d.Data), mbox.Options{}).All() {
		if err != nil {
			return err
		}
		if m.Number > 0 && v.ShowsNextItem() {
			item, err := newItem(contentOf(m), o)
			if err != nil {
				return err
			}
			v.AddItem(*item)
		}
		m.Release()
	}
	return nil
}

// contentOf returns a copy of the header and body of a message.
func contentOf(m *mbox.Message) []byte {
	data := make([]byte, m.Content.Len())
	n, _ := m.ReadAt(data, m.Content.Start)
	return data[:n]
}

// newItem returns the item of a mailbox for a message.
func newItem(data []byte, o *options) (*sheet.Item, error) {
	d := &Document{Data: data}
	var set document.Set
	if err := set.Open(d.source(kinds.Message), o.outer, o.documentOptions(true)); err != nil {
		return nil, err
	}
	it := new(sheet.Item)
	if set.Message != nil {
		describe(it, set.Message.Root.Envelope())
	}
	f := &finder{resolver: o.resolver()}
	for each := range set.All() {
		for range f.Links(each, true) {
			it.Links++
		}
	}
	return it, nil
}

// describe sets the title, sender and date of an item.
func describe(it *sheet.Item, e mime.Envelope) {
	it.Title = e.Subject
	if it.Title == "" {
		it.Title = e.MessageID
	}
	it.From = e.From
	if !e.Date.IsZero() {
		it.Date = e.Date.Format(time.RFC3339)
	}
}

// Item returns the message with a number, counted from 1, of a mailbox, and the query to show it
// with. It returns nil if there is no such message. query has the parameters of the mailbox.
func (d *Document) Item(number int, query string) (item *Document, itemQuery string) {
	n := 0
	for m, err := range mbox.NewReader(bytes.NewReader(d.Data), mbox.Options{}).All() {
		if err != nil {
			break
		}
		if m.Number > 0 {
			n++
		}
		if n == number && m.Number > 0 {
			q, _ := url.ParseQuery(query)
			flags := sheet.Flags(q)
			flags.Set("type", kinds.Message.String())
			return &Document{d.Name + " " + strconv.Itoa(number), contentOf(m)}, flags.Encode()
		}
		m.Release()
	}
	return nil, ""
}

// finder is the sheet.Finder of a document.
type finder struct {
	resolver extract.Resolver
	memo     base.Memo
}

// Links yields all links of d.
func (f *finder) Links(d *document.Document, _ bool) iter.Seq[*extract.Link] {
	d.Prepare(&f.resolver)
	return func(yield func(*extract.Link) bool) {
		for l := range f.resolver.Links(d.Doc) {
			if !yield(&l) {
				return
			}
		}
	}
}

// Base returns the base that the layers give, and its layer.
func (f *finder) Base(l *base.Layer) (uri string, from *base.Layer) {
	return f.memo.Base(l, &f.resolver.Policy)
}

// Explain returns a step for each layer.
func (f *finder) Explain(l *base.Layer) []base.Step { return f.memo.Explain(l, &f.resolver.Policy) }

// problemText returns the text of a problem. HTML shows every character of it.
func problemText(p *document.Problem) string {
	return fault.Text(p, func(text string) string { return strings.ToValidUTF8(text, "\ufffd") })
}
