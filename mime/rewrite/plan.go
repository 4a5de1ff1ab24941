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

// Plan is the planned rewriting of one source. [Rewriter.Plan] makes a Plan, and so does
// [Rewriter.Visit], which lets the caller choose or count the references. A Plan is not safe for
// concurrent use.
type Plan struct {
	Message *mime.Message // the source, if it is a message; otherwise nil
	// Written is the time when the source was written, for rules of Rewriter.Site that depend on
	// it. The zero time means unknown. A caller of Visit may set it before ranging over the links.
	Written time.Time

	// Problems are the problems in the order in which they were found. The function that visits the
	// links may take them out.
	Problems []document.Problem

	// The results, once the plan is made.
	References int            // number of edited references, including those of a BASE
	DKIM       bool           // edits break a signature that mail servers check
	Protected  int            // signed or encrypted parts with references to edit, which stay
	Broken     int            // signed parts that are edited
	Kept       extract.Defect // Unsafe or DKIM if all edits were dropped for that reason, or empty
	// Stays counts the links in text, header fields, calendars and cards that stay as written
	// although a rule of Rewriter.Site applies to them: by reason, then by rule (see
	// [move.Map.Rule]).
	Stays map[string]map[string]int

	job
	expected
	place  string       // new URI of the page, if Rewriter.Locate gave it; otherwise empty
	change *mime.Change // nil for a page
	room   int64        // number of bytes that further new references may have
	doc    current
	page   edits // of a page
	edits  []mime.Edit
}

// job is what a plan is made of. Mend makes other plans of it.
type job struct {
	r     *Rewriter
	src   *document.Source
	outer *base.Layer
	visit visitFunc           // nil if nothing is visited
	leave func(n int) bool    // reports whether the reference with number n stays as it is written; nil if none does
	base  extract.BaseElement // the fate of BASE if nothing moves

	signed map[*mime.Entity]map[string]bool // for signedIn
}

// visitFunc is the argument of [Rewriter.Visit].
type visitFunc func(p *Plan, d *document.Document, links iter.Seq[*Link]) error

// expected is what the verification expects of the output.
type expected struct {
	n      int      // number of references
	prints prints   // of the links
	ends   []uint64 // of the documents, see noteEnds
}

// begin begins the plan of src under r, with the layers outer around it.
func (p *Plan) begin() error {
	r := p.r
	if err := r.set.Open(p.src, p.outer, r.options()); err != nil {
		return err
	}
	p.Message = r.set.Message
	p.base = r.Resolver.BaseElement
	p.room = cmp.Or(r.MaxEdits, 64<<20)
	if p.Message != nil {
		p.change = p.Message.Change()
		p.change.BreakSignatures = r.BreakSignatures
	}
	return nil
}

// end ends the plan, once the links of all documents are planned.
func (p *Plan) end() {
	p.Problems = append(p.Problems, p.r.set.Problems()...)
	p.doc = current{}
	p.finish()
}

// finish verifies the edits of a message together, and drops them if they must not be made.
func (p *Plan) finish() {
	if p.change != nil {
		edits, err := p.change.Edits()
		if err != nil {
			p.fail(p.Message.Root, err)
			p.Kept = Unsafe
			p.drop()
			return
		}
		p.edits = edits
	}
	if p.DKIM && p.r.KeepDKIM {
		p.Kept = DKIM
		p.drop()
	}
}

func (p *Plan) drop() {
	p.edits, p.page, p.References, p.Broken = nil, edits{}, 0, 0
}

// Edited reports whether the plan has edits.
func (p *Plan) Edited() bool {
	return len(p.edits) > 0 || p.page.n > 0
}

// Edits yields the edits of the source. They are sorted and do not overlap. The bytes of an edit
// stay valid.
func (p *Plan) Edits() iter.Seq[mime.Edit] {
	return func(yield func(mime.Edit) bool) {
		for _, e := range p.edits {
			if !yield(e) {
				return
			}
		}
		for e := range p.page.all() {
			if !yield(mime.Edit{Span: mime.Span{Start: int64(e.Start), End: int64(e.End)}, New: e.New}) {
				return
			}
		}
	}
}

// Write writes the source with its edits made. An error comes from reading the source or from w.
// Write makes many small writes to w.
func (p *Plan) Write(w io.Writer) error {
	if p.page.n == 0 {
		return mime.Write(w, p.src.At, p.src.Size, p.edits)
	}
	at := 0
	for e := range p.page.all() {
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
