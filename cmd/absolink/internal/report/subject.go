package report

import (
	"cmp"
	"strconv"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
)

// Subject identifies the input or item that an entry describes. Users read its name in messages.
// Programs can read the input or item again by its Unit.
type Subject struct {
	Source   string         // name of the input
	Inner    string         // Message or Record for an item of a container; "" for an input
	Item     int            // number of the item in its container, from 1; 0 for an input or an unknown number
	Message  record.Message // header fields of a message; only the ID if no report is written
	URI      string         // WARC-Target-URI of a record
	RecordID string         // WARC-Record-ID of a record without a URI
	Page     string         // URI from which the input or item was retrieved; set only if the output has a key for it
	Kind     string         // kind of the input or item, such as "html"
	Bytes    int64          // size of the input, or of the item in its decoded container; 0 if it is unknown
	Unit     unit.Unit      // the unit that reads the input or item again; see HasUnit

	List  bool // the subject is a list of inputs, not an input
	Whole bool // the server does not support ranges, so the whole file was retrieved
}

// Values of Subject.Inner.
const (
	Message = "message"
	Record  = "record"
)

// Name returns the name of the subject in messages: the source, followed by ItemName for an item.
func (s *Subject) Name() string {
	if s.Inner == "" {
		return s.Source
	}
	return s.Source + ": " + s.ItemName()
}

// ItemName returns the name of an item in its container: "message" or "record", its number, and its
// Message-ID, URI or record ID. It returns "" for an input.
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

// HasUnit reports whether Unit is set. If a line of a list of units is not valid, only
// Unit.Text is set: it is that line.
func (s *Subject) HasUnit() bool { return s.Unit.Path != "" || s.Unit.Text != "" }

// appendMembers appends the members of s to an object of JSON.
func (s *Subject) appendMembers(o record.Object) record.Object {
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
