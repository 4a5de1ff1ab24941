package record

import (
	"time"

	"absolink/mime"
)

// Message is what people tell a message by, decoded. Empty strings are unknown ones.
type Message struct {
	ID      string // with its angle brackets
	Subject string
	From    string
	Date    string // RFC 3339; of a record of a web archive also its beginning, such as a year
}

// MessageOf returns what people tell m by: without subject and sender unless whole, which
// takes longer, and nothing if m is nil.
func MessageOf(m *mime.Message, whole bool) Message {
	var v mime.Envelope
	switch {
	case m == nil:
	case whole:
		v = m.Root.Envelope()
	default:
		v = m.Root.Identity()
	}
	r := Message{ID: v.MessageID, Subject: v.Subject, From: v.From}
	if !v.Date.IsZero() {
		r.Date = v.Date.Format(time.RFC3339)
	}
	return r
}
