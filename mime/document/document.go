// Package document yields the documents of a source, one after the other. A source is a single
// document, a message with documents as parts, or an HTTP response, whose heading and body are
// documents. Each document comes with the base layers around it and with its place in the source.
//
//	var set document.Set
//	source := document.Source{Message: true, At: file, Size: size}
//	err := set.Open(&source, outer, document.Options{})
//	for d := range set.All() {
//		for link := range resolver.Links(d.Doc) {
//			at := d.Source(link.Span)
//			fmt.Printf("part %s, offset %d: %s\n", d.Section(), at.Start, link.URI)
//		}
//	}
//	for _, p := range set.Problems() {
//		fmt.Printf("part %s: %s: %s\n", p.Part, p.Kind, p.Detail)
//	}
//
// Damaged input is not an error: the package reads as much as possible, and a [Problem] tells the
// fault and its place. To edit documents, see package rewrite.
//
// Files in reading order: document.go, enclosed.go, leftout.go, response.go, problem.go, lines.go.
package document

import (
	"io"
	"iter"
	"slices"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
)

// Source is the origin of documents. One of Format, Message and Response says what it is. The
// caller owns its bytes, which must not change while its documents are in use.
type Source struct {
	Format   extract.Format   // of a source that is one document
	Message  bool             // it is an Internet message or an MHTML archive
	Response *httpmsg.Message // it is an HTTP response, read from Data
	// the answers that led to a retrieved source; the last is the answer with the source itself.
	// Their headings are listed with Options.Listing.
	Answers []Answer

	At      io.ReaderAt // the content
	Size    int64       // bytes of the content
	Data    []byte      // the whole content, if it is in memory; only a message may lack it
	Charset string      // of all its documents, given by the caller; empty if each document names its own
	Robots  bool        // a plain text is a robots.txt: see extract.Doc.RobotsTxt
	Cut     bool        // the content is cut or damaged: see extract.Doc.Cut
	Signed  bool        // a file beside it holds a signature of its bytes

	// Truncated says that the writer of an archive left out the end of a response on purpose, so
	// its missing end is no loss.
	Truncated bool

	// The place of the content. The zero values mean a source by itself.
	Origin      int64 // offset at which it begins in a container, such as a mailbox
	LinesBefore int64 // lines of the container that end before Origin; -1 if unknown
	Compressed  bool  // the container holds it compressed, from Origin on: its bytes have no offsets of their own
	Unplaced    bool  // a coding was undone, so its bytes are in no file: offsets count in the content
}

// Answer is the heading of an HTTP answer (RFC 9112 Section 2.1).
type Answer struct {
	URL  string // the URL that was requested
	Text []byte // header fields, as lines
}

// Options say how sources are read. The zero value reads the documents and places that a browser or
// mail program follows.
type Options struct {
	Read    extract.Options // which places of a document are read
	Listing bool            // also yield documents that no edit can touch: headings, plain text, calendars
	// Text yields the same documents as Listing, except for the headings of answers and responses.
	// A caller that edits plain and enriched text sets it.
	Text   bool
	Limits mime.Limits
	Policy *base.Policy // resolves the names of the parts of a message; nil means the zero value
}

// Document is one document of a source. It is valid until the next one is taken.
type Document struct {
	*extract.Doc
	Type   string       // media type
	Entity *mime.Entity // the part of the message; nil outside of a message
	Leaf   *mime.Leaf   // the decoded body of the part; nil for a heading, and outside of a message

	at     int64 // offset of the bytes in the content, if there is no leaf
	set    *Set
	answer bool // the heading of an answer, which is not part of the source
}

// Placed reports whether the bytes of d are in the source. If not, Source and Position have no
// meaning.
func (d *Document) Placed() bool {
	src, b := &d.set.src, d.set.top().body
	return !d.answer && !src.Unplaced && !src.Compressed && (b == nil || !b.Coded)
}

// Section returns the section number of the part, or an empty string for a single document.
func (d *Document) Section() string {
	if d.Entity == nil {
		return ""
	}
	return d.Entity.Section
}

// Source returns the span of the source that covers s, a span of the document. If the source is an
// item of a container, the offsets count from the start of the container. If Placed is false, the
// span is only a hint: in a coded body or a compressed container it is empty, and begins at the
// encoded bytes.
func (d *Document) Source(s extract.Span) mime.Span {
	span := mime.Span{Start: d.at + int64(s.Start), End: d.at + int64(s.End)}
	if d.Leaf != nil {
		span = d.Leaf.Source(s)
	}
	return d.set.source(span)
}

// Position returns the line and the column, in bytes, of an offset in the source. Both count from
// 1, and are 0 if lines are unknown. Calls with rising offsets are cheap.
func (d *Document) Position(offset int64) (line, column int64) {
	return d.set.top().lines.position(offset)
}

// Problem returns a problem of the reference at span.
func (d *Document) Problem(span extract.Span, kind extract.Defect, detail string) Problem {
	p := Problem{Kind: kind, Part: d.Section(), Offset: -1, Detail: detail}
	if d.Placed() {
		p.Offset = d.Source(span).Start
		p.Line, p.Column = d.Position(p.Offset)
	}
	return p
}

// InMessage returns a function that reports whether a reference of the document names a part of its
// message. The function is nil if no reference can name one, as in a single document. It is also
// nil for a heading: a reference there, such as a Content-Location, is the name of its own part,
// and no link to another part.
func (d *Document) InMessage() func(value, uri []byte) bool {
	if d.Leaf == nil {
		return nil
	}
	return d.set.names(d.Entity)
}

// Prepare sets the fields of r that depend on the message of the document: InMessage and PartName.
func (d *Document) Prepare(r *extract.Resolver) {
	r.InMessage = d.InMessage()
	r.PartName = nil
	if d.Leaf != nil {
		r.PartName = d.Entity.PartName()
	}
}

// HTTP returns the values of the header fields with this name in the answer or response that d came
// in, or nil. If d is the heading of an answer, HTTP reads that heading.
func (d *Document) HTTP(name string) []string {
	top := d.set.top()
	if top.src.Response != nil {
		return slices.Collect(top.src.Response.Values(name))
	}
	if len(top.src.Answers) == 0 {
		return nil
	}
	var h httpmsg.Header
	h.ParseFields(top.src.Answers[top.answering].Text, 0)
	return slices.Collect(h.Values(name))
}

// Missing reports whether a reference of the document, as written, is a cid: URL that names no part
// of its message.
func (d *Document) Missing(value []byte) bool {
	return d.Leaf != nil && d.Entity.Missing(value)
}

// Set yields the documents of a source. It may be opened for one source after the other, and reuses
// its memory. The zero Set has no documents. It must not be copied after the first source. It is
// not safe for concurrent use.
type Set struct {
	Message *mime.Message // the source, if it is a message; otherwise nil

	src       Source
	given     *base.Layer                                     // the layers that the caller gave
	outer     *base.Layer                                     // given, after the redirects of a response
	names     func(*mime.Entity) func(value, uri []byte) bool // result of mime.Message.InMessage for Message
	o         Options
	body      *body // of a response, while its documents are being taken
	doc       extract.Doc
	leaf      mime.Leaf // the leaf from which doc is decoded
	current   Document  // doc with its place and its type
	answering int       // index of the answer that the current document came in
	lines     lines
	problems  []Problem

	around *Set      // the set of the part that encloses the message, or nil
	shell  mime.Leaf // that part, decoded
	inner  *Set      // of an enclosed message; its memory is kept for the next one
}

// top returns the set of the source itself.
func (s *Set) top() *Set {
	for s.around != nil {
		s = s.around
	}
	return s
}

// add adds problems, in the order of the source.
func (s *Set) add(p ...Problem) {
	top := s.top()
	top.problems = append(top.problems, p...)
}

// Open prepares s to yield the documents of src, with the layers outer around them. Documents that
// s yielded before become invalid. An error comes from reading src.At. After an error, s must be
// opened again.
func (s *Set) Open(src *Source, outer *base.Layer, o Options) error {
	s.Message = nil
	s.src = *src
	s.given = outer
	s.outer = outer
	s.o = o
	s.lines = src.lines()
	s.names, s.body, s.problems = nil, nil, nil
	s.answering = max(len(src.Answers)-1, 0)
	if src.Response != nil {
		for _, location := range src.Response.Redirects() {
			s.outer = s.afterRedirect(s.outer, location)
		}
	}
	if !src.Message {
		return nil
	}
	m, err := parse(src, o.Limits)
	if err != nil {
		return err
	}
	s.Message = m
	s.enter(m, outer)
	return nil
}

// enter prepares s to yield the parts of m.
func (s *Set) enter(m *mime.Message, outer *base.Layer) {
	s.names = m.InMessage(s.o.Policy, outer)
	s.noteDefects(m)
}

// source returns the span of the source for a span of the content.
func (s *Set) source(span mime.Span) mime.Span {
	if s.around != nil {
		return s.around.source(s.shell.Source(extract.Span{Start: int(span.Start), End: int(span.End)}))
	}
	if s.src.Compressed {
		span = mime.Span{}
	} else if s.body != nil {
		span = s.body.source(span)
	}
	return mime.Span{Start: span.Start + s.src.Origin, End: span.End + s.src.Origin}
}

func (s *Set) offset(at int64) int64 { return s.source(mime.Span{Start: at, End: at}).Start }

// parse parses the message src. It copies nothing if the message is in memory.
func parse(src *Source, lim mime.Limits) (*mime.Message, error) {
	if src.Data != nil {
		m := new(mime.Message)
		m.Reset(src.Data, lim)
		return m, nil
	}
	return mime.Parse(src.At, src.Size, lim)
}

// All yields the documents in the order of the source. Each is valid until the next one. If a part
// cannot be read, Problems reports it and All continues with the next part.
func (s *Set) All() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if !s.yieldAnswers(yield) {
			return
		}
		m := s.Message
		switch {
		case m != nil:
		case s.src.Response != nil:
			m = s.yieldResponse(yield)
		default:
			s.yieldSingle(yield)
		}
		if m == nil {
			return
		}
		s.yieldParts(m, yield)
	}
}

// yieldParts yields the headings and bodies of the parts of m, and of the messages that they
// enclose. It reports whether to go on.
func (s *Set) yieldParts(m *mime.Message, yield func(*Document) bool) bool {
	for e := range m.Root.All() {
		if (s.o.Listing || s.o.Text) && (s.body == nil || e != m.Root) { // the heading of a response is yielded before
			s.heading(e)
			if !yield(&s.current) {
				return false
			}
		}
		switch {
		case s.holds(e):
			if !s.part(e) {
				continue
			}
			goOn := yield(&s.current)
			s.leave(&s.current)
			if !goOn {
				return false
			}
		case e.Enclosed():
			if !s.yieldEnclosed(e, yield) {
				return false
			}
		default:
			s.noteLeftOut(e)
		}
	}
	return true
}

// holds reports whether the body of e is a document of the set.
func (s *Set) holds(e *mime.Entity) bool {
	return len(e.Parts) == 0 && s.takes(e.Format())
}

// takes reports whether a body of this format is a document of the set.
func (s *Set) takes(format extract.Format) bool {
	switch {
	case format == extract.Unknown:
		return false
	case format == extract.Script:
		return s.o.Read.Scripts
	case format == extract.WAT:
		return true // it stands for a page
	case format.ListOnly():
		return s.o.Listing || s.o.Text
	}
	return true
}

// yieldAnswers yields the headings of the answers that led to the source.
func (s *Set) yieldAnswers(yield func(*Document) bool) bool {
	if !s.o.Listing {
		return true
	}
	for i, h := range s.src.Answers {
		s.doc.Reset()
		s.doc.Format, s.doc.Data, s.doc.Layer = extract.Heading, h.Text, s.outer
		if i < len(s.src.Answers)-1 {
			s.doc.Layer = &base.Layer{Source: base.URL, Value: h.URL} // a redirect has its own URL
		}
		s.answering = i
		if !yield(&Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), set: s, answer: true}) {
			return false
		}
	}
	return true
}

func (s *Set) yieldSingle(yield func(*Document) bool) {
	s.doc.Reset()
	s.doc.Format, s.doc.Data, s.doc.Charset, s.doc.Layer = s.src.Format, s.src.Data, s.src.Charset, s.outer
	s.doc.Options, s.doc.Cut, s.doc.RobotsTxt = s.o.Read, s.src.Cut, s.src.Robots
	s.current = Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), set: s}
	yield(&s.current)
	s.noteFindings(&s.current)
}

// heading makes the heading of e the current document.
func (s *Set) heading(e *mime.Entity) {
	e.Heading(&s.doc, s.outer)
	s.current = Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), Entity: e, at: e.Head.Start, set: s}
}

// part makes the body of e the current document. It returns false if the body cannot be read.
func (s *Set) part(e *mime.Entity) bool {
	leaf := &s.leaf
	if err := e.FillLeaf(leaf); err != nil {
		s.noteUnread(e, err)
		return false
	}
	s.noteUndecoded(leaf)
	leaf.Fill(&s.doc, s.outer)
	conditional := s.doc.Options.ConditionalComments
	s.doc.Options = s.o.Read
	s.doc.Options.ConditionalComments = conditional
	s.doc.Cut = s.doc.Cut || s.src.Cut
	if s.src.Charset != "" {
		s.doc.Charset = s.src.Charset
	}
	s.current = Document{Doc: &s.doc, Type: e.MediaType(), Entity: e, Leaf: leaf, set: s}
	if e.Attached() {
		s.current.Type = s.doc.Format.MediaType()
	}
	s.noteSealedText(leaf)
	s.noteNarrow(leaf)
	return true
}

// heldLeaf is the size of a decoded part up to which its memory is reused.
const heldLeaf = 1 << 20

// leave records the findings of d, the current part.
func (s *Set) leave(d *Document) {
	s.noteFindings(d)
	if len(s.leaf.Data) > heldLeaf {
		s.leaf = mime.Leaf{}
	}
}
