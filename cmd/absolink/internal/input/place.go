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

// Place is where an item stands in its container. The zero value is the place of a whole file,
// which is no item.
type Place struct {
	Inner  bool  // the document is an item: a message of a mailbox, or a record of a web archive
	Number int   // of the item in its container, from 1; 0 if it is not known
	Begins int64 // offset in the container of the item, or of the compressed member with it
	// Origin is the offset in the file at which the content begins. A compressed record has no
	// offset of its own: it has that of its member.
	Origin     int64
	Line       int64 // line of the container in which the content begins, from 1; 0 if it is not known
	Compressed bool  // the item lies in a compressed member
}

// Record is what the record of a web archive says of its content. The zero value is that of a
// document that is no record.
type Record struct {
	Header    *httpmsg.Header // fields of the record, valid as long as the item; nil for no record
	Target    string          // WARC-Target-URI
	Cut       bool            // the record is cut short or damaged: see extract.Doc.Cut
	Truncated bool            // who wrote the record left out the end of the content
}

// dates are the forms of WARC-Date (WARC 1.1, 5.4), which may be as short as a year. Seconds may
// have a fraction.
var dates = [...]string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}

// Date returns the WARC-Date of the record as it is written, "" if it is no date. Header must not
// be nil.
func (r *Record) Date() string {
	date, _ := r.Header.Get("WARC-Date")
	for _, form := range dates {
		if _, err := time.Parse(form, date); err == nil {
			return date
		}
	}
	return ""
}

// Retrieval is what is known from the retrieval of a document. The zero value is that of a file.
type Retrieval struct {
	Headings []document.Answer // of all answers, redirects first
	Type     string            // Content-Type of the last answer; "" if it is not known
	Charset  string            // charset that Type names; "" if it names none
	Decoded  bool              // a content coding of the answer was undone: the bytes are not those that were sent
}

// LastModified returns the time that Last-Modified of the last answer says, the zero time if it
// says none.
func (r *Retrieval) LastModified() time.Time {
	if len(r.Headings) == 0 {
		return time.Time{}
	}
	text := r.Headings[len(r.Headings)-1].Text
	// After an error the fields before it can be used.
	fields, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader()
	t, err := mail.ParseDate(fields.Get("Last-Modified"))
	if err != nil {
		return time.Time{}
	}
	return t
}
