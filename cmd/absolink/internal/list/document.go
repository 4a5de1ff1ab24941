package list

import (
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/mime/document"
)

// describer makes the description of documents that records of one input contain. It computes only
// the fields that the records have.
type describer struct {
	*links.Finder
	// records have a page; the identity of the message or record; its subject and sender
	withPage, withIdentity, withEnvelope bool
	common                               record.Document
}

// setInput begins an input, which must be open.
func (w *describer) setInput(in *input.Document) {
	s := record.Document{Source: in.Source, Item: in.Place.Number}
	if in.Place.Inner && in.Coding == coding.None {
		s.Within, s.RecordOffset = true, in.Place.Begins
	}
	if in.Response != nil {
		s.HTTPStatus = in.Response.Status
	}
	switch {
	case !w.withIdentity:
	case in.Record.Header != nil:
		s.RecordID, _ = in.Record.Header.Get("WARC-Record-ID")
		s.Message.Date = in.Record.Date()
	default:
		s.Message = record.MessageOf(w.Set.Message, w.withEnvelope)
	}
	w.common = s
}

// describe returns the description of d, a document of in.
func (w *describer) describe(in *input.Document, d *document.Document) record.Document {
	r := w.common
	r.Part = d.Section()
	r.Type = d.Type
	if w.withPage {
		r.Page = w.DocumentURI(in, d)
	}
	return r
}
