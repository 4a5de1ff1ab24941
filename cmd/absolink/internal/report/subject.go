package report

import (
	"cmp"
	"strconv"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
)

// Subject is what an entry is about: how a user finds it, and how a program reads it again.
type Subject struct {
	Source   string         // the input
	Inner    string         // Message or Record for an item of a container, "" for an input
	Item     int            // number of the item in its container, from 1; 0 if it is not known
	Message  record.Message // fields of its header; its ID alone if no report is written
	URI      string         // WARC-Target-URI of a record
	RecordID string         // WARC-Record-ID of a record without a URI
	Page     string         // URI that it was retrieved from, set if records show it
	Kind     string
	Bytes    int64
	Unit     unit.Unit // reads it again; neither Path nor Text is set if no unit does

	List  bool // it is a list of inputs, not an input
	Whole bool // the whole file was retrieved for a range of it: the server does not know ranges
}

// Values of Subject.Inner.
const (
	Message = "message"
	Record  = "record"
)

// Name returns how a user finds the subject: the source; for an item also its number, and its
// Message-ID, URI or record ID.
func (s *Subject) Name() string {
	if s.Inner == "" {
		return s.Source
	}
	return s.Source + ": " + s.ItemName()
}

// ItemName returns the part of Name that follows the source, "" for an input.
func (s *Subject) ItemName() string {
	name := s.Inner
	if name == "" {
		return ""
	}
	if s.Item > 0 {
		name += " " + strconv.Itoa(s.Item)
	}
	if id := cmp.Or(s.Message.ID, s.URI, s.RecordID); id != "" {
		name += " " + id
	}
	return name
}

// HasUnit reports whether a unit, or a line that stood for one, names the subject.
func (s *Subject) HasUnit() bool { return s.Unit.Path != "" || s.Unit.Text != "" }

func (s *Subject) append(o record.Object) record.Object {
	o = o.String("source", s.Source)
	if s.Item > 0 {
		o = o.Int("item", int64(s.Item))
	}
	if s.Inner != "" {
		o = o.String("uri", s.URI).String("record_id", s.RecordID)
	}
	m := &s.Message
	o = o.String("message_id", m.ID).String("subject", m.Subject).String("from", m.From).String("date", m.Date)
	return o.String("kind", s.Kind).Int("bytes", s.Bytes)
}
