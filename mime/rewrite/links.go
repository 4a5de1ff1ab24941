package rewrite

import (
	"iter"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// Document is one document of a plan. It is valid until the next one is taken.
type Document struct {
	*document.Document

	plan    *Plan
	mover   *mover // nil if nothing moves
	edits   edits
	first   int  // the number of prints before those of the document
	ranged  bool // its links are planned
	settled bool // its edits are made, or dropped
}

// Link is a reference of a document with what becomes of it before it is rewritten.
type Link struct {
	extract.Link
	// Keep, if the caller sets it, leaves the reference as it is written.
	Keep bool
	// Absolute, if the caller sets it, writes the reference as an absolute URI whatever the form
	// of the site, even if it is ListOnly. A canonical URI needs that.
	Absolute bool
}

// Links yields the links of the document in its order, those that stay as they are included. A
// link is valid until the next one; what the caller has set in it until then takes effect. Links
// that the caller does not range over are planned all the same. Links must be called only once.
func (d *Document) Links() iter.Seq[*Link] {
	return func(yield func(*Link) bool) {
		if d.ranged {
			panic("rewrite: the links of a document are ranged over twice")
		}
		d.find(yield)
	}
}

// Edited settles the document and reports whether it is edited. If not, although some of its
// references were to be, a problem of the plan says why.
func (d *Document) Edited() bool {
	d.settle()
	return d.edits.n > 0
}

// Edits settles the document and yields its edits, sorted and apart, in its decoded bytes.
// Their new bytes are valid as long as the plan is. None are yielded if the document stays
// as it was written.
func (d *Document) Edits() iter.Seq[extract.Edit] {
	d.settle()
	return d.edits.all()
}

// find takes the links of the document through yield, which may be nil, plans their edits,
// and notes what the output must list if all of them are made.
func (d *Document) find(yield func(*Link) bool) {
	p, r := d.plan, &d.plan.r.Resolver
	d.ranged, d.first = true, p.prints.n
	d.mover = p.mover(d.Document)
	defer func() { r.BaseElement = p.base }()
	r.InMessage = d.InMessage()
	l := &p.r.link
	for link := range r.Links(d.Doc) {
		l.Link, l.Keep, l.Absolute = link, false, false
		if yield != nil && !yield(l) {
			yield = nil
		}
		d.take(l)
	}
	d.edits.sort()
}

// take plans what becomes of l.
func (d *Document) take(l *Link) {
	p := d.plan
	text := d.decide(l)
	if l.Change {
		d.edit(l, text)
		l.Status = d.mover.status(&l.Link, text)
		if names := p.r.Resolver.InMessage; !p.r.NoVerify && l.Status == extract.AbsoluteRef && names != nil && names(text, l.URI) {
			l.Status = extract.InMessage
		}
	}
	if !l.Drop && !p.r.NoVerify {
		p.prints.add(printOf(&l.Link, d.mover != nil && !l.Change))
	}
}

// decide settles whether l is changed, and returns what is written for it then, to which
// l.URI is the URI. A link whose place cannot hold what it is to be keeps the URI that it
// has.
func (d *Document) decide(l *Link) (text []byte) {
	if l.Keep {
		l.Change, l.Drop = false, false
		return l.URI
	}
	was := l.URI
	if text = was; d.mover != nil {
		text = d.mover.move(l)
	}
	switch {
	case !l.Change || l.Drop:
	case l.Holds(text):
		l.URI, text = l.Fit(l.URI), l.Fit(text)
	default:
		l.Change, l.URI = false, was
		d.plan.Problems = append(d.plan.Problems, d.Problem(l.Span, NoRoom, string(text)))
	}
	return text
}

// edit adds the edits of l, which text is written for, as long as there is room for them.
func (d *Document) edit(l *Link, text []byte) {
	p := d.plan
	if p.room < 0 {
		return
	}
	before := d.edits.size
	if !l.Drop {
		d.edits.add(l.Edit(text))
	} else {
		for _, e := range p.r.Resolver.AppendEdits(nil, &l.Link) {
			d.edits.add(e)
		}
	}
	if p.room -= d.edits.size - before; p.room < 0 {
		d.edits.forget()
	}
}

// settle makes the edits of the document edits of the source.
func (d *Document) settle() {
	if d.settled {
		return
	}
	if d.settled = true; !d.ranged {
		d.find(nil)
	}
	p, n := d.plan, d.edits.n
	if n == 0 {
		return
	}
	if !d.add() {
		d.edits = edits{}
		d.printAsWritten()
		return
	}
	p.References += n
	p.DKIM = p.DKIM || d.Entity != nil && d.Entity.DKIM()
}

// add turns the edits of the document into edits of the source. It reports whether they can
// be made; the reason why not is a problem of the plan.
func (d *Document) add() bool {
	p := d.plan
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

// fail notes why e, or what it belongs to, is not edited.
func (p *Plan) fail(e *mime.Entity, err error) {
	problem := p.set.Failure(e, err)
	problem.Kind = Unsafe
	p.Problems = append(p.Problems, problem)
}
