package write

import (
	"bufio"
	"bytes"
	"net/mail"
	"net/textproto"
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/mime"
)

// written returns when in was written: by the Date of a message, the Last-Modified of what was
// retrieved, else the time of the file. The zero time is not known, and so is one that cannot
// be right: before the web, or to come.
func (c *Command) written(in *input.Document, m *mime.Message) time.Time {
	var t time.Time
	switch {
	case m != nil:
		t = m.Root.Identity().Date
	case in.URL != "":
		t = lastModified(in)
	case in.Info != nil:
		t = in.Info.ModTime()
	}
	if t.Before(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)) || t.After(time.Now()) {
		return time.Time{}
	}
	return t
}

// lastModified returns what the last answer says of the time of what was retrieved.
func lastModified(in *input.Document) time.Time {
	if len(in.Headings) == 0 {
		return time.Time{}
	}
	text := in.Headings[len(in.Headings)-1].Text
	fields, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader() // what can be read of it
	t, err := mail.ParseDate(fields.Get("Last-Modified"))
	if err != nil {
		return time.Time{}
	}
	return t
}
