package input

import (
	"strconv"

	"absolink/cmd/absolink/internal/coding"
	"absolink/mime/document"
)

// Content returns what d holds as the source of its documents. charset is that of all of
// them, "" if they, or the server that d was retrieved from, say it themselves. A response has been
// read before.
func (d *Document) Content(charset string) *document.Source {
	if charset == "" && d.Kind.Single() {
		charset = d.Charset
	}
	s := &document.Source{At: d.At, Size: d.Size, Data: d.Data, Charset: charset,
		Cut: d.Cut, Truncated: d.Truncated, Answers: d.Headings,
		Origin: d.Origin, Compressed: d.Compressed, Unplaced: d.Unplaced || d.Coding != coding.None}
	switch {
	case d.Inner:
		s.LinesBefore = d.Line - 1
	case d.frame != nil:
		s.LinesBefore = 1
	}
	switch {
	case d.Kind.Single():
		s.Format = d.Kind.Format()
	case d.Kind == HTTP:
		s.Response = d.Response
	default:
		s.Message = true
	}
	return s
}

// FirstLine returns the line of its file, or container, in which d begins, 0 if there is
// none that is known.
func (d *Document) FirstLine() int64 {
	switch {
	case d.Coding != coding.None || d.Unplaced:
		return 0
	case d.Inner:
		return d.Line
	case d.frame != nil:
		return 2
	}
	return 1
}

// HidesHeader reports whether d is a message that begins with a blank line, which ends its
// header, and has the header block that is meant behind that.
func (d *Document) HidesHeader() bool {
	if d.Kind.Single() || d.Kind == HTTP {
		return false
	}
	if d.Data != nil {
		return hidesHeader(d.Data[:min(len(d.Data), hidden)])
	}
	head := make([]byte, 1)
	if n, _ := d.At.ReadAt(head, 0); n == 0 || head[0] != '\n' && head[0] != '\r' {
		return false
	}
	head = make([]byte, hidden)
	n, _ := d.At.ReadAt(head, 0)
	return hidesHeader(head[:n])
}

// hidden is how many bytes of a message are looked at for a header behind a blank line.
const hidden = 1024

func hidesHeader(text []byte) bool {
	line, _ := cutLine(text)
	return len(text) > 0 && len(line) == 0 && spoiledMessage(text)
}

// Label names d for a user behind its source: " message 3" or " record 3" for an item of a
// container, else "".
func (d *Document) Label() string {
	what := " message "
	if d.Kind == HTTP {
		what = " record "
	}
	if d.Item == 0 {
		return ""
	}
	return what + strconv.Itoa(d.Item)
}
