package rewrite

import (
	"cmp"
	"errors"
	"fmt"

	"absolink/base"
	"absolink/mime/document"
)

// What is written is read again, and its links are compared with those of the plan: each is
// the URI that it was to be, and each reference that stays has the status and URI that it
// had. Each raw text element must end where it ended.

// ErrReferences says that the references of an output are not those of its plan.
var ErrReferences = errors.New("the references of the output are not those that were planned")

// mismatch is an ErrReferences that says which reference is not what was planned.
type mismatch struct {
	reference int // number of the first such reference, from 1; 0 if the output has too few
	got, want int // how many references the output has, up to that one, and how many were planned
}

func (m *mismatch) Error() string {
	if m.reference > 0 {
		return fmt.Sprintf("reference %d of the output is not that of the input", m.reference)
	}
	return fmt.Sprintf("the output has %d references, the input %d", m.got, m.want)
}

func (m *mismatch) Is(target error) bool { return target == ErrReferences }

// Verify reads out, the output of p, and compares its references with those that were planned.
// If p edits nothing, it reads nothing and returns nil. The error is [ErrReferences], [ErrEnds], or
// that of reading. r must be the rewriter that made p, or one that is set
// alike, and p must have been made without NoVerify.
func (r *Rewriter) Verify(p *Plan, out *document.Source) error {
	if !p.Edited() {
		return nil
	}
	if err := r.set.Open(out, r.moved(p.outer, p.place), r.options()); err != nil {
		return err
	}
	n, prints := 0, p.prints.reader()
	ends := p.ends
	for d := range r.set.All() {
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

// moved returns the layers around the output, given those around the source: what was
// retrieved from a URI has another one now, that of its place if it has one.
func (r *Rewriter) moved(l *base.Layer, place string) *base.Layer {
	if l == nil || !r.moves() {
		return l
	}
	c := *l
	c.Outer = r.moved(l.Outer, place)
	if l.Source.Layer() == base.Option.Layer() {
		c.Value = r.Site.Place(cmp.Or(place, l.Value))
	}
	return &c
}
