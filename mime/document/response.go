package document

import (
	"path"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
	"absolink/resolve"
)

// A response consists of its heading, a document that holds only references, and its body. The body
// is one document, or the parts of a multipart. If the media type of a body is not the type of a
// document, the body is not decoded: archives are full of pictures.

// body is the body of a response. A multipart is read as a message: offset is the offset of the
// body in this message.
type body struct {
	*httpmsg.Body
	offset int64
}

// source returns the span of the response for a span of the decoded body, or of the message made of
// it. If a content coding was undone, it returns an empty span at the start of the body.
func (b *body) source(s mime.Span) mime.Span {
	in := extract.Span{Start: b.within(s.Start), End: b.within(s.End)}
	span, ok := b.Source(in)
	if !ok {
		at := int64(b.Message.Content.Start)
		return mime.Span{Start: at, End: at}
	}
	return mime.Span{Start: int64(span.Start), End: int64(span.End)}
}

// within returns the offset in the decoded body for an offset in the message.
func (b *body) within(at int64) int { return int(min(max(at-b.offset, 0), int64(len(b.Data)))) }

// yieldResponse yields the heading of the response that is the source, and its body. If the body is
// a message, yieldResponse returns it instead.
func (s *Set) yieldResponse(yield func(*Document) bool) *mime.Message {
	m := s.src.Response
	s.noteResponseDefects(m.Defects, true)
	if s.o.Listing && !s.yieldRedirects(m, yield) {
		return nil
	}
	if s.o.Listing && m.Head.End > m.Head.Start {
		m.Heading(&s.doc, s.outer)
		s.current = Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), at: int64(m.Head.Start), set: s}
		if !yield(&s.current) {
			return nil
		}
	}
	if m.Content.End <= m.Content.Start || !s.mayHold(m) {
		return nil
	}
	return s.yieldBody(m, yield)
}

// yieldRedirects yields the headings of the redirects before a response. It reports whether to go
// on.
func (s *Set) yieldRedirects(m *httpmsg.Message, yield func(*Document) bool) bool {
	layer := s.given
	for head, location := range m.Redirects() {
		m.RedirectHeading(head, &s.doc, layer)
		s.current = Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), at: int64(head.Start), set: s}
		if !yield(&s.current) {
			return false
		}
		layer = s.afterRedirect(layer, location)
	}
	return true
}

// afterRedirect returns the layers of the response after a redirect. layer is the innermost layer
// of the redirect. The address in the redirect is the new retrieval URI (RFC 3986 Section 5.1.3).
// If no client could follow it, or if it is relative and the old retrieval URI is unknown, the
// layers stay the same.
func (s *Set) afterRedirect(layer *base.Layer, location string) *base.Layer {
	uri, from := layer.Base(nil)
	if from == nil || from.Source.Box() != "retrieval" {
		uri = ""
	}
	at, err := resolve.NewBase(uri, resolve.Options{})
	if err != nil {
		return layer
	}
	to, err := at.Resolve(strings.TrimSpace(location))
	if scheme := resolve.Split(to).Scheme; err != nil || scheme != "http" && scheme != "https" {
		return layer
	}
	to, _, _ = strings.Cut(to, "#")
	return &base.Layer{Source: base.URL, Value: to, Outer: s.given}
}

// noteResponseDefects records the defects of a response. Defects of its heading lose nothing.
func (s *Set) noteResponseDefects(list []mime.Defect, heading bool) {
	for _, d := range list {
		at := s.src.Origin
		if !s.src.Compressed {
			at += d.Offset
		}
		s.add(Problem{Kind: Defect, Offset: at, Detail: d.Text, Minor: heading || d.Minor || s.src.Truncated})
	}
}

// mayHold reports whether, by its media type, the body of m may be a document or hold documents.
func (s *Set) mayHold(m *httpmsg.Message) bool {
	media, _ := m.MediaType()
	kind, _, _ := strings.Cut(media, "/")
	switch {
	case media == fieldsType:
		return s.o.Listing
	case m.Packed(), s.robots(), m.IsBareJSON():
		return true
	case media == "", kind == "multipart", kind == "message", strings.HasSuffix(media, "/unknown"):
		return true
	}
	format := extract.FormatOf(media)
	return format.ListOnly() || s.takes(format)
}

// retrieved returns the URI that a response was retrieved from, without query and fragment.
func (s *Set) retrieved() string {
	for l := s.outer; l != nil; l = l.Outer {
		if l.Source.Box() == "retrieval" {
			uri, _, _ := strings.Cut(l.Value, "#")
			uri, _, _ = strings.Cut(uri, "?")
			return uri
		}
	}
	return ""
}

// name returns the last path segment of the URI that a response was retrieved from.
func (s *Set) name() string {
	if uri := s.retrieved(); uri != "" {
		return path.Base(uri)
	}
	return ""
}

// fieldsType is the media type of a crawler's notes about a response.
const fieldsType = "application/warc-fields"

// robots reports whether a response is the robots.txt of a site: RFC 9309 Section 2.3 fixes its
// path.
func (s *Set) robots() bool {
	if media, _ := s.src.Response.MediaType(); media == fieldsType {
		return false
	}
	_, rest, ok := strings.Cut(s.retrieved(), "://")
	_, path, _ := strings.Cut(rest, "/")
	return s.src.Robots && ok && path == "robots.txt"
}

// yieldBody yields the body of m if it is one document. If the body is a message, yieldBody returns
// it instead.
func (s *Set) yieldBody(m *httpmsg.Message, yield func(*Document) bool) *mime.Message {
	b, err := m.Body()
	if err == nil {
		err = b.Unpack(s.name())
	}
	if err != nil {
		s.add(Problem{Kind: UnreadBody, Offset: s.offset(int64(m.Content.Start)), Detail: err.Error()})
		return nil
	}
	if s.robots() {
		b.RobotsTxt()
	}
	s.noteResponseDefects(b.Defects, false)
	parts, offset, err := b.Entities(s.o.Limits)
	s.body = &body{b, offset}
	if err == nil && parts != nil {
		s.enter(parts, m.Layer(s.outer))
		return parts
	}
	s.yieldSole(b, yield)
	return nil
}

// yieldSole yields a body that is one document.
func (s *Set) yieldSole(b *httpmsg.Body, yield func(*Document) bool) {
	b.Fill(&s.doc, s.outer)
	if !s.takes(s.doc.Format) {
		return
	}
	s.doc.Options, s.doc.RobotsTxt = s.o.Read, s.src.Robots
	s.doc.Cut = s.doc.Cut || s.src.Cut
	if s.src.Charset != "" {
		s.doc.Charset = s.src.Charset
	}
	s.current = Document{Doc: &s.doc, Type: b.MediaType(), set: s}
	yield(&s.current)
	s.noteFindings(&s.current)
}
