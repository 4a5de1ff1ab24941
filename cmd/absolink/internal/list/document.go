package list

import (
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/mime/document"
)

// describer makes the values of records that describe a document. It computes only values that are
// printed.
type describer struct {
	*links.Finder
	withPage     bool            // compute the URI that the document was retrieved from
	withIdentity bool            // compute the Message-ID of a message or the ID of a WARC record, and its date
	withEnvelope bool            // with withIdentity: also compute the subject and sender of a message
	common       record.Document // the values that all documents of the current input share
}

// setInput sets the values that all documents of in share. Finder.Open must have been called for
// in.
func (w *describer) setInput(in *input.Document) {
	s := record.Document{Source: in.Source, Item: in.Place.Number}
	if in.Place.Inner && in.Coding == coding.None {
		s.Within = true
		s.RecordOffset = in.Place.Begins
	}
	s.HTTPStatus = in.Retrieval.Status
	if in.Response != nil {
		s.HTTPStatus = in.Response.Status
	}
	switch {
	case !w.withIdentity:
	case in.Record.Header != nil:
		s.RecordID, _ = in.Record.Header.Get("WARC-Record-ID")
		s.Message.Date = in.Record.Date()
	default:
		s.Message = record.MessageOf(w.Docs.Message, w.withEnvelope)
	}
	w.common = s
}

// describe returns the values that describe d, a document of in.
func (w *describer) describe(in *input.Document, d *document.Document) record.Document {
	r := w.common
	r.Part = d.Section()
	r.Type = d.Type
	if w.withPage {
		r.Page = w.DocumentURI(in, d)
	}
	return r
}
