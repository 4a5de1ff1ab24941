package list

import (
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/mime/document"
)

// described is what records say of the documents of one input. It finds out no more than
// they have.
type described struct {
	*links.Finder
	paged, told, whole bool // records have a page; what the message or record is told by; its subject and sender
	source             record.Document
}

// enter begins an input, which is open.
func (w *described) enter(in *input.Document) {
	s := record.Document{Source: in.Source, Item: in.Item}
	if in.Inner && in.Coding == coding.None {
		s.Within, s.RecordOffset = true, in.Begins
	}
	if in.Response != nil {
		s.HTTPStatus = in.Response.Status
	}
	switch {
	case !w.told:
	case in.Record != nil:
		s.RecordID, _ = in.Record.Get("WARC-Record-ID")
		s.Message.Date = archived(in)
	default:
		s.Message = record.MessageOf(w.Set.Message, w.whole)
	}
	w.source = s
}

// dates are the forms of WARC-Date (WARC 1.1, 5.4), which may be as short as a year. Seconds may
// have a fraction.
var dates = [...]string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}

// archived returns when the record was made, as it is written: "" where that is no date.
func archived(in *input.Document) string {
	date, _ := in.Record.Get("WARC-Date")
	for _, form := range dates {
		if _, err := time.Parse(form, date); err == nil {
			return date
		}
	}
	return ""
}

// describe returns what records say of d, a document of in.
func (w *described) describe(in *input.Document, d *document.Document) record.Document {
	r := w.source
	r.Part = d.Section()
	r.Type = d.Type
	if w.paged {
		r.Page = w.Page(in, d)
	}
	return r
}
