package extract

import (
	"bytes"
	"slices"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// This file selects the links that are rewritten, for Edits and for callers that edit links
// themselves. If a BASE is dropped, all references that depend on it change their meaning. These
// references are then written as absolute URIs.

// decideChange reports whether a reference must be rewritten. It sets res.drop. If a BASE is
// dropped, it also sets res.uri for a reference that names a part of a picture.
func (r *Resolver) decideChange(res *result) bool {
	s := res.shape
	switch {
	case res.status == IdentifierRef || res.uri == nil:
		return false
	case r.isBase(res):
		res.drop = r.dropping.on
		return res.drop || r.BaseElement == AbsolutizeBase && res.status == Resolved
	case res.status == Resolved:
		return !s.ListOnly || !s.Doubtful && r.dropping.on && r.changesWithoutBase(res)
	case res.status == SameDocument:
		if r.dropping.on && inPicture(res) {
			res.uri, _ = r.unbased(res)
			return false
		}
		return r.Fragments && !s.ListOnly && !s.Form && s.Kind != place.KindRes ||
			r.dropping.on && !(s.Form && len(res.value) == 0) && r.changesWithoutBase(res)
	case res.status == AbsoluteRef:
		return r.Normalize && !s.ListOnly && !bytes.Equal(r.written(res), unslashed(s, res.value, res.uri)) &&
			!isScript(res.value) && templateIn(res.value, res.shape) < 0 && !s.Joined
	}
	return false
}

func isScript(v []byte) bool {
	return text.HasPrefixFold(v, "javascript:") || text.HasPrefixFold(v, "vbscript:")
}

// isBase reports whether a reference is the href of a BASE of the document itself. The result is
// also true for a BASE after the first, which does not count.
func (r *Resolver) isBase(res *result) bool {
	if res.shape.Element != "base" {
		return false
	}
	_, ok := page.BaseAt(&r.doc.in.Document, res.kept.Start)
	return ok
}

// changesWithoutBase reports whether a reference resolves to another URI, or does not resolve,
// without the BASE.
func (r *Resolver) changesWithoutBase(res *result) bool {
	if r.without(res.shape.Layer) == res.shape.Layer {
		return false
	}
	uri, err := r.unbased(res)
	return err != nil || !bytes.Equal(uri, res.uri)
}

// unbased returns the URI to which a reference resolves without the BASE.
func (r *Resolver) unbased(res *result) ([]byte, error) {
	return r.scope(r.without(res.shape.Layer), res.shape.UTF8).base.Append(nil, res.value)
}

// parts are the elements of SVG whose href, if it is only a fragment, names an element of the same
// document.
var parts = []string{"altglyph", "animate", "animatecolor", "animatemotion", "animatetransform", "discard", "feimage",
	"filter", "glyphref", "lineargradient", "mpath", "pattern", "radialgradient", "set", "textpath", "tref", "use"}

// inPicture reports whether a same-document reference names a map or a part of a picture in the
// document itself, whatever its BASE is. This holds for usemap, elements of SVG, and url(#s) of
// styles (CSS Values 4, 4.5.1.1). As an absolute URI it would name a part of another document.
func inPicture(res *result) bool {
	s := res.shape
	if len(res.value) == 0 || s.Kind != place.KindRes {
		return false
	}
	return s.Attr == "usemap" || s.Context.Token == escape.CSS ||
		slices.Contains(parts, s.Element) && (s.Attr == "href" || s.Attr == "xlink:href")
}

// without returns l and the layers around it, but without the layer of the BASE of the document.
func (r *Resolver) without(l *base.Layer) *base.Layer {
	switch {
	case l == nil || l == r.doc.Layer:
		return l
	case l == r.dropping.layer:
		return l.Outer
	}
	if without, ok := r.dropping.outside[l]; ok {
		return without
	}
	without := l
	if outer := r.without(l.Outer); outer != l.Outer {
		c := *l
		c.Outer, without = outer, &c
	}
	if r.dropping.outside == nil {
		r.dropping.outside = make(map[*base.Layer]*base.Layer)
	}
	r.dropping.outside[l] = without
	return without
}

// startDrop decides whether the BASE of the document can be dropped. A BASE that gives no base URI
// stays: without it, references would take their base from a layer around the document. It also
// stays if any reference of the document cannot be written, for instance in an unknown charset.
func (r *Resolver) startDrop() {
	clear(r.dropping.outside)
	if len(r.doc.in.Bases) == 0 || r.doc.in.Has(reading.SplitReference) || r.doc.in.ShiftedBase() {
		return
	}
	if kept := r.doc.in.Refs.Kept; r.unknown != "" &&
		slices.ContainsFunc(kept, func(k ref.Kept) bool { return r.unsure(&k) }) {
		return
	}
	r.dropping.layer = r.doc.Base()
	if r.dropping.layer != nil && r.dropping.layer != r.doc.Layer {
		r.dropping.on = r.scope(r.dropping.layer, false).uri != ""
	}
}

// appendDrop appends the edits that remove all attributes href from the tag of the base element
// whose href begins at an offset.
func (d *Doc) appendDrop(dst []Edit, href int) []Edit {
	n, _ := page.BaseAt(&d.in.Document, href)
	for _, s := range page.AppendHrefs(nil, &d.in.page.Text, n, d.format.isXML()) {
		dst = append(dst, Edit{Span: Span(s)})
	}
	return dst
}
