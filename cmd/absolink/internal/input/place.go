package input

import (
	"bufio"
	"bytes"
	"net/mail"
	"net/textproto"
	"time"

	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// Place is the position of an item in its container. A file that is not an item has the zero value.
type Place struct {
	Inner  bool  // the document is an item: a message of a mailbox or a record of a web archive
	Number int   // number of the item in its container, from 1; 0 if it is unknown
	Begins int64 // offset of the item in the container, or of the compressed member that holds it
	// Origin is the offset in the file at which the content begins. For an item in a compressed
	// member it is the offset of the member.
	Origin     int64
	Line       int64 // line of the container on which the content begins, from 1, or 0 if it is unknown
	Compressed bool  // the item is in a compressed member
}

// Record holds the facts that a WARC record states about its content. A document that is not a
// record has the zero value.
type Record struct {
	Header    *httpmsg.Header // fields of the record, valid as long as the item; nil if it is not a record
	Target    string          // WARC-Target-URI
	Cut       bool            // the record is truncated or damaged: see extract.Doc.Cut
	Truncated bool            // the writer of the record left out the end of the content
}

// dates are the forms of WARC-Date (WARC 1.1, 5.4). The date may be as short as a year, and seconds
// may have a fraction.
var dates = [...]string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}

// Date returns the unchanged WARC-Date of the record, or "" if it is not a date. Header must not be
// nil.
func (r *Record) Date() string {
	date, _ := r.Header.Get("WARC-Date")
	for _, form := range dates {
		if _, err := time.Parse(form, date); err == nil {
			return date
		}
	}
	return ""
}

// Retrieval holds the facts from the retrieval of a document. A document that was not retrieved has
// the zero value.
type Retrieval struct {
	Headings []document.Answer // headers of all responses, redirects first
	Type     string            // Content-Type of the last response, or empty if it is unknown
	Charset  string            // charset parameter of Type, or empty
	Status   int               // status code of the last response, or 0 if it is unknown
	// Decoded says that the response was compressed, so the content is not the bytes that were
	// sent.
	Decoded bool
}

// LastModified returns the time of the Last-Modified field in the last response, or the zero time.
func (r *Retrieval) LastModified() time.Time {
	if len(r.Headings) == 0 {
		return time.Time{}
	}
	text := r.Headings[len(r.Headings)-1].Text
	// With an error, the fields before the bad line are still usable.
	fields, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader()
	t, err := mail.ParseDate(fields.Get("Last-Modified"))
	if err != nil {
		return time.Time{}
	}
	return t
}
