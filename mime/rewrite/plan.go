package rewrite

import (
	"cmp"
	"io"
	"iter"
	"time"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// Plan is the planned rewriting of one source. [Rewriter.Plan] and [Rewriter.Visit] make a Plan;
// Visit lets the caller choose or count the references. A Plan is not safe for concurrent use.
type Plan struct {
	Message *mime.Message // the source, if it is a message; otherwise nil
	// Written is the time when the source was written, for rules of Rewriter.Site that depend on
	// that time. The zero time means unknown. The visit function of Rewriter.Visit may set it
	// before it ranges over the links.
	Written time.Time

	// Problems are the problems in the order in which they were found. The visit function of
	// Rewriter.Visit may remove problems.
	Problems []document.Problem

	// The fields below are set when the plan is complete.
	References int  // number of edited references, including those of a BASE, and of removed additions
	DKIM       bool // edits break a DKIM, DomainKeys or ARC signature, or would without KeepDKIM
	Protected  int  // number of signed or encrypted parts that stay although references should change
	Broken     int  // number of signed parts that are edited
	// Unsafe or DKIM if all edits were dropped for that reason, otherwise empty
	WhyUnchanged extract.Defect
	// Stays counts links that stay although a rule of Rewriter.Site applies to them, by reason and
	// then by rule (see [move.Map.Rule]). It counts links in running text, header fields, linksets,
	// calendars and cards.
	Stays map[string]map[string]int

	job
	expected
	newURI    string       // new URI of the page, if Rewriter.Locate gave it; otherwise empty
	change    *mime.Change // nil until a leaf has edits
	bytesLeft int64        // number of bytes that further new references may have; negative if there were too many
	doc       current
	pageEdits edits       // the edits of a page
	edits     []mime.Edit // the edits of a message

	signed map[*mime.Entity]map[string]bool // cache of signedIn, for the entities of this plan
}

// job is the input from which a plan is made. Mend makes other plans from the job of a plan.
type job struct {
	r     *Rewriter
	src   *document.Source
	outer *base.Layer
	visit visitFunc // nil if the caller does not visit the links
	// staysAsWritten reports whether the reference with number n, from 1, must not be edited. If it
	// is nil, every reference may be edited.
	staysAsWritten func(n int) bool
	base           extract.BaseElement // treatment of a BASE unless the mover drops it
}

// visitFunc is the argument of [Rewriter.Visit].
type visitFunc func(p *Plan, d *document.Document, links iter.Seq[*Link]) error

// expected describes the output that the verification must find.
type expected struct {
	n      int      // number of references
	prints prints   // fingerprints of the references
	ends   []uint64 // for each document a hash of the ends of its raw text elements
	unread bool     // Verify could not read a document of the output: it is too large or too complex
}

// reuse takes the memory of old, whose fingerprints and ends are not needed any more.
func (x *expected) reuse(old *expected) {
	x.prints = old.prints.emptied()
	x.ends = old.ends[:0]
	old.prints, old.ends = prints{}, nil
}

// open opens the source of the plan, and sets the start values of the plan.
func (p *Plan) open() error {
	r := p.r
	if err := r.set.Open(p.src, p.outer, r.options()); err != nil {
		return err
	}
	p.Message = r.set.Message
	p.base = r.Resolver.BaseElement
	p.bytesLeft = cmp.Or(r.MaxNewBytes, 64<<20)
	p.expected.reuse(&r.expected)
	return nil
}

// finish completes the plan, once the links of all documents are planned. It drops all edits if
// they cannot be made together, or if they break a signature that must stay valid.
func (p *Plan) finish() {
	p.Problems = append(p.Problems, p.r.set.Problems()...)
	p.doc = current{}
	if p.change != nil {
		edits, err := p.change.Edits()
		if err != nil {
			p.fail(p.Message.Root, err)
			p.WhyUnchanged = Unsafe
			p.drop()
			return
		}
		p.edits = edits
	}
	if p.DKIM && p.r.KeepDKIM {
		p.WhyUnchanged = DKIM
		p.drop()
	}
	if !p.Edited() {
		p.r.expected.reuse(&p.expected) // nothing is verified
	}
}

// drop deletes all edits, and sets the numbers of edited references and parts to 0.
func (p *Plan) drop() {
	p.edits, p.pageEdits, p.References, p.Broken = nil, edits{}, 0, 0
}

// Edited reports whether the plan has edits.
func (p *Plan) Edited() bool {
	return len(p.edits) > 0 || p.pageEdits.n > 0
}

// Edits yields the edits of the source. They are sorted and do not overlap. Their new bytes stay
// valid.
func (p *Plan) Edits() iter.Seq[mime.Edit] {
	return func(yield func(mime.Edit) bool) {
		for _, e := range p.edits {
			if !yield(e) {
				return
			}
		}
		for e := range p.pageEdits.all() {
			if !yield(mime.Edit{Span: mime.Span{Start: int64(e.Start), End: int64(e.End)}, New: e.New}) {
				return
			}
		}
	}
}

// Write writes the edited source to w, in many small writes. An error comes from reading the source
// or from w.
func (p *Plan) Write(w io.Writer) error {
	if p.pageEdits.n == 0 {
		return mime.Write(w, p.src.At, p.src.Size, p.edits)
	}
	at := 0
	for e := range p.pageEdits.all() {
		if _, err := w.Write(p.src.Data[at:e.Start]); err != nil {
			return err
		}
		if _, err := w.Write(e.New); err != nil {
			return err
		}
		at = e.End
	}
	_, err := w.Write(p.src.Data[at:])
	return err
}
