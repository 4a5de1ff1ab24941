package report

import (
	"cmp"
	"strconv"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
)

// Subject is the input or item that an entry describes. It says how a user finds the input, and how
// a program reads it again.
type Subject struct {
	Source   string         // the input
	Inner    string         // Message or Record for an item of a container; "" for an input
	Item     int            // number of the item in its container, from 1; 0 if it is unknown
	Message  record.Message // fields of the header of a message; only its ID if no report is written
	URI      string         // WARC-Target-URI of a record
	RecordID string         // WARC-Record-ID of a record without a URI
	Page     string         // URI from which it was retrieved, if records show it
	Kind     string
	Bytes    int64
	Unit     unit.Unit // reads it again; Path and Text are empty if there is no such unit

	List  bool // it is a list of inputs, not an input
	Whole bool // the server ignored the range, so the whole file was retrieved
}

// Values of Subject.Inner.
const (
	Message = "message"
	Record  = "record"
)

// Name returns the name under which a user finds the subject. It is the source. An item adds its
// number, and its Message-ID, URI or record ID.
func (s *Subject) Name() string {
	if s.Inner == "" {
		return s.Source
	}
	return s.Source + ": " + s.ItemName()
}

// ItemName returns the part of Name that follows the source. It is "" for an input.
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

// HasUnit reports whether a unit names the subject, or an invalid line of a list of units.
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
