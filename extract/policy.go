package extract

import (
	"bytes"

	"absolink/base"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Which links are rewritten is decided once, here, for Edits and for those who make
// edits of links themselves. A BASE that is dropped changes the meaning of all that
// it governed; what would mean something else without it is then written out.

// BaseElement says what rewriting does to the BASE of a document.
type BaseElement uint8

const (
	KeepBase       BaseElement = iota // leaves it as it is
	DropBase                          // takes its href away, after what it gave another meaning is written out
	AbsolutizeBase                    // makes its href absolute
)

var baseElementNames = [...]string{KeepBase: "keep", DropBase: "drop", AbsolutizeBase: "absolutize"}

// String returns keep, drop or absolutize.
func (b BaseElement) String() string { return baseElementNames[b] }

// change reports whether the link is to be rewritten.
func (r *Resolver) change(l *Link, v []byte) bool {
	switch {
	case l.Status == IdentifierRef || l.URI == nil:
		return false
	case r.isBase(l):
		l.Drop = r.drops
		return l.Drop || r.BaseElement == AbsolutizeBase && l.Status == Resolved
	case l.Status == Resolved:
		return !l.ListOnly || r.drops && r.meansMore(l, v)
	case l.Status == SameDocument:
		return r.Fragments && !l.ListOnly && !l.Form && l.Kind != place.KindRes || r.drops && !l.emptyForm() && r.meansMore(l, v)
	case l.Status == AbsoluteRef:
		return r.Normalize && !l.ListOnly && !bytes.Equal(l.Value, l.URI) && !isScript(v)
	}
	return false
}

// emptyForm reports whether l is the target of a form that stands for the document.
func (l *Link) emptyForm() bool { return l.Form && len(text.Stripped(l.Value)) == 0 }

func isScript(v []byte) bool {
	return text.HasPrefixFold(v, "javascript:") || text.HasPrefixFold(v, "vbscript:")
}

// isBase reports whether l is the href of a BASE of the document itself that counts,
// or would if those before it did not.
func (r *Resolver) isBase(l *Link) bool {
	if l.Element != "base" {
		return false
	}
	_, ok := r.doc.baseAt(l.Start)
	return ok
}

// meansMore reports whether v means something else without the BASE.
func (r *Resolver) meansMore(l *Link, v []byte) bool {
	layer := r.without(l.Layer)
	if layer == l.Layer {
		return false
	}
	uri, err := r.scope(layer, l.shape.UTF8).base.Append(nil, v)
	return err != nil || !bytes.Equal(uri, l.URI)
}

// without returns the layers from l outward without the BASE of the document.
func (r *Resolver) without(l *base.Layer) *base.Layer {
	switch {
	case l == nil || l == r.doc.Layer:
		return l
	case l == r.dropped:
		return l.Outer
	}
	if without, ok := r.bare[l]; ok {
		return without
	}
	without := l
	if outer := r.without(l.Outer); outer != l.Outer {
		c := *l
		c.Outer, without = outer, &c
	}
	if r.bare == nil {
		r.bare = make(map[*base.Layer]*base.Layer)
	}
	r.bare[l] = without
	return without
}

// startDrop decides whether the BASE of the document can be dropped: not one that
// leaves references without a base, which they would find further out, and not where
// something that it governs cannot be written out.
func (r *Resolver) startDrop() {
	r.drops, r.dropped = false, nil
	clear(r.bare)
	if r.BaseElement != DropBase || len(r.doc.in.Bases) == 0 || r.doc.in.Has(SplitReference) || r.doc.in.ShiftedBase() {
		return
	}
	r.dropped = r.doc.Base()
	if r.dropped != nil && r.dropped != r.doc.Layer {
		r.drops = r.scope(r.dropped, false).uri != ""
	}
}

// AppendEdits appends the edits that l asks for: none where l.Change is not set,
// one that writes l.URI, or those that take the href of a BASE away.
func (r *Resolver) AppendEdits(dst []Edit, l *Link) []Edit {
	switch {
	case !l.Change:
		return dst
	case l.Drop:
		i, _ := r.doc.baseAt(l.Start)
		return r.doc.dropEdits(dst, i)
	}
	return append(dst, l.Edit(l.URI))
}

// baseAt returns the index of the base element whose href begins at an offset, ok is
// false if there is none.
func (d *Doc) baseAt(href int) (i int, ok bool) { return page.BaseAt(&d.in.Document, href) }

// dropEdits appends the edits that take all attributes href out of the tag of a base.
func (d *Doc) dropEdits(dst []Edit, n int) []Edit {
	for _, s := range page.AppendHrefs(nil, &d.in.page.Text, n, d.format.isXML()) {
		dst = append(dst, Edit{Span: s})
	}
	return dst
}
