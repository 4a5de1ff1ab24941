package value

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// The Link field (RFC 8288 section 3) is read as its Appendix B.2 and B.3 describe. Unlike the
// appendix, this reader continues after an element that does not begin with '<', because the next
// element may be valid.

// linkParams has the parameters of a link that matter here. The first parameter of each name
// counts.
type linkParams struct {
	rel       []byte
	hasRel    bool
	anchor    text.Span
	hasAnchor bool
	pictures  text.Span // imagesrcset, like the attribute of LINK
	end       int       // offset after the parameters
}

// linkParamsAt reads the parameters at i.
func linkParamsAt(b []byte, i int) linkParams {
	p := linkParams{end: i}
	for {
		name, value, next, ok := nextParam(b, p.end)
		if !ok {
			return p
		}
		p.end = next
		switch {
		case text.IsFold(name, "rel") && !p.hasRel:
			p.rel = unquoted(b[value.Start:value.End])
			p.hasRel = true
		case text.IsFold(name, "anchor") && !p.hasAnchor:
			p.anchor, p.hasAnchor = value, true
		case text.IsFold(name, "imagesrcset") && p.pictures == text.Span{}:
			p.pictures = value
		}
	}
}

// readLink adds the references of the next link to c.parts: its target, and the references in its
// parameters, in their order. All of them have the link types of the link.
func (c *Cutter) readLink() {
	s, i := nextAngle(c.value, c.at)
	c.at = i
	if i < 0 {
		return
	}
	p := linkParamsAt(c.value, i)
	c.at = elementEnd(c.value, p.end, false)
	c.parts = append(c.parts, Part{Span: s, List: escape.Prose, Kind: place.LinkKind(string(p.rel)), Rel: p.rel})
	before, after := p.pictures, text.Span{}
	if p.hasAnchor && p.anchor.Start < before.Start {
		before, after = after, before
	}
	c.addPictures(before, p.rel)
	if p.hasAnchor {
		c.parts = append(c.parts,
			Part{Span: text.Trimmed(c.value, p.anchor), List: escape.Prose, Kind: place.KindMeta, Rel: p.rel})
	}
	c.addPictures(after, p.rel)
}

// addPictures adds the candidates of a srcset parameter to c.parts.
func (c *Cutter) addPictures(srcset text.Span, rel []byte) {
	b := c.value[:srcset.End]
	for s, i := nextCandidate(b, srcset.Start); i >= 0; s, i = nextCandidate(b, i) {
		c.parts = append(c.parts, Part{Span: s, List: escape.Srcset, Kind: place.KindRes, Rel: rel})
	}
}
