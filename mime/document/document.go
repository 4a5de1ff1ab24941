// Package document yields the documents of a source, one after the other. A source is a single
// document, a message with documents as parts, or an HTTP response, whose heading and body are
// documents. Each comes with the base layers around it and with its place in the source.
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
// Damaged input is not an error: what can be read is read, and a [Problem] tells what is wrong
// and where. Nothing is edited here, see package rewrite.
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

// Source is what documents are taken from. One of Format, Message and Response says what it
// is. The caller owns its bytes, which must not change while documents of it are in use.
type Source struct {
	Format   extract.Format   // of a source that is one document
	Message  bool             // it is an Internet message, or an MHTML archive
	Response *httpmsg.Message // it is an HTTP response, read from Data
	// the answers that led to a source that was retrieved, the last one its own; listed with
	// Options.Listing
	Answers []Answer

	At      io.ReaderAt // the content
	Size    int64       // of the content, in bytes
	Data    []byte      // the whole content, if it is in memory; needed but for a message
	Charset string      // of its documents, decided by something around the source; "" = as they say
	Robots  bool        // it is a robots.txt if it is plain text: see extract.Doc.RobotsTxt
	Cut     bool        // it is cut short or damaged: see extract.Doc.Cut

	// Truncated says that whoever kept a response left out its end on purpose: what is missing
	// there is no loss.
	Truncated bool

	// Where the content stands. The zero values are those of a source by itself.
	Origin      int64 // offset at which it begins in a container, such as a mailbox
	LinesBefore int64 // lines of the container that end before Origin; -1 if not known
	Compressed  bool  // it stands in the container compressed, from Origin on: no byte of it has an offset of its own
	Unplaced    bool  // its bytes stand nowhere, since a coding was undone: offsets are those of the content
}

// Answer is the heading of an HTTP answer (RFC 9112 Section 2.1).
type Answer struct {
	URL  string // what was asked for
	Text []byte // header fields, as lines
}

// Options say how sources are read. The zero value reads what a browser or mail program
// follows.
type Options struct {
	Read    extract.Options // which places of a document are read
	Listing bool            // also documents that no edit can touch: headings, plain text, calendars
	Limits  mime.Limits
	Policy  *base.Policy // by which the names of the parts of a message are resolved; nil = the zero value
}

// Document is one document of a source. It is valid until the next one is taken.
type Document struct {
	*extract.Doc
	Type   string       // media type
	Entity *mime.Entity // the part of the message; nil outside of one
	Leaf   *mime.Leaf   // the decoded body of the part; nil for a heading, and outside of a message

	at     int64 // where the bytes stand in the content if there is no leaf
	set    *Set
	answer bool // the heading of an answer, which is not part of the source
}

// Placed reports whether the bytes of d stand in the source. If not, Source and Position have no
// meaning.
func (d *Document) Placed() bool {
	src, b := &d.set.src, d.set.top().body
	return !d.answer && !src.Unplaced && !src.Compressed && (b == nil || !b.Coded)
}

// Section returns the section number of the part, "" for a single document.
func (d *Document) Section() string {
	if d.Entity == nil {
		return ""
	}
	return d.Entity.Section
}

// Source returns the span of the source that covers a span of the document: of the whole
// container, if the source is an item of one. If the bytes do not stand in the source, the span
// is empty and begins where that begins which they were decoded from.
func (d *Document) Source(s extract.Span) mime.Span {
	span := mime.Span{Start: d.at + int64(s.Start), End: d.at + int64(s.End)}
	if d.Leaf != nil {
		span = d.Leaf.Source(s)
	}
	return d.set.source(span)
}

// Position returns the line and the column, in bytes, of an offset in the source; both count
// from 1, and are 0 if lines are not known. Calls with rising offsets are cheap.
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

// InMessage returns a function that reports whether a reference of the document names a part of
// its message. The function is nil if no reference can, as in a single document. It is nil for a
// heading, too, whose references would name its own part.
func (d *Document) InMessage() func(value, uri []byte) bool {
	if d.Leaf == nil {
		return nil
	}
	return d.set.names(d.Entity)
}

// Prepare sets what r has to know of the message of the document: its InMessage and PartName.
func (d *Document) Prepare(r *extract.Resolver) {
	r.InMessage = d.InMessage()
	r.PartName = nil
	if d.Leaf != nil {
		r.PartName = d.Entity.PartName()
	}
}

// HTTP returns the values of the header fields of a name in the answer or response that d came
// in, nil if there are none. Its own heading is that of the answer if d is one.
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

// Missing reports whether a reference of the document, as written, is a cid: URL that names
// no part of its message.
func (d *Document) Missing(value []byte) bool {
	return d.Leaf != nil && d.Entity.Missing(value)
}

// Set is the documents of one source after the other, whose memory it reuses. The zero value has
// none. It must not be copied after the first source. Not safe for concurrent use.
type Set struct {
	Message *mime.Message // the source, if it is a message; else nil

	src       Source
	outer     *base.Layer
	names     func(*mime.Entity) func(value, uri []byte) bool // of the parts of Message
	o         Options
	body      *body // of a response, when its documents are being taken
	doc       extract.Doc
	leaf      mime.Leaf // what doc is decoded from, of a part
	current   Document  // doc, with what is around it
	answering int       // index of the answer that the document at hand came in
	lines     lines
	problems  []Problem

	around *Set      // whose part the message is enclosed in; nil at the top
	shell  mime.Leaf // that part, decoded
	inner  *Set      // of an enclosed message, kept for the next one
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

// Open makes s the documents of src, with the layers outer around them. What s had before is
// invalid then. The error is that of reading src.At, after which s must be opened again.
func (s *Set) Open(src *Source, outer *base.Layer, o Options) error {
	s.Message = nil
	s.src = *src
	s.outer = outer
	s.o = o
	s.lines = src.lines()
	s.names, s.body, s.problems = nil, nil, nil
	s.answering = max(len(src.Answers)-1, 0)
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

// enter makes the parts of m those that are taken.
func (s *Set) enter(m *mime.Message, outer *base.Layer) {
	s.names = m.Names(s.o.Policy, outer)
	s.broken(m)
}

// source returns the span of the source in which a span of the content stands.
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

// parse maps the message that src is, in memory if it is held there.
func parse(src *Source, lim mime.Limits) (*mime.Message, error) {
	if src.Data != nil {
		m := new(mime.Message)
		m.Reset(src.Data, lim)
		return m, nil
	}
	return mime.Parse(src.At, src.Size, lim)
}

// All yields the documents in the order of the source, each valid until the next one. A part
// that cannot be read is reported by Problems, and All goes on with the next one.
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
		if s.o.Listing && (s.body == nil || e != m.Root) { // a response has its own heading
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
			s.leftOut(e)
		}
	}
	return true
}

// holds reports whether the body of e is a document of the set.
func (s *Set) holds(e *mime.Entity) bool {
	return len(e.Parts) == 0 && s.takes(e.Format())
}

// takes reports whether a body of a format is a document of the set.
func (s *Set) takes(format extract.Format) bool {
	switch {
	case format == extract.Unknown:
		return false
	case format == extract.Script:
		return s.o.Read.Scripts
	case format.ListOnly():
		return s.o.Listing
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
			s.doc.Layer = &base.Layer{Source: base.URL, Value: h.URL} // it redirects: it has its own
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
	s.findings(&s.current)
}

// heading makes the heading of e the document at hand.
func (s *Set) heading(e *mime.Entity) {
	e.Heading(&s.doc, s.outer)
	s.current = Document{Doc: &s.doc, Type: s.doc.Format.MediaType(), Entity: e, at: e.Head.Start, set: s}
}

// part makes the body of e the document at hand. It reports false if that cannot be read.
func (s *Set) part(e *mime.Entity) bool {
	leaf := &s.leaf
	if err := e.FillLeaf(leaf); err != nil {
		s.unread(e, err)
		return false
	}
	s.undecoded(leaf)
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
	s.sealedText(leaf)
	return true
}

// heldLeaf is the size of a decoded part up to which its memory is used again.
const heldLeaf = 1 << 20

// leave takes over what was found in d, the part at hand.
func (s *Set) leave(d *Document) {
	s.findings(d)
	if len(s.leaf.Data) > heldLeaf {
		s.leaf = mime.Leaf{}
	}
}
