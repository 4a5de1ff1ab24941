package httpmsg

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/resolve/ascii"
)

// Body is the decoded body of a message: transfer and content codings are undone. Its Data is in
// the charset of the document. If no content coding was undone, Data maps back to the bytes of the
// message.
type Body struct {
	Message *Message
	extract.Text
	// Coded says that a content coding was undone: Source then returns false.
	Coded bool
	// Defects are the faults of the length and the codings, besides the defects of the message.
	// Offsets are in the message.
	Defects []mime.Defect

	inside extract.Format // of the document, if the media type does not tell it (compressed file, robots.txt)
}

// Body decodes the body of m. An error means that nothing could be decoded: the body is larger than
// the limit, or in an unknown coding. The body is all bytes after the heading, whatever
// Content-Length says. There is one exception: if another response begins where Content-Length ends
// the body, the body ends there. Body reports a Content-Length that is too large. It does not
// report one that is too small, because archives with decoded bodies often have it.
func (m *Message) Body() (*Body, error) {
	b := &Body{Message: m, Text: extract.Text{Data: m.data[m.Content.Start:m.Content.End]}}
	if !m.sole {
		if err := b.transfer(m.list("Transfer-Encoding")); err != nil {
			return nil, err
		}
		if err := b.undo(m.list("Content-Encoding")); err != nil {
			return nil, err
		}
	}
	if n, limit := len(b.Data), m.opts.limit(); n > limit {
		return nil, fmt.Errorf("body of %d bytes, the limit is %d", n, limit)
	}
	return b, nil
}

func (b *Body) defect(at int, text string) {
	b.Defects = append(b.Defects, mime.Defect{Offset: int64(b.Message.Content.Start + at), Text: text})
}

// remark records a defect that lost no bytes. Most archives hold bodies that their writers have
// already decoded.
func (b *Body) remark(at int, text string) {
	b.defect(at, text)
	b.Defects[len(b.Defects)-1].Minor = true
}

// transfer undoes the transfer codings of a list. chunked is the last coding of the list and is
// undone first. transfer also compares the length with Content-Length.
func (b *Body) transfer(codings string) error {
	var others []string
	declared := false
	for name := range strings.SplitSeq(codings, ",") {
		name = strings.ToLower(strings.Trim(name, " \t\""))
		switch name {
		case "":
		case "chunked":
			declared = true
		default:
			others = append(others, name)
		}
	}
	if joined := b.dechunk(declared); !joined && !declared {
		b.length()
	}
	return b.undo(strings.Join(others, ","))
}

// dechunk joins the chunks of the body, if it has any.
func (b *Body) dechunk(declared bool) bool {
	raw := b.Data
	if len(raw) == 0 || !declared && ascii.Hex(raw[0]) < 0 {
		return false
	}
	if !declared && b.exact() {
		return false
	}
	c := readChunks(raw)
	whole := c.ended && c.end == len(raw)
	switch {
	case whole && !declared && len(c.parts) > 0:
		b.remark(0, "chunked, which is not declared")
	case !declared:
		return false
	case len(c.parts) == 0 && !c.ended:
		b.remark(0, "chunked declared, the body is not")
		return false
	case c.problem != "":
		b.defect(c.end, "chunked: "+c.problem)
	case !whole:
		b.remark(c.end, fmt.Sprintf("%d bytes after the last chunk", len(raw)-c.end))
	}
	b.Text = c.text(raw)
	return true
}

// exact reports whether the body has the length that Content-Length gives.
func (b *Body) exact() bool {
	v, _ := b.Message.Get("Content-Length")
	length, ok := parseLength(v)
	return ok && length == int64(len(b.Data))
}

// parseLength reads a Content-Length. One field may give the value twice (RFC 9110 Section 8.6).
func parseLength(v string) (int64, bool) {
	first, _, _ := strings.Cut(v, ",")
	n, err := strconv.ParseUint(strings.TrimSpace(first), 10, 63)
	return int64(n), err == nil
}

// length compares Content-Length with the body. An empty body is no defect: responses to HEAD and
// 304 responses give a length without having a body.
func (b *Body) length() {
	v, n := b.Message.Get("Content-Length")
	have := int64(len(b.Data))
	want, ok := parseLength(v)
	switch {
	case n == 0 || have == 0 || ok && have == want:
	case !ok:
		b.defect(0, fmt.Sprintf("Content-Length %q is not a number", v))
	case have > want && b.followed(int(want)):
		b.defect(int(want), "another response follows, not read")
		b.Data = b.Data[:want]
	case have < want:
		b.defect(0, fmt.Sprintf("Content-Length is %d, the body has %d bytes", want, have))
	}
}

// followed reports whether another response begins at an offset of the body.
func (b *Body) followed(at int) bool {
	rest := b.Data[at:]
	return bytes.HasPrefix(rest, []byte("HTTP/")) && statusCode(rest[:min(nextLine(rest, 0), 64)]) != 0
}

// undo undoes a list of codings.
func (b *Body) undo(codings string) error {
	if codings == "" || len(b.Data) == 0 {
		return nil
	}
	data, problem, err := Decode(codings, b.Data, b.Message.opts.limit())
	if err != nil {
		return err
	}
	switch {
	case problem.Minor:
		b.remark(0, problem.Text)
	case problem.Text != "":
		b.defect(0, problem.Text)
	}
	if len(data) != len(b.Data) || len(data) > 0 && &data[0] != &b.Data[0] {
		b.Text, b.Coded = extract.Text{Data: data}, true
	}
	return nil
}

// Source returns the smallest span of the message that covers s, a span of the decoded body. s must
// lie in Data. The result is false if a content coding was undone: then no bytes of the message
// correspond to the span.
func (b *Body) Source(s extract.Span) (extract.Span, bool) {
	if b.Coded {
		return extract.Span{}, false
	}
	s, at := b.Raw(s), b.Message.Content.Start
	return extract.Span{Start: at + s.Start, End: at + s.End}, true
}

// Doc returns the body as a document. It has the format of the body, the charset from the heading,
// and the layers of the message, with outer around them. Its Format is [extract.Unknown] if the
// body is not a document, such as a picture. The caller must not read such a Doc: extract would
// guess a format.
func (b *Body) Doc(outer *base.Layer) *extract.Doc {
	d := new(extract.Doc)
	b.Fill(d, outer)
	return d
}

// Fill is Doc into d, reusing its memory.
func (b *Body) Fill(d *extract.Doc, outer *base.Layer) {
	d.Reset()
	d.Format, d.Charset = b.Message.documentType(b.Data)
	if b.inside != extract.Unknown {
		d.Format = b.inside
	}
	d.Data = b.Data
	d.Layer = b.Message.Layer(outer)
	d.Cut = len(b.Defects) > 0
}
