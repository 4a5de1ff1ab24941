package write

import (
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime"
)

// written returns when in was written: by the Date of a message, the Last-Modified of what was
// retrieved, else the time of the file. The zero time is not known, and so is one that cannot
// be right: before the web, or to come.
func written(in *input.Document, m *mime.Message) time.Time {
	var t time.Time
	switch {
	case m != nil:
		t = m.Root.Identity().Date
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
