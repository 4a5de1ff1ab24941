package rewrite

import (
	"iter"
	"slices"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// Link is a reference of a document with its planned change.
type Link struct {
	extract.Link
	// Keep may be set by the caller. The reference then stays as it is written.
	Keep bool
	// Absolute may be set by the caller. The reference is then written as an absolute URI in every
	// form of the site except AsWritten, even if it is ListOnly. A canonical URI, for example, must
	// be absolute.
	Absolute bool

	edits       []extract.Edit // edits of parts of the reference; nil if all of it is replaced
	uriInOutput bool           // the reference stays, and URI is its target in the output
	written     []byte         // value of the reference after edits
	// tail is the number of bytes at the end of written that the document already has there. They
	// need not pass Holds.
	tail int
}

// current is the document that is being planned.
type current struct {
	*document.Document
	mover        *mover // nil if nothing moves
	edits        edits
	planned      bool           // planLinks was called
	removed      []extract.Span // additions of a web archive that the plan removes
	printsBefore int            // number of fingerprints of earlier documents
	extraEdits   int            // number of edits beyond the first of each reference
	unwritten    int            // links that should change, in a document whose charset is never written
}

// planLinks plans the edits of d, which becomes the current document. It calls yield with the links
// in their order, until yield returns false. The links after that are planned too. If d must not be
// edited although references should change, a problem of the plan says why.
func (p *Plan) planLinks(d *document.Document, yield func(*Link) bool) {
	r := &p.r.Resolver
	p.doc = current{Document: d, printsBefore: p.prints.n, planned: true}
	p.doc.mover = p.mover(d)
	d.Prepare(r)
	p.removeAdditions()
	var list []extract.Link
	goOn, first, basesFirst := true, true, false
	for link := range r.Links(d.Doc) {
		if first {
			first = false
			basesFirst = p.needsBasesFirst()
		}
		switch {
		case p.doc.removes(link.Span):
		case basesFirst:
			list = append(list, link)
		default:
			goOn = p.visitLink(&link, goOn, yield)
		}
	}
	if basesFirst {
		p.doc.mover.bases.addBases(list, p)
		for i := range list {
			goOn = p.visitLink(&list[i], goOn, yield)
		}
	}
	r.BaseElement = p.base // the mover may have set it
	p.finishDocument()
}

// visitLink calls yield with a link of the current document if goOn is set, and then plans the
// link. It reports whether yield is to be called with the next link.
func (p *Plan) visitLink(link *extract.Link, goOn bool, yield func(*Link) bool) bool {
	l := &p.r.link
	*l = Link{Link: *link}
	goOn = goOn && yield(l)
	p.planLink(l)
	return goOn
}

// DocumentEdits yields the edits of the last document whose links were visited, as edits of its
// decoded bytes. They are sorted and do not overlap. Their new bytes are valid as long as the plan.
// If the document stays unchanged, there are no edits.
func (p *Plan) DocumentEdits() iter.Seq[extract.Edit] { return p.doc.edits.all() }

// planLink plans the change of l, and records the fingerprint that the output must have.
func (p *Plan) planLink(l *Link) {
	text := p.decide(l)
	if l.Change {
		p.addEdits(l, text)
	}
	if l.Drop {
		return
	}
	p.n++
	if l.Change && l.edits == nil {
		l.Status = p.doc.mover.status(text)
	}
	if !p.r.NoVerify {
		if p.namesPart(l, text) {
			l.Status = extract.InMessage
		}
		p.prints.add(printOf(&l.Link, p.doc.mover != nil && !l.Change && !l.uriInOutput))
	}
}

// namesPart reports whether l, with the new text, names a part of its message in the output. It
// reports false if the URI of l in the output is not known.
func (p *Plan) namesPart(l *Link, text []byte) bool {
	names := p.r.Resolver.InMessage
	if names == nil || !l.Change && !l.uriInOutput {
		return false
	}
	return (l.Status == extract.AbsoluteRef || l.Status == extract.Resolved) && names(text, l.URI)
}

// decide decides whether l changes. If it does, decide returns the new text, and l.URI becomes the
// URI of that text. If the document cannot hold the new text, l keeps its URI, and the plan has a
// problem.
func (p *Plan) decide(l *Link) (text []byte) {
	if l.Keep {
		l.Change, l.Drop = false, false
		return nil
	}
	oldURI, oldStatus := l.URI, l.Status
	text = p.newText(l)
	if !l.Change {
		return text
	}
	if p.doc.ReadOnly() {
		l.Drop = false
		l.setUnchanged(oldURI, oldStatus)
		p.doc.unwritten++
		return nil
	}
	if l.Drop {
		return text
	}
	switch kind := p.refusal(l, text); kind {
	case "":
		l.URI = l.Fit(l.URI)
		return l.Fit(text)
	case FixedEnd:
		p.noteFixed(l)
	default:
		p.countUnsafe(l, oldURI)
		p.Problems = append(p.Problems, minor(p.doc.Problem(l.Span, kind, string(text))))
	}
	l.setUnchanged(oldURI, oldStatus)
	return nil
}

// newText sets l.Change and the new URI of l, and returns the new text of l. It does not check that
// the document can hold the text.
func (p *Plan) newText(l *Link) []byte {
	switch {
	case p.doc.mover != nil:
		return p.doc.mover.move(l)
	case p.doc.ReadOnly():
		l.Change = l.Status == extract.Resolved && !l.ListOnly
	case l.Fixed() && slices.Contains(l.Warnings, "unwritable"):
		p.noteFixed(l)
	}
	return l.URI
}

// refusal returns the kind of problem that prevents the new text of l, or "" if there is none.
func (p *Plan) refusal(l *Link, text []byte) extract.Defect {
	switch {
	case p.staysAsWritten != nil && p.staysAsWritten(p.n+1):
		return Misread
	case l.Holds(l.withoutTail(text)):
		return ""
	case l.Fixed():
		return FixedEnd
	}
	return NoRoom
}

// setUnchanged marks l as unchanged, with the given URI and status.
func (l *Link) setUnchanged(uri []byte, status extract.Status) {
	l.Change = false
	l.uriInOutput = false
	l.URI = uri
	l.Status = status
}

// withoutTail returns text, the new text of l, without the unchanged bytes at its end: the document
// holds them already.
func (l *Link) withoutTail(text []byte) []byte {
	if l.edits == nil {
		return text
	}
	return text[:len(text)-l.tail]
}

// noteFixed records that l stays as it is written, because an edit would move the end of the
// element around it: see [extract.Ref.Fixed].
func (p *Plan) noteFixed(l *Link) {
	p.Problems = append(p.Problems, minor(p.doc.Problem(l.Span, FixedEnd, "")))
}

// addEdits adds the edits that write text in place of l. Once p.bytesLeft is negative, the document
// gets no more edits.
func (p *Plan) addEdits(l *Link, text []byte) {
	if p.bytesLeft < 0 {
		return
	}
	s := &p.doc.edits
	oldSize := s.size
	switch {
	case l.edits != nil:
		for _, e := range l.edits {
			s.add(e)
		}
		p.doc.extraEdits += len(l.edits) - 1
	case !l.Drop:
		s.add(l.Edit(text))
	default:
		for _, e := range p.r.Resolver.AppendEdits(nil, &l.Link) {
			s.add(e)
		}
	}
	p.bytesLeft -= s.size - oldSize
	if p.bytesLeft < 0 {
		s.discard()
	}
}

// finishDocument turns the edits of the document into edits of the source.
func (p *Plan) finishDocument() {
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
	if !p.addToSource() {
		if isText(d.Format) {
			p.countStay(staysUnsafe, "", n)
		}
		d.edits, d.removed = edits{}, nil
		p.printAsWritten()
		p.noteEnds()
		return
	}
	p.noteEnds()
	p.References += n - d.extraEdits
	p.DKIM = p.DKIM || d.Entity != nil && d.Entity.DKIM()
}

// addToSource adds the edits of the document to the edits of the source. It returns false if these
// edits cannot be made; then a problem of the plan says why.
func (p *Plan) addToSource() bool {
	d := &p.doc
	if p.bytesLeft < 0 {
		p.bytesLeft += d.edits.size // the next document may use these bytes
		p.Problems = append(p.Problems, document.Problem{Kind: TooLarge, Part: d.Section(), Offset: -1})
		return false
	}
	if p.Message == nil {
		p.pageEdits = d.edits
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
	if p.change == nil {
		p.change = p.Message.Change()
		p.change.BreakSignatures = p.r.BreakSignatures
	}
	if err := p.change.Edit(d.Leaf, d.edits.list()); err != nil {
		p.fail(d.Entity, err)
		return false
	}
	return true
}

// fail records that err prevents the edits of e or of its message.
func (p *Plan) fail(e *mime.Entity, err error) {
	problem := p.r.set.Failure(e, err)
	problem.Kind = Unsafe
	p.Problems = append(p.Problems, problem)
}

// printAsWritten replaces the fingerprints of the document by the fingerprints that its links have
// without edits.
func (p *Plan) printAsWritten() {
	if p.r.NoVerify {
		return
	}
	p.prints.truncate(p.doc.printsBefore)
	for l := range p.r.Resolver.Links(p.doc.Doc) {
		p.prints.add(printOf(&l, p.doc.mover != nil))
	}
}
