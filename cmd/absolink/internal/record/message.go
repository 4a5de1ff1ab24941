package record

import (
	"time"

	"absolink/mime"
)

// Message has decoded values from the header of a message, by which people recognise it. Empty
// values are unknown.
type Message struct {
	ID      string // with its angle brackets
	Subject string
	From    string
	Date    string // RFC 3339; for a WARC record it may be shortened, for example to a year
}

// MessageOf returns the values of m. Without withEnvelope it leaves out subject and sender, because
// their decoding takes longer. If m is nil, all values are empty.
func MessageOf(m *mime.Message, withEnvelope bool) Message {
	var v mime.Envelope
	switch {
	case m == nil:
	case withEnvelope:
		v = m.Root.Envelope()
	default:
		v = m.Root.DateAndID()
	}
	r := Message{ID: v.MessageID, Subject: v.Subject, From: v.From}
	if !v.Date.IsZero() {
		r.Date = v.Date.Format(time.RFC3339)
	}
	return r
}
