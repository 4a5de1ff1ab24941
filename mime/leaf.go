package mime

import (
	"fmt"
	"io"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/internal/coding"
	"absolink/mime/internal/header"
)

// Leaf is the decoded body of an entity that is a document (RFC 2045 Section 6). Only the transfer
// encoding is undone: Data is in the charset of the document. Data is valid until the Leaf is
// filled again, and must not be changed.
type Leaf struct {
	Entity *Entity
	extract.Text
	// Problem says which bytes of the body could not be decoded. It is empty if all were decoded. A
	// leaf with a problem can be read, but usually cannot be edited.
	Problem string
	// Mislabelled says that the body was never in the transfer encoding that its heading names.
	// Then Data is the raw body, which cannot be edited. If the body was encoded, Mislabelled is
	// empty.
	Mislabelled string

	raw         []byte
	decodedText extract.Text // memory for Text, unless Text is the raw body
	encoding    string
	unpadded    bool // the body is base64 that lacks padding at its end, so it may be cut short
}

// Leaf reads and decodes the body of e. An error means that nothing could be decoded: the body is
// larger than the limit, has an unknown transfer encoding, or holds parts, or the reader failed.
func (e *Entity) Leaf() (*Leaf, error) {
	l := new(Leaf)
	if err := e.FillLeaf(l); err != nil {
		return nil, err
	}
	return l, nil
}

// FillLeaf does the work of [Entity.Leaf], and stores the result in l, whose memory it reuses.
// After an error l is invalid until it is filled again.
func (e *Entity) FillLeaf(l *Leaf) error {
	if len(e.Parts) > 0 {
		return e.errorf("has parts, so it is not a leaf")
	}
	if n := e.Body.Len(); n > e.m.limits.Leaf {
		return e.errorf("%d bytes are more than the limit of %d for a body", n, e.m.limits.Leaf)
	}
	raw, err := e.body()
	if err != nil {
		return fmt.Errorf("part %s: reading the body: %w", e.Section, err)
	}
	l.Entity = e
	l.raw = raw
	l.encoding = e.Encoding()
	l.Problem = ""
	l.Mislabelled = ""
	l.unpadded = false
	switch {
	case !codecs[l.encoding].isKnown():
		return e.errorf("unknown transfer encoding %q", l.encoding)
	case header.Identity(l.encoding):
		l.Text = extract.Text{Data: raw}
	default:
		l.decodedText.Reset()
		l.Problem, l.Mislabelled = l.decode(&l.decodedText, raw)
		if l.Problem == coding.Unpadded {
			l.Problem, l.unpadded = "", true
		}
		l.Text = l.decodedText
		if l.Mislabelled != "" {
			l.Text = extract.Text{Data: raw}
		}
	}
	return nil
}

// body returns the bytes of the body. If the message is in memory, body does not copy them.
func (e *Entity) body() ([]byte, error) {
	if m, ok := e.m.r.(memory); ok {
		return m[e.Body.Start:e.Body.End:e.Body.End], nil
	}
	raw := make([]byte, e.Body.Len())
	n, err := e.m.r.ReadAt(raw, e.Body.Start)
	switch {
	case n == len(raw):
		return raw, nil
	case err == nil || err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// codec is one transfer encoding. decode puts the decoded text into t, which must be empty, and
// says which bytes could not be decoded. eol is the byte that ends lines. decode is nil if a body
// needs no decoding.
type codec struct {
	decode   func(t *extract.Text, raw []byte, eol byte) (problem string)
	edit     func(l *Leaf, edits []extract.Edit) (rawEdits, decodedEdits []extract.Edit, err error)
	verifies bool // edit itself verifies that its result decodes to the edited text
	// neverEncoded reports whether a body with a problem was never encoded. If it is nil, every
	// body counts as encoded.
	neverEncoded func(raw []byte, eol byte) bool
}

func (c codec) isKnown() bool { return c.edit != nil }

var codecs map[string]codec

func init() {
	plain := codec{nil, editIdentity, true, nil}
	codecs = map[string]codec{
		"7bit": plain, "8bit": plain, "binary": plain,
		"quoted-printable": {coding.Quoted, editQuoted, false, coding.NeverQuoted},
		"base64":           {coding.Base64, editBase64, true, coding.NeverBase64},
		"x-uuencode":       {coding.Uuencode, refuseEdits, false, nil},
	}
}

// decode decodes raw into t, which must be empty. problem says which bytes could not be decoded.
// mislabelled says that raw was never encoded. Both are empty if all is well.
func (l *Leaf) decode(t *extract.Text, raw []byte) (problem, mislabelled string) {
	c := codecs[l.encoding]
	eol := l.Entity.m.eol
	problem = c.decode(t, raw, eol)
	if problem != "" && c.neverEncoded != nil && c.neverEncoded(raw, eol) {
		return "", "labelled " + l.encoding + ", but never encoded"
	}
	return problem, ""
}

// Source returns the smallest span of the message that covers s, a span of the decoded leaf. s must
// lie in Data.
func (l *Leaf) Source(s extract.Span) Span { return l.inMessage(l.Raw(s)) }

// inMessage turns a span of the raw body into a span of the message.
func (l *Leaf) inMessage(s extract.Span) Span {
	at := l.Entity.Body.Start
	return Span{at + int64(s.Start), at + int64(s.End)}
}

// Doc returns the leaf as a document with its format, its charset and its layers, with outer around
// them. The document reads conditional comments, as mail programs do.
func (l *Leaf) Doc(outer *base.Layer) *extract.Doc {
	d := new(extract.Doc)
	l.Fill(d, outer)
	return d
}

// Fill does the work of Doc, and stores the result in d, whose memory it reuses.
func (l *Leaf) Fill(d *extract.Doc, outer *base.Layer) {
	e := l.Entity
	d.Reset()
	d.Format = e.Format()
	d.Data = l.Data
	d.Charset = header.Charset(e.contentType)
	d.Layer = e.Layer(outer)
	d.Part = e.Section
	d.Cut = l.Problem != "" || l.unpadded
	d.Options.ConditionalComments = e.Section != ""
	switch d.Format {
	case extract.XML:
		d.Format = extract.Detect(l.Data, e.MediaType()) // which kind of XML it is
	case extract.Plain:
		d.Flowed = strings.EqualFold(e.Param("format"), "flowed") // RFC 3676 Section 4
		d.CSV = e.MediaType() == "text/csv"
		d.DelSp = d.Flowed && strings.EqualFold(e.Param("delsp"), "yes")
	}
}

// Heading fills d with the heading of e as a document, reusing the memory of d. Its bytes begin at
// e.Head.Start. Its layers are the layers of e, with outer around them. Its references can be
// listed, but never edited.
func (e *Entity) Heading(d *extract.Doc, outer *base.Layer) {
	d.Reset()
	d.Format, d.Data = extract.Heading, e.head
	d.Layer = e.Layer(outer)
	d.Part = e.Section
}

// refuseEdits is the function edit of a transfer encoding that can only be read.
func refuseEdits(l *Leaf, _ []extract.Edit) (raw, decoded []extract.Edit, err error) {
	return nil, nil, l.Entity.errorf("absolink cannot write the transfer encoding %s", l.encoding)
}
