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

// Plan is the planned rewriting of one source. [Rewriter.Plan] makes a Plan in one step. A caller
// that chooses or counts the references calls Begin, ranges over all documents and the links of
// each, and calls End. A Plan is not safe for concurrent use.
type Plan struct {
	Message *mime.Message // the source, if it is a message; otherwise nil
	// Written is the time when the source was written, for rules of Rewriter.Site that depend on
	// it. The zero time means unknown. The caller sets it before ranging over the links.
	Written time.Time

	// Leave reports whether the reference with number n stays as it is written, because it would
	// not be read back: see Misread. Numbers count from 1 in the order of Links. A BASE that is
	// dropped has no number. The caller sets Leave before Begin. A nil Leave leaves no reference.
	Leave func(n int) bool

	// The results, once the plan is made.
	Problems   []document.Problem // in the order in which they were found; the caller may take them out before the end
	References int                // number of edited references, including those of a BASE
	DKIM       bool               // edits break a signature that mail servers check
	Protected  int                // signed or encrypted parts with references to edit, which stay
	Broken     int                // signed parts that are edited
	Kept       extract.Defect     // Unsafe or DKIM if all edits were dropped for that reason, or empty

	r      *Rewriter
	src    *document.Source
	outer  *base.Layer
	place  string              // see Rewriter.Place
	change *mime.Change        // nil for a page
	base   extract.BaseElement // the fate of BASE if nothing moves
	room   int64               // number of bytes that further new references may have
	n      int                 // number of references that the output must have
	prints prints              // of the links of the output
	ends   []uint64            // of its documents, see noteEnds
	doc    current
	page   edits // of a page
	edits  []mime.Edit
}

// Begin begins the plan of src under r, with the layers outer around it. p must be the zero value,
// except for Leave. An error comes from reading src. The plan refers to src, whose bytes must not
// change while the plan is in use. r must not get another source before End.
func (p *Plan) Begin(r *Rewriter, src *document.Source, outer *base.Layer) error {
	if err := r.set.Open(src, outer, r.options()); err != nil {
		return err
	}
	p.r, p.src, p.outer, p.place, p.Message = r, src, outer, r.Place, r.set.Message
	p.base = r.Resolver.BaseElement
	p.room = cmp.Or(r.MaxEdits, 64<<20)
	if p.Message != nil {
		p.change = p.Message.Change()
		p.change.BreakSignatures = r.BreakSignatures
	}
	return nil
}

// Documents yields the documents of the source. Each is valid until the next one. The caller may
// range over the sequence only once.
func (p *Plan) Documents() iter.Seq[*document.Document] { return p.r.set.All() }

// End ends the plan. All documents and their links must have been ranged over.
func (p *Plan) End() {
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
