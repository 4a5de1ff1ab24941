package rewrite

import (
	"iter"
	"slices"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// Link is a reference of a document before it is rewritten, with the planned change.
type Link struct {
	extract.Link
	// Keep may be set by the caller. The reference then stays as it is written.
	Keep bool
	// Absolute may be set by the caller. The reference is then written as an absolute URI, whatever
	// the form of the site, even if it is ListOnly. A canonical URI needs that.
	Absolute bool

	edits   []extract.Edit // edits of parts of the reference; nil if all of it is rewritten
	exact   bool           // it stays, and URI is the one to which it leads in the output
	written []byte         // with edits, its value in the output
	unknown int            // with edits, the number of bytes at the end of written that a template or a script inserts
}

// current is the document that is being planned.
type current struct {
	*document.Document
	mover     *mover // nil if nothing moves
	edits     edits
	planned   bool           // its links were ranged over
	removed   []extract.Span // what a web archive has added, and the plan removes
	first     int            // the number of prints before those of this document
	further   int            // edits of references that have an edit already
	unwritten int            // links that would change if the charset of the document could be written
}

// planLinks plans the edits of d, the current document. It calls yield with the links, in their
// order, until yield returns false. The other links are planned all the same. If d is not edited
// although some of its references should change, a problem of the plan says why.
func (p *Plan) planLinks(d *document.Document, yield func(*Link) bool) {
	r := &p.r.Resolver
	p.doc = current{Document: d, first: p.prints.n, planned: true}
	p.doc.mover = p.mover(d)
	d.Prepare(r)
	p.removeAdditions()
	l, goOn := &p.r.link, true
	links := p.staying(r.Links(d.Doc))
	if p.doc.mover != nil && p.doc.mover.like != nil {
		links = p.doc.mover.arrange(links)
	}
	for link := range links {
		l.Link, l.Keep, l.Absolute, l.edits, l.exact = link, false, false, nil, false
		goOn = goOn && yield(l)
		p.take(l)
	}
	r.BaseElement = p.base // the mover may have set it
	p.settle()
}

// DocumentEdits yields the edits of the document whose links were ranged over last, as edits of its
// decoded bytes. They are sorted and do not overlap. Their new bytes are valid as long as the plan.
// If the document stays unchanged, there are no edits.
func (p *Plan) DocumentEdits() iter.Seq[extract.Edit] { return p.doc.edits.all() }

// take plans the change of l, and records its print for the verification.
func (p *Plan) take(l *Link) {
	text := p.decide(l)
	if l.Change {
		p.edit(l, text)
		if l.edits == nil {
			l.Status = p.doc.mover.status(&l.Link, text)
		}
	}
	if names := p.r.Resolver.InMessage; !p.r.NoVerify && names != nil && (l.Change || l.exact) &&
		(l.Status == extract.AbsoluteRef || l.Status == extract.Resolved) && names(text, l.URI) {
		l.Status = extract.InMessage
	}
	if l.Drop {
		return
	}
	p.n++
	if !p.r.NoVerify {
		p.prints.add(printOf(&l.Link, p.doc.mover != nil && !l.Change && !l.exact))
	}
}

// decide decides whether l changes, and returns the new text. l.URI becomes the URI of that text. l
// stays unchanged, with its URI, if its place cannot hold the new text, or if its document has a
// charset that absolink never writes.
func (p *Plan) decide(l *Link) (text []byte) {
	if l.Keep {
		l.Change, l.Drop = false, false
		return l.URI
	}
	was, status := l.URI, l.Status
	text = was
	if p.doc.mover != nil {
		text = p.doc.mover.move(l)
	} else if p.doc.ReadOnly() {
		l.Change = l.Status == extract.Resolved && !l.ListOnly
	} else if l.Fixed() && slices.Contains(l.Warnings, "unwritable") {
		p.noteFixed(l)
	}
	switch {
	case !l.Change:
	case p.doc.ReadOnly():
		l.Drop = false
		l.stay(was, status)
		p.doc.unwritten++
	case l.Drop:
	case p.leave != nil && p.leave(p.n+1):
		l.stay(was, status)
		p.noteUnsafe(l, was)
		p.Problems = append(p.Problems, minor(p.doc.Problem(l.Span, Misread, string(text))))
	case l.Holds(l.known(text)):
		l.URI, text = l.Fit(l.URI), l.Fit(text)
	case l.Fixed():
		l.stay(was, status)
		p.noteFixed(l)
	default:
		l.stay(was, status)
		p.noteUnsafe(l, was)
		p.Problems = append(p.Problems, minor(p.doc.Problem(l.Span, NoRoom, string(text))))
	}
	return text
}

// stay marks l as unchanged, with the URI and the status that it has now.
func (l *Link) stay(uri []byte, status extract.Status) {
	l.Change = false
	l.exact = false
	l.URI = uri
	l.Status = status
}

// known returns the part of text, the new text of l, that surely belongs to the reference. That is
// all of it, unless edits replace only the start of l.
func (l *Link) known(text []byte) []byte {
	if l.edits == nil {
		return text
	}
	return text[:len(text)-l.unknown]
}

// noteFixed records that l stays as it is written, because an edit would move the end of the
// element around it.
func (p *Plan) noteFixed(l *Link) {
	p.Problems = append(p.Problems, minor(p.doc.Problem(l.Span, FixedEnd, "")))
}

// edit adds the edits that write text in place of l, as long as p.room allows it.
func (p *Plan) edit(l *Link, text []byte) {
	if p.room < 0 {
		return
	}
	s := &p.doc.edits
	before := s.size
	switch {
	case l.edits != nil:
		for _, e := range l.edits {
			s.add(e)
		}
		p.doc.further += len(l.edits) - 1
	case !l.Drop:
		s.add(l.Edit(text))
	default:
		for _, e := range p.r.Resolver.AppendEdits(nil, &l.Link) {
			s.add(e)
		}
	}
	p.room -= s.size - before
	if p.room < 0 {
		s.forget()
	}
}

// settle turns the edits of the document into edits of the source.
func (p *Plan) settle() {
	d := &p.doc
	if d.unwritten > 0 {
		problem := d.Problem(extract.Span{}, Unwritten, d.Encoding())
		problem.Minor = true
		p.Problems = append(p.Problems, problem)
	}
	d.edits.sort()
	n := d.edits.n
	if n == 0 {
		p.noteEnds()
		return
	}
	if !p.add() {
		if isText(d.Format) {
			p.stay(staysUnsafe, "", n)
		}
		d.edits, d.removed = edits{}, nil
		p.printAsWritten()
		p.noteEnds()
		return
	}
	p.noteEnds()
	p.References += n - d.further
	p.DKIM = p.DKIM || d.Entity != nil && d.Entity.DKIM()
}

// add turns the edits of the document into edits of the source. It reports whether they can be
// made; if not, a problem of the plan says why.
func (p *Plan) add() bool {
	d := &p.doc
	if p.room < 0 {
		p.room += d.edits.size
		p.Problems = append(p.Problems, document.Problem{Kind: TooLarge, Part: d.Section(), Offset: -1})
		return false
	}
	if p.change == nil {
		p.page = d.edits
		return true
	}
	switch reason := d.Leaf.Protected(); {
	case reason == "":
	case reason == "signed" && p.r.BreakSignatures:
		p.Broken++
	default:
		p.Protected++
		problem := d.Problem(extract.Span{}, Protected, reason)
		problem.Minor = true
		p.Problems = append(p.Problems, problem)
		return false
	}
	if err := p.change.Edit(d.Leaf, d.edits.list()); err != nil {
		p.fail(d.Entity, err)
		return false
	}
	return true
}

// fail records why e, or the message of e, is not edited.
func (p *Plan) fail(e *mime.Entity, err error) {
	problem := p.r.set.Failure(e, err)
	problem.Kind = Unsafe
	p.Problems = append(p.Problems, problem)
}

// printAsWritten replaces the prints of the document by its prints without edits.
func (p *Plan) printAsWritten() {
	if p.r.NoVerify {
		return
	}
	p.prints.cut(p.doc.first)
	for l := range p.r.Resolver.Links(p.doc.Doc) {
		p.prints.add(printOf(&l, p.doc.mover != nil))
	}
}
