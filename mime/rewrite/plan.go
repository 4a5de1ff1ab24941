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

// Plan is what is to be done to one source. [Rewriter.Plan] makes it in one step. A caller that
// chooses the references, or counts them, begins one, ranges over all documents and the links of
// each, and ends it. Not safe for concurrent use.
type Plan struct {
	Message *mime.Message // the source, if it is a message; else nil
	// Written is when the source was written, for rules of Rewriter.Site that need that; the
	// zero time is not known. The caller sets it before the links are ranged over.
	Written time.Time

	// Leave reports whether the reference with a number, from 1 in the order of Links, stays as it
	// is written since it would not be read back, see Misread. A BASE that goes has no number. The
	// caller sets Leave before Begin; nil = all are written.
	Leave func(n int) bool

	// What was found, once the plan is made.
	Problems   []document.Problem // in the order in which they were found; the caller may take them out meanwhile
	References int                // that are edited, those of a BASE included
	DKIM       bool               // edits break a signature that mail servers check
	Protected  int                // parts with references to be edited that stay, since they are signed or encrypted
	Broken     int                // signed parts that are edited
	Kept       extract.Defect     // why nothing is edited though some references were to be: Unsafe or DKIM; "" = it is

	r      *Rewriter
	src    *document.Source
	outer  *base.Layer
	place  string              // see Rewriter.Place
	change *mime.Change        // nil for a page
	base   extract.BaseElement // what becomes of BASE where nothing moves
	room   int64               // how many bytes the new references may have yet
	n      int                 // how many references the output is to have
	prints prints              // of the links of the output
	ends   []uint64            // of its documents, see noteEnds
	doc    current
	page   edits // of a page
	edits  []mime.Edit
}

// Begin begins the plan of src under r, with the layers outer around it; p must be the zero
// value except for Leave. The error is that of reading src. The plan refers to src, whose bytes
// must not change while the plan is in use. r must not be given another source before End.
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

// Documents yields the documents of the source. Each is valid until the next one. The sequence
// must be ranged over only once.
func (p *Plan) Documents() iter.Seq[*document.Document] { return p.r.set.All() }

// End ends the plan, once all documents and their links were ranged over.
func (p *Plan) End() {
	p.Problems = append(p.Problems, p.r.set.Problems()...)
	p.doc = current{}
	p.finish()
}

// finish has the edits of a message verified together, and drops them where they must not
// be made.
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

// Edited reports whether anything is to be edited.
func (p *Plan) Edited() bool {
	return len(p.edits) > 0 || p.page.n > 0
}

// Edits yields the edits of the source, sorted and apart. The bytes of an edit stay valid.
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

// Write writes the source with its edits made. The error is that of reading the source or
// of w. It makes many small writes.
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
