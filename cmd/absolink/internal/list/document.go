package list

import (
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/mime/document"
)

// described makes the description of documents that records of one input contain. It computes only
// the fields that the records have.
type described struct {
	*links.Finder
	paged, told, whole bool // records have a page; the identity of the message or record; its subject and sender
	source             record.Document
}

// enter begins an input, which must be open.
func (w *described) enter(in *input.Document) {
	s := record.Document{Source: in.Source, Item: in.Place.Number}
	if in.Place.Inner && in.Coding == coding.None {
		s.Within, s.RecordOffset = true, in.Place.Begins
	}
	if in.Response != nil {
		s.HTTPStatus = in.Response.Status
	}
	switch {
	case !w.told:
	case in.Record.Header != nil:
		s.RecordID, _ = in.Record.Header.Get("WARC-Record-ID")
		s.Message.Date = in.Record.Date()
	default:
		s.Message = record.MessageOf(w.Set.Message, w.whole)
	}
	w.source = s
}

// describe returns the description of d, a document of in.
func (w *described) describe(in *input.Document, d *document.Document) record.Document {
	r := w.source
	r.Part = d.Section()
	r.Type = d.Type
	if w.paged {
		r.Page = w.DocumentURI(in, d)
	}
	return r
}
