// Package httpmsg reads one HTTP response or request from an archive or a file, and gives its body
// as a document. It also reads responses of servers that break the rules. The package is not a
// client: it fetches nothing. [New] takes a response that a client has received:
//
//	m := httpmsg.New(resp.StatusCode, resp.Header, body, httpmsg.Options{})
//	for link, err := range m.Links(resp.Request.URL.String()) {
//		if err != nil {
//			return err // the body is too large, or in an unknown coding
//		}
//		fmt.Printf("%s\n", link.URI)
//	}
//
// [Message.Reset] reads the bytes of a file:
//
//	var m httpmsg.Message
//	m.Reset(data, httpmsg.Options{})
//	retrieved := &base.Layer{Source: base.WARCTarget, Value: uri}
//	body, err := m.Body()
//	if err != nil {
//		return err // too large, or an unknown content coding
//	}
//	for link := range resolver.Links(body.Doc(retrieved)) {
//		fmt.Printf("%s\n", link.URI)
//	}
//
// Reset only finds the header fields and the content. [Message.Body] undoes the chunked coding and
// the content codings. [Message.Heading] gives the header fields as a document, for the links in
// Link, Location and Refresh. Damaged input is not an error: the package reads as much as possible,
// and a [mime.Defect] describes the fault.
//
// Files in reading order: header.go, chunked.go, coding.go, large.go, httpmsg.go, media.go,
// body.go, packed.go (a compressed file as the body), multipart.go, client.go.
package httpmsg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/internal/header"
)

// Options say how messages are read. The zero value follows RFC 9110.
type Options struct {
	// RFC2616 lets header fields give a base: Content-Base (RFC 2068 Section 14.11), or else
	// Content-Location (RFC 2616 Section 14.14). A relative Content-Location is resolved against
	// the retrieval URI; a relative Content-Base does not count. By RFC 9110 Section 8.7, and in
	// browsers, no field gives a base.
	RFC2616 bool
	// Limit is the largest size of a decoded body, in bytes. 0 means 64 MiB.
	Limit int
}

// defaultLimit is the default of Options.Limit.
const defaultLimit = 64 << 20

func (o Options) limit() int {
	if o.Limit > 0 {
		return o.Limit
	}
	return defaultLimit
}

// Message is one response or request. Its offsets count in the bytes that were passed to Reset. It
// is read-only and safe for concurrent use.
type Message struct {
	Header
	Start   extract.Span  // the start line without its line end, or empty
	Status  int           // status code of a response, or 0
	Method  string        // method of a request; empty in a response
	Target  string        // target of a request, as written
	Head    extract.Span  // header fields, without the blank line that ends them
	Content extract.Span  // the bytes after the blank line, still encoded
	Defects []mime.Defect // sorted by offset; at most the first hundred

	redirects []redirect // see Redirects

	data     []byte
	opts     Options
	bodyOnly bool   // the message has no header, see ResetBare
	bodyType string // the media type of the body, if bodyOnly is set

	mediaType, charset string // see MediaType
}

// Reset reads the message in data into m, and reuses the memory of m. A response may lack its
// status line, the reason in it (RFC 9112 Section 4), or the whole header. Its version may be
// HTTP/2 or ICY. curl -i writes other responses before the last one: interim responses (RFC 9110
// Section 15.2), and responses of proxies and redirects. Reset skips them, and keeps the redirects
// for [Message.Redirects]. data must not change while m is in use.
func (m *Message) Reset(data []byte, o Options) {
	m.clear(data, o)
	m.parse(0)
	passed := 0 // number of Defects that name a response before the last one
	for m.precedesAnother() {
		next := m.Content.Start
		defect := mime.Defect{Offset: int64(m.Start.Start), Text: "a response before the last one, passed over"}
		redirects := m.redirects
		defects := m.Defects[:passed]
		if to, n := m.Get("Location"); n > 0 && m.Status/100 == 3 {
			redirects = append(redirects, redirect{m.Head, to})
			defect.Text = fmt.Sprintf("a redirect to %.200q, the address of the next response", to)
		}
		m.clear(data, o)
		m.redirects = redirects
		m.Defects = defects
		if len(m.Defects) < maxDefects {
			m.Defects = append(m.Defects, defect)
		}
		passed = len(m.Defects)
		m.parse(next)
	}
	m.setMediaType()
}

// redirect is a response before the last one that sent the client to another address (RFC 9110
// Section 15.4).
type redirect struct {
	head     extract.Span // like Head in Message
	location string       // the address, as written
}

// Redirects yields the redirects before the response, in their order: the span of their header
// fields, like Head, and their Location as it is written.
func (m *Message) Redirects() iter.Seq2[extract.Span, string] {
	return func(yield func(extract.Span, string) bool) {
		for _, r := range m.redirects {
			if !yield(r.head, r.location) {
				return
			}
		}
	}
}

// RedirectHeading makes d the document of the header fields of a redirect, as [Message.Heading]
// does for the last response. head comes from [Message.Redirects]. outer is the layers of the
// redirect.
func (m *Message) RedirectHeading(head extract.Span, d *extract.Doc, outer *base.Layer) {
	d.Reset()
	d.Format = extract.Heading
	d.Data = m.data[head.Start:head.End]
	d.Layer = outer
}

// ResetBare makes m a message that consists of body, without a header. It reuses the memory of m.
// mediaType is the media type of body, or empty if the caller does not know it. body must not
// change while m is in use.
func (m *Message) ResetBare(body []byte, mediaType string, o Options) {
	m.clear(body, o)
	m.bodyType = mediaType
	m.bodyOnly = true
	m.Content = extract.Span{Start: 0, End: len(body)}
	m.setMediaType()
}

// DropContent removes the body from m.
func (m *Message) DropContent() { m.Content.Start = m.Content.End }

// clear makes m an empty message over data, and keeps its memory.
func (m *Message) clear(data []byte, o Options) {
	fields := m.fields[:0]
	*m = Message{data: data, opts: o}
	m.fields = fields
}

// maxDefects is the number of defects of a message that are kept.
const maxDefects = 100

// addDefect adds a defect, unless there are maxDefects.
func (m *Message) addDefect(at int, text string) {
	if len(m.Defects) < maxDefects {
		m.Defects = append(m.Defects, mime.Defect{Offset: int64(at), Text: text})
	}
}

// parse reads the message that begins at an offset.
func (m *Message) parse(at int) {
	for at < len(m.data) && (m.data[at] == '\r' || m.data[at] == '\n') { // RFC 9112 Section 2.2
		at++
	}
	at = m.parseStartLine(at)
	body, ended := m.readFields(m.data, at, true)
	m.Head = extract.Span{Start: at, End: m.fieldsEnd(at)}
	m.Content = extract.Span{Start: body, End: len(m.data)}
	for _, f := range m.fields {
		switch {
		case f.Colon < 0:
			m.addDefect(f.Start, "header line without a field name")
		case header.Folds(m.data[f.Colon-1]):
			m.addDefect(f.Start, "blank before the colon of "+string(m.nameOf(f)))
		}
	}
	if !ended && len(m.fields) > 0 {
		m.addDefect(body, "no blank line after the header")
	}
}

// parseStartLine reads the start line at an offset, if there is one, and returns the offset of the
// header fields.
func (m *Message) parseStartLine(at int) int {
	end := nextLine(m.data, at)
	line := bytes.TrimRight(m.data[at:end], "\r\n")
	switch {
	case isStatusLine(line):
		m.Status = statusCode(line)
	case m.parseRequestLine(line):
	default:
		if at < len(m.data) {
			m.addDefect(at, "no status line")
		}
		m.Start = extract.Span{Start: at, End: at}
		return at
	}
	m.Start = extract.Span{Start: at, End: at + len(line)}
	return end
}

// isStatusLine reports whether a line begins like a status line of HTTP or SHOUTcast.
func isStatusLine(line []byte) bool {
	name, rest := line, []byte(nil)
	if n := bytes.IndexAny(line, " \t/"); n >= 0 {
		name, rest = line[:n], line[n:]
	}
	switch {
	case len(name) == 4 && header.Fold(name, "HTTP"):
		return len(rest) > 0 && rest[0] == '/' || statusCode(rest) != 0
	case len(name) == 3 && header.Fold(name, "ICY"):
		return len(rest) > 0
	}
	return false
}

// statusCode returns the first word of exactly three digits as a number, or 0.
func statusCode(line []byte) int {
	for word := range bytes.FieldsSeq(line) {
		if len(word) == 3 && isDigits(word) {
			return int(word[0]-'0')*100 + int(word[1]-'0')*10 + int(word[2]-'0')
		}
	}
	return 0
}

// isDigits reports whether b consists of one or more digits.
func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// parseRequestLine reads METHOD SP target SP HTTP-version. It returns false if line is not of this
// form.
func (m *Message) parseRequestLine(line []byte) bool {
	method, rest, _ := bytes.Cut(line, []byte(" "))
	n := bytes.LastIndexByte(rest, ' ')
	if n < 0 || !bytes.HasPrefix(rest[n+1:], []byte("HTTP/")) ||
		len(method) == 0 || strings.ToUpper(string(method)) != string(method) {
		return false
	}
	m.Method = string(method)
	m.Target = strings.TrimSpace(string(rest[:n]))
	return true
}

// precedesAnother reports whether another response follows the header of m instead of a body. It
// returns true only if m is an interim response or a redirect, or if its header fields say that it
// has no body.
func (m *Message) precedesAnother() bool {
	rest := m.data[m.Content.Start:]
	if m.Start.Start == m.Start.End || m.Method != "" || !bytes.HasPrefix(rest, []byte("HTTP/")) ||
		statusCode(rest[:min(nextLine(rest, 0), 64)]) == 0 {
		return false
	}
	if c := m.Status / 100; c == 1 || c == 3 {
		return true
	}
	length, n := m.Get("Content-Length")
	_, typed := m.Get("Content-Type")
	_, coded := m.Get("Transfer-Encoding")
	return n > 0 && length == "0" || n+typed+coded == 0
}

// Layer returns the layers of the header fields that give a base, with outer around them. It
// returns outer without [Options].RFC2616. outer has the retrieval and default layers, and may be
// nil.
func (m *Message) Layer(outer *base.Layer) *base.Layer {
	if !m.opts.RFC2616 {
		return outer
	}
	if v, n := m.Get("Content-Location"); n > 0 {
		outer = &base.Layer{Source: base.ContentLocation, Value: v, Outer: outer}
	}
	if v, n := m.Get("Content-Base"); n > 0 {
		outer = &base.Layer{Source: base.ContentBase, Value: v, Outer: outer}
	}
	return outer
}

// statedLayer returns the layers of the header fields of the response that a WAT record describes,
// with outer around them. It returns outer without [Options].RFC2616, as Layer does.
func (m *Message) statedLayer(wat []byte, outer *base.Layer) *base.Layer {
	if !m.opts.RFC2616 {
		return outer
	}
	var record struct {
		Envelope struct {
			Payload struct {
				Response struct{ Headers map[string]any } `json:"HTTP-Response-Metadata"`
			} `json:"Payload-Metadata"`
		}
	}
	if json.Unmarshal(wat, &record) != nil {
		return outer
	}
	for _, source := range []base.Source{base.ContentLocation, base.ContentBase} {
		for name, value := range record.Envelope.Payload.Response.Headers {
			if text, ok := value.(string); ok && strings.EqualFold(name, source.String()) {
				outer = &base.Layer{Source: source, Value: text, Outer: outer}
			}
		}
	}
	return outer
}

// Heading makes d the document of the header fields, and reuses the memory of d. Its offsets count
// from m.Head.Start. Its layers are those of [Message.Layer] with outer. The links of d can be
// listed, but never edited.
func (m *Message) Heading(d *extract.Doc, outer *base.Layer) {
	d.Reset()
	d.Format = extract.Heading
	d.Data = m.data[m.Head.Start:m.Head.End]
	d.Layer = m.Layer(outer)
}
