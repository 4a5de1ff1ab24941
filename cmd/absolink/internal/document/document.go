// Package document takes the documents out of an input: the single one that it
// is, the parts of a message that are documents, or the body of an HTTP response,
// each with the base layers that lie around it.
package document

import (
	"errors"
	"iter"
	"sync"

	"absolink/base"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
)

// Options say how inputs are read.
type Options struct {
	Charset string // decided by the operator, "" if not
	Read    extract.Options
	Listing bool // with the parts of a message that no edit can touch: its plain text, its headings
	Limits  mime.Limits
	HTTP    httpmsg.Options
	Policy  *base.Policy // by which parts have their names; nil = the default one
}

// Problem is something that a user should know about an input.
type Problem struct {
	Part   string // section number, "" outside messages
	Offset int64  // in the source, -1 if there is no one place
	Line   int64  // from 1, with Column; 0 if not known
	Column int64
	Text   string
	Minor  bool // nothing was lost by it
}

// Document is one document of an input. It is valid until the next one is taken.
type Document struct {
	*extract.Doc
	Type   string       // media type
	Entity *mime.Entity // the part of the message; nil for a single document
	Leaf   *mime.Leaf   // nil for a single document and a heading

	names *mime.Names
	at    int64 // where the bytes stand in the content if there is no leaf
	set   *Set

	answer bool // the heading of an answer, which is no part of the source
}

// Placed reports whether the bytes of d stand in the source, so that Source and
// Position mean something.
func (d *Document) Placed() bool {
	in, b := d.set.in, d.set.body
	return !d.answer && in.Coding == coding.None && !in.Unplaced && !in.Compressed && (b == nil || !b.Coded)
}

// Section returns the section number of the part, "" for a single document.
func (d *Document) Section() string {
	if d.Entity == nil {
		return ""
	}
	return d.Entity.Section
}

// Source returns the span of the source that covers a span of the document: of
// the whole container, if the input is an item of one. Where the bytes do not
// stand in the source it is empty, and begins where that is which they come from.
func (d *Document) Source(s extract.Span) mime.Span {
	span := mime.Span{Start: d.at + int64(s.Start), End: d.at + int64(s.End)}
	if d.Leaf != nil {
		span = d.Leaf.Source(s)
	}
	return d.set.source(span)
}

// Position returns line and column, from 1, of an offset in the source, line 0 if
// it is not known. Asking for offsets in rising order is cheap.
func (d *Document) Position(offset int64) (line, column int64) {
	return d.set.lines.position(offset)
}

// Problem returns one of the reference at span, by which nothing was lost.
func (d *Document) Problem(span extract.Span, text string) Problem {
	p := Problem{Part: d.Section(), Offset: -1, Text: text, Minor: true}
	if d.Placed() {
		p.Offset = d.Source(span).Start
		p.Line, p.Column = d.Position(p.Offset)
	}
	return p
}

// InMessage reports whether a reference of the document names a part of its
// message; nil for a single document, where none does, and for a heading, whose
// own names would.
func (d *Document) InMessage() func(value, uri []byte) bool {
	if d.Leaf == nil {
		return nil
	}
	return d.names.For(d.Entity)
}

// Missing reports whether a reference of the document, as written, is a cid: URL that names
// no part of its message.
func (d *Document) Missing(value []byte) bool {
	return d.Leaf != nil && d.names.Missing(value)
}

// Set is the documents of one input.
type Set struct {
	Message *mime.Message // nil for a single document

	in       *input.Document
	outer    *base.Layer
	names    *mime.Names // of the parts of Message
	o        Options
	body     *body        // of a response, when its documents are being taken
	doc      *extract.Doc // the one after the other
	current  Document     // it, with what is around it
	lines    lines
	problems []Problem
}

// Open returns the documents of in, around which the layers outer lie. They are
// read into doc, one after the other, so that its memory serves for all. The
// error is that of reading.
func Open(in *input.Document, outer *base.Layer, o Options, doc *extract.Doc) (*Set, error) {
	s := &Set{in: in, outer: outer, o: o, doc: doc}
	first := in.Line
	if !in.Inner {
		first = 1
	}
	s.lines = lines{r: in.At, origin: in.Origin, size: in.Size, data: in.Data, first: first}
	if in.Kind.Single() || in.Kind == input.HTTP {
		return s, nil
	}
	m, err := parse(in, o.Limits)
	if err != nil {
		return nil, err
	}
	s.Message = m
	s.enter(m, outer)
	if hidesHeader(in) {
		s.problems = append(s.problems, Problem{Offset: s.offset(0), Text: "begins with a blank line, which ends the header: the fields behind it are read as text; remove the line to have the message read", Minor: true})
	}
	return s, nil
}

// hidesHeader looks at the beginning of the message in, further only where that is blank.
func hidesHeader(in *input.Document) bool {
	head := in.Data[:min(len(in.Data), 1024)]
	if in.Data == nil {
		head = make([]byte, 1)
		n, _ := in.At.ReadAt(head, 0)
		if head = head[:n]; n > 0 && (head[0] == '\n' || head[0] == '\r') {
			head = make([]byte, 1024)
			n, _ = in.At.ReadAt(head, 0)
			head = head[:n]
		}
	}
	return input.HidesHeader(head)
}

// enter makes the parts of m those that are taken.
func (s *Set) enter(m *mime.Message, outer *base.Layer) {
	s.names = m.Names(s.o.Policy, outer)
	for _, d := range m.Defects {
		s.problems = append(s.problems, Problem{Part: d.Part, Offset: s.offset(d.Offset), Text: d.Text})
	}
}

// source returns the span of the source in which a span of the content stands.
func (s *Set) source(span mime.Span) mime.Span {
	if s.in.Compressed {
		span = mime.Span{}
	} else if s.body != nil {
		span = s.body.source(span)
	}
	return mime.Span{Start: span.Start + s.in.Origin, End: span.End + s.in.Origin}
}

func (s *Set) offset(at int64) int64 { return s.source(mime.Span{Start: at, End: at}).Start }

// parse maps the message that in is, in memory if it is held there.
func parse(in *input.Document, lim mime.Limits) (*mime.Message, error) {
	if in.Data != nil {
		return mime.ParseBytes(in.Data, lim), nil
	}
	return mime.Parse(in.At, in.Size, lim)
}

// All yields the documents in the order of the input. A part that cannot be
// read is a problem, and the others go on.
func (s *Set) All() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if !s.yieldAnswers(yield) {
			return
		}
		switch {
		case s.Message != nil:
			s.yieldParts(s.Message, yield)
		case s.in.Kind == input.HTTP:
			s.yieldResponse(yield)
		default:
			s.yieldSingle(yield)
		}
	}
}

// yieldParts yields the documents of a message, but for the heading of one that is
// the body of a response: that has its own.
func (s *Set) yieldParts(m *mime.Message, yield func(*Document) bool) {
	for e := range m.Root.All() {
		if s.o.Listing && (s.body == nil || e != m.Root) && !s.yieldHeading(e, yield) {
			return
		}
		if s.holds(e) && !s.yieldPart(e, yield) {
			return
		}
	}
}

// holds reports whether the body of e is a document of the set.
func (s *Set) holds(e *mime.Entity) bool {
	switch format := e.Format(); {
	case len(e.Parts) > 0 || format == extract.Unknown:
		return false
	case format.ListOnly():
		return s.o.Listing
	}
	return true
}

// yieldAnswers yields the headings of the answers that led to the input, which it was
// retrieved by.
func (s *Set) yieldAnswers(yield func(*Document) bool) bool {
	if !s.o.Listing {
		return true
	}
	for i, h := range s.in.Headings {
		s.doc.Reset()
		s.doc.Format, s.doc.Data, s.doc.Layer = extract.Heading, h.Text, s.outer
		if i < len(s.in.Headings)-1 {
			s.doc.Layer = &base.Layer{Source: base.URL, Value: h.URL} // it redirects: it has its own
		}
		if !yield(&Document{Doc: s.doc, Type: s.doc.Format.MediaType(), set: s, answer: true}) {
			return false
		}
	}
	return true
}

func (s *Set) yieldSingle(yield func(*Document) bool) {
	s.doc.Reset()
	s.doc.Format, s.doc.Data, s.doc.Charset, s.doc.Layer = s.in.Kind.Format(), s.in.Data, s.o.Charset, s.outer
	s.doc.Options = s.o.Read
	s.current = Document{Doc: s.doc, Type: s.doc.Format.MediaType(), set: s}
	yield(&s.current)
	s.findings(&s.current)
}

func (s *Set) yieldHeading(e *mime.Entity, yield func(*Document) bool) bool {
	e.Heading(s.doc, s.outer)
	s.current = Document{Doc: s.doc, Type: s.doc.Format.MediaType(), Entity: e, at: e.Head.Start, set: s}
	return yield(&s.current)
}

func (s *Set) yieldPart(e *mime.Entity, yield func(*Document) bool) bool {
	leaf := leaves.Get().(*mime.Leaf)
	defer release(leaf)
	if err := e.FillLeaf(leaf); err != nil {
		s.problems = append(s.problems, s.Failure(e, err))
		return true
	}
	if leaf.Problem != "" {
		s.problems = append(s.problems, Problem{Part: e.Section, Offset: s.offset(e.Body.Start), Text: leaf.Problem})
	}
	leaf.Fill(s.doc, s.outer)
	s.doc.Options = s.o.Read
	if s.o.Charset != "" {
		s.doc.Charset = s.o.Charset
	}
	s.current = Document{Doc: s.doc, Type: e.MediaType(), Entity: e, Leaf: leaf, names: s.names, set: s}
	goOn := yield(&s.current)
	s.findings(&s.current)
	return goOn
}

// leaves keep the memory of decoded parts from one message to the next.
var leaves = sync.Pool{New: func() any { return new(mime.Leaf) }}

// release gives back the memory of a leaf, unless it is uncommonly much.
func release(l *mime.Leaf) {
	if len(l.Data) <= 1<<20 {
		leaves.Put(l)
	}
}

// Failure returns why e was not read, or stays as it is, as a problem.
func (s *Set) Failure(e *mime.Entity, err error) Problem {
	var known *mime.Error
	if errors.As(err, &known) {
		return s.placed(Problem{Part: known.Part, Offset: s.offset(known.Offset), Text: known.Reason})
	}
	return s.placed(Problem{Part: e.Section, Offset: s.offset(e.Body.Start), Text: err.Error()})
}

// placed returns p with its line and column, where its offset is one of the source.
func (s *Set) placed(p Problem) Problem {
	list := [1]Problem{p}
	s.place(list[:])
	return list[0]
}

// place gives the problems that have an offset in the source their lines and columns.
func (s *Set) place(list []Problem) {
	if s.in.Coding == coding.None && !s.in.Unplaced && !s.in.Compressed {
		s.lines.place(list)
	}
}

// findings takes over what the scan of a document found.
func (s *Set) findings(d *Document) {
	for _, p := range d.Problems() {
		at := d.Source(extract.Span{Start: p.Offset, End: min(p.Offset+1, len(d.Data))})
		text, lost := findingTexts[p.Text], losses[p.Text]
		if text == "" {
			text = p.Text
		}
		if d.answer {
			at.Start = -1 // its heading is no part of the source
		}
		s.problems = append(s.problems, Problem{Part: d.Section(), Offset: at.Start, Text: text, Minor: !lost})
	}
}

// findingTexts are what the names of findings mean, and losses those by which
// references remained unread.
var (
	findingTexts = map[string]string{
		"base-in-noscript":    "base-in-noscript: the BASE element stands in noscript; browsers with scripting do not see it",
		"unknown-charset":     "unknown-charset: the charset that is named is not known, another one is taken",
		"unsupported-charset": "unsupported-charset: the references cannot be read",
		"srcdoc-too-deep":     "srcdoc-too-deep: the references in it are not read",
		"not-well-formed":     "not-well-formed: it is no well-formed XML, and was read as far as it is",
		"unread-entity":       "unread-entity: an entity is not declared in the document, or holds markup; references in it are not read",
		"split-reference":     "split-reference: a reference comes out of several pieces of text or entities, and stays as it is",
		"shifted-reference":   "shifted-reference: a reference cannot be written among its escape sequences of ISO-2022-JP, and stays as it is",
		"xml-base-too-deep":   "xml-base-too-deep: references inside of so many xml:base attributes are not resolved",
	}
	losses = map[string]bool{"unsupported-charset": true, "srcdoc-too-deep": true, "unread-entity": true, "split-reference": true, "shifted-reference": true, "xml-base-too-deep": true}
)

// MessageID returns the Message-ID of a message as it is written, "" where there is none.
func (s *Set) MessageID() string {
	if s.Message == nil {
		return ""
	}
	id, _ := s.Message.Root.Get("Message-ID")
	return id
}

// Problems returns what is wrong with the input, as far as All has come.
func (s *Set) Problems() []Problem {
	s.place(s.problems)
	return s.problems
}
