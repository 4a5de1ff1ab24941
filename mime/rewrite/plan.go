package rewrite

import (
	"io"
	"iter"
	"time"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// Plan is what is to be done to one source. It is made when the caller ranges over Documents, or
// by the first method that needs it. Not safe for concurrent use.
type Plan struct {
	Message *mime.Message // the source, if it is a message; else nil
	// Written is when the source was written, for rules of Rewriter.Site that need that; the
	// zero time is not known. The caller sets it before the documents are ranged over.
	Written time.Time

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
	place  string // see Rewriter.Place
	set    *document.Set
	change *mime.Change        // nil for a page
	base   extract.BaseElement // what becomes of BASE where nothing moves
	room   int64               // how many bytes the new references may have yet
	state  state
	prints prints // of the links of the output
	page   edits  // of a page
	edits  []mime.Edit
}

// state is how far a plan has come.
type state uint8

const (
	begun state = iota
	ranging
	made
)

// Documents yields the documents of the source, and plans their edits. Links of a document that
// the caller does not range over are planned all the same. If the loop over the documents is
// left early, nothing is edited. The sequence must be ranged over only once.
func (p *Plan) Documents() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if p.state != begun {
			panic("rewrite: the documents of a plan are ranged over twice")
		}
		p.state = ranging
		defer func() { p.state = made }()
		for d := range p.set.All() {
			doc := Document{Document: d, plan: p}
			if !yield(&doc) {
				p.drop()
				return
			}
			doc.settle()
		}
		p.Problems = append(p.Problems, p.set.Problems()...)
		p.finish()
	}
}

// make makes the plan, if the caller has not.
func (p *Plan) make() {
	if p.state == begun {
		for range p.Documents() {
		}
	}
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
	p.make()
	return len(p.edits) > 0 || p.page.n > 0
}

// Edits yields the edits of the source, sorted and apart. The bytes of an edit stay valid.
func (p *Plan) Edits() iter.Seq[mime.Edit] {
	p.make()
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
	p.make()
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
