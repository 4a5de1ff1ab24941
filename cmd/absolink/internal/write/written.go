package write

import (
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime"
)

// timeWritten returns the time when the input was written. This is the Date of a message, the
// Last-Modified of a retrieved document, or the modification time of a file. m is the message, or
// nil if in is not a message. timeWritten returns the zero time if the time is unknown, before 1990
// or in the future.
func timeWritten(in *input.Document, m *mime.Message) time.Time {
	var t time.Time
	switch {
	case m != nil:
		t = m.Root.DateAndID().Date
	case in.URL != "":
		t = in.Retrieval.LastModified()
	case in.Info != nil:
		t = in.Info.ModTime()
	}
	if t.Before(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)) || t.After(time.Now()) {
		return time.Time{}
	}
	return t
}
