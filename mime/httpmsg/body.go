package httpmsg

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/resolve/ascii"
)

// Body is the body of a message without its transfer and content codings. Its Data is in the
// charset of the document.
type Body struct {
	Message *Message
	extract.Text
	// Coded says that a content coding or a compression was undone. [Body.Source] then returns
	// false.
	Coded bool
	// Defects are the faults of the length and of the codings, with offsets in the message. The
	// message has its own Defects.
	Defects []mime.Defect

	// format is the format of the document if the media type does not tell it, as in a compressed
	// file or robots.txt. Otherwise it is extract.Unknown.
	format extract.Format
}

// Body returns the decoded body of m. It returns an error if the body is larger than the limit, or
// in an unknown coding. The body is all bytes after the header, even if Content-Length says
// otherwise. There is one exception: if another response begins where the body ends by
// Content-Length, the body ends there. A Content-Length that is too large is a defect. One that is
// too small is not, because archives of decoded bodies often have it.
func (m *Message) Body() (*Body, error) {
	b := &Body{Message: m, Text: extract.Text{Data: m.data[m.Content.Start:m.Content.End]}}
	if !m.bodyOnly {
		if err := b.undoTransfer(m.joined("Transfer-Encoding")); err != nil {
			return nil, err
		}
		if err := b.undoContent(m.joined("Content-Encoding")); err != nil {
			return nil, err
		}
	}
	if n, limit := len(b.Data), m.opts.limit(); n > limit {
		return nil, fmt.Errorf("body of %d bytes, the limit is %d", n, limit)
	}
	return b, nil
}

// addDefect adds a defect at an offset of the content.
func (b *Body) addDefect(at int, text string) {
	b.Defects = append(b.Defects, mime.Defect{Offset: int64(b.Message.Content.Start + at), Text: text})
}

// addMinorDefect adds a defect that loses no bytes. Such defects are common: most archives have
// bodies that their writers have already decoded.
func (b *Body) addMinorDefect(at int, text string) {
	b.addDefect(at, text)
	b.Defects[len(b.Defects)-1].Minor = true
}

// undoTransfer undoes a list of transfer codings. It undoes chunked first, because chunked must be
// the last coding of the list. If the list does not have chunked, and the body is not chunked, it
// checks the Content-Length.
func (b *Body) undoTransfer(codings string) error {
	var others []string
	declared := false // the list has chunked
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
	if chunked := b.joinChunks(declared); !chunked && !declared {
		b.checkLength()
	}
	return b.undoContent(strings.Join(others, ","))
}

// joinChunks joins the chunks of the body. It returns false if the body does not consist of chunks.
// declared says that a field names the chunked coding.
func (b *Body) joinChunks(declared bool) bool {
	raw := b.Data
	if len(raw) == 0 || !declared && ascii.Hex(raw[0]) < 0 {
		return false
	}
	if !declared && b.hasDeclaredLength() {
		return false
	}
	c := readChunks(raw)
	whole := c.ended && c.end == len(raw)
	switch {
	case whole && !declared && len(c.parts) > 0:
		b.addMinorDefect(0, "chunked, which is not declared")
	case !declared:
		return false
	case len(c.parts) == 0 && !c.ended:
		b.addMinorDefect(0, "chunked declared, the body is not")
		return false
	case c.problem != "":
		b.addDefect(c.end, "chunked: "+c.problem)
	case !whole:
		b.addMinorDefect(c.end, fmt.Sprintf("%d bytes after the last chunk", len(raw)-c.end))
	}
	b.Text = c.text(raw)
	return true
}

// hasDeclaredLength reports whether the body has the length that Content-Length gives.
func (b *Body) hasDeclaredLength() bool {
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

// checkLength compares Content-Length with the body, and reports a defect. If another response
// follows the body, checkLength removes it. An empty body is not a defect: responses to HEAD and
// 304 responses have a length without a body.
func (b *Body) checkLength() {
	v, n := b.Message.Get("Content-Length")
	have := int64(len(b.Data))
	want, ok := parseLength(v)
	switch {
	case n == 0 || have == 0 || ok && have == want:
	case !ok:
		b.addDefect(0, fmt.Sprintf("Content-Length %q is not a number", v))
	case have > want && b.isResponseAt(int(want)):
		b.addDefect(int(want), "another response follows, not read")
		b.Data = b.Data[:want]
	case have < want:
		b.addDefect(0, fmt.Sprintf("Content-Length is %d, the body has %d bytes", want, have))
	}
}

// isResponseAt reports whether another response begins at an offset of the body.
func (b *Body) isResponseAt(at int) bool {
	rest := b.Data[at:]
	return bytes.HasPrefix(rest, []byte("HTTP/")) && statusCode(rest[:min(nextLine(rest, 0), 64)]) != 0
}

// undoContent undoes a list of content codings.
func (b *Body) undoContent(codings string) error {
	if codings == "" || len(b.Data) == 0 {
		return nil
	}
	data, problem, err := Decode(codings, b.Data, b.Message.opts.limit())
	if err != nil {
		return err
	}
	switch {
	case problem.Minor:
		b.addMinorDefect(0, problem.Text)
	case problem.Text != "":
		b.addDefect(0, problem.Text)
	}
	if len(data) != len(b.Data) || len(data) > 0 && &data[0] != &b.Data[0] {
		b.Text = extract.Text{Data: data}
		b.Coded = true
	}
	return nil
}

// Source returns the smallest span of the message that contains s, a span of Data. It returns false
// if b is Coded, because the message then does not contain the bytes of Data.
func (b *Body) Source(s extract.Span) (extract.Span, bool) {
	if b.Coded {
		return extract.Span{}, false
	}
	s = b.Raw(s)
	at := b.Message.Content.Start
	return extract.Span{Start: at + s.Start, End: at + s.End}, true
}

// Doc returns the body as a document. It has the charset that the header fields give, and the
// layers of [Message.Layer] with outer. Its Format is [extract.Unknown] if the body is not a
// document, such as a picture. The caller must not read such a Doc, because extract would guess a
// format.
func (b *Body) Doc(outer *base.Layer) *extract.Doc {
	d := new(extract.Doc)
	b.Fill(d, outer)
	return d
}

// Fill makes d the document that Doc returns, and reuses the memory of d.
func (b *Body) Fill(d *extract.Doc, outer *base.Layer) {
	d.Reset()
	d.Format, d.Charset = b.Message.documentType(b.Data)
	if b.format != extract.Unknown {
		d.Format = b.format
	}
	d.Data = b.Data
	if d.Format == extract.WAT {
		outer = b.Message.statedLayer(b.Data, outer)
	}
	d.Layer = b.Message.Layer(outer)
	d.Cut = slices.ContainsFunc(b.Defects, func(x mime.Defect) bool { return !x.Minor })
}
