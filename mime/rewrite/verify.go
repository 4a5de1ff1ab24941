package rewrite

import (
	"errors"
	"fmt"

	"absolink/base"
	"absolink/mime/document"
)

// The verification reads the output again and compares its links with the plan. Each changed link
// must have its planned URI, and each other reference must have its old status and URI. Each raw
// text element must end where the edits moved its end.

// ErrReferences means that the references of an output differ from the plan.
var ErrReferences = errors.New("the references of the output are not those that were planned")

// mismatch is an ErrReferences that tells which reference differs from the plan.
type mismatch struct {
	reference int // number of the first such reference, from 1; 0 if the output has too few references
	got, want int // number of references of the output up to that one, and of planned references
}

func (m *mismatch) Error() string {
	if m.reference > 0 {
		return fmt.Sprintf("reference %d differs between input and output", m.reference)
	}
	return fmt.Sprintf("the output has %d references, the input %d", m.got, m.want)
}

func (m *mismatch) Is(target error) bool { return target == ErrReferences }

// Verify reads out, the output of p, and compares its references with the plan. If p has no edits,
// Verify reads nothing and returns nil. The error is [ErrReferences], [ErrEnds], or an error of
// reading. r must be the rewriter that made p, or one with the same settings. p must have been made
// without NoVerify.
func (r *Rewriter) Verify(p *Plan, out *document.Source) error {
	if !p.Edited() {
		return nil
	}
	if err := r.set.Open(out, p.moved(p.outer), r.options()); err != nil {
		return err
	}
	n, prints := 0, p.prints.reader()
	ends := p.ends
	for d := range r.set.All() {
		if isCounted(d.Format) {
			continue
		}
		d.Prepare(&r.Resolver)
		for l := range r.Resolver.Links(d.Doc) {
			n++
			if want, ok := prints.next(); !ok || want != printOf(&l, want&writtenPrint != 0) {
				return &mismatch{n, n, p.prints.n}
			}
		}
		if len(ends) == 0 || ends[0] != printOfEnds(d.RawEnds(), noEdits) {
			return ErrEnds
		}
		ends = ends[1:]
	}
	if n != p.prints.n {
		return &mismatch{0, n, p.prints.n}
	}
	return nil
}

// moved returns the layers around the output; l are the layers around the source. The retrieval URI
// of the source becomes place, or if that is empty its new URI in the site.
func (r *Rewriter) moved(l *base.Layer, place string) *base.Layer {
	if l == nil || !r.moves() {
		return l
	}
	c := *l
	c.Outer = r.moved(l.Outer, place)
	if l.Source.Layer() == base.Option.Layer() {
		c.Value = place
		if place == "" {
			c.Value = r.Site.Place(l.Value)
		}
	}
	if c == *l {
		return l
	}
	return &c
}
