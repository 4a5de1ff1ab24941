package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// The verification reads the output and compares its links with the plan. Each changed link must
// have its planned status and URI. Each other link must have its old status and URI, or in a
// document that moves, its old status and text. Each raw text element must end where the edits
// moved its end.

// ErrReferences means that the references of an output are not those of the plan.
var ErrReferences = errors.New("the links of the output are not those that were planned")

// mismatch is an ErrReferences that says which reference is not as planned.
type mismatch struct {
	reference int  // number of the first such reference, from 1; 0 if the output has too few references
	got, want int  // number of references read from the output, and of planned references
	unread    bool // a document of the output was not read because of its size or shape
}

func (m *mismatch) Error() string {
	if m.unread {
		return "the output is too large or too complex to be read back"
	}
	if m.reference > 0 {
		return fmt.Sprintf("link %d of the output is not as planned", m.reference)
	}
	return fmt.Sprintf("the output has %d links, the plan %d", m.got, m.want)
}

func (m *mismatch) Is(target error) bool { return target == ErrReferences }

// Verify reads out, the output of p, and compares its references with the plan. If p has no edits,
// Verify reads nothing and returns nil. The error is [ErrReferences], [ErrEnds], or an error of
// reading. r must be the rewriter that made p, or a rewriter with the same settings. NoVerify must
// be false.
func (r *Rewriter) Verify(p *Plan, out *document.Source) error {
	if !p.Edited() {
		return nil
	}
	if err := r.set.Open(out, p.movedLayer(p.outer), r.options()); err != nil {
		return err
	}
	n, prints := 0, p.prints.reader()
	ends := p.ends
	p.unread = false
	for d := range r.set.All() {
		if neverEdited(d.Format) {
			continue
		}
		d.Prepare(&r.Resolver)
		for l := range r.Resolver.Links(d.Doc) {
			n++
			if want, ok := prints.next(); !ok || want != printOf(&l, want&textPrint != 0) {
				return &mismatch{n, n, p.prints.n, p.unread}
			}
		}
		p.unread = p.unread || isUnread(d.Doc)
		if len(ends) == 0 || ends[0] != printOfEnds(d.RawEnds(), noEdits) {
			if p.unread {
				return &mismatch{0, n, p.prints.n, true}
			}
			return ErrEnds
		}
		ends = ends[1:]
	}
	if n != p.prints.n {
		return &mismatch{0, n, p.prints.n, p.unread}
	}
	return nil
}

// isUnread reports whether the links of d are unknown because of its size or shape.
func isUnread(d *extract.Doc) bool {
	return slices.ContainsFunc(d.Problems(), func(p extract.Problem) bool { return p.Kind == extract.TooComplex })
}

// movedLayer returns the layer of the output that corresponds to l, a layer around the source. The
// retrieval URI of the source becomes newURI. If newURI is empty, it becomes the URI that
// Site.Place gives.
func (r *Rewriter) movedLayer(l *base.Layer, newURI string) *base.Layer {
	if l == nil || !r.moves() {
		return l
	}
	c := *l
	c.Outer = r.movedLayer(l.Outer, newURI)
	if l.Source.Box() == base.Option.Box() {
		c.Value = newURI
		if newURI == "" {
			c.Value = r.Site.Place(l.Value)
		}
	}
	if c == *l {
		return l
	}
	return &c
}
