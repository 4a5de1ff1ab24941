package value

import (
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// The Link field (RFC 8288 section 3) is read as Appendix B.2 and B.3 describe. Unlike the
// appendix, this reader continues after an element that does not begin with '<', since the next
// element may be valid.

// linkParams are the parameters of one link that matter here. The first parameter of each name
// counts.
type linkParams struct {
	rel      []byte
	related  bool
	anchor   text.Span
	anchored bool
	pictures text.Span // imagesrcset, as the attribute of LINK
	end      int
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
		case text.IsFold(name, "rel") && !p.related:
			p.rel = unquoted(b[value.Start:value.End])
			p.related = true
		case text.IsFold(name, "anchor") && !p.anchored:
			p.anchor, p.anchored = value, true
		case text.IsFold(name, "imagesrcset") && p.pictures == text.Span{}:
			p.pictures = value
		}
	}
}

// link reads the next link: its target, and the references in its parameters in their order. All of
// them have the link types of the link.
func (c *Cutter) link() {
	s, i := angle(c.value, c.at)
	c.at = i
	if i < 0 {
		return
	}
	p := linkParamsAt(c.value, i)
	c.at = elementEnd(c.value, p.end, false)
	c.parts = append(c.parts, Part{Span: s, List: escape.Prose, Kind: place.LinkKind(string(p.rel)), Rel: p.rel})
	before, behind := p.pictures, text.Span{}
	if p.anchored && p.anchor.Start < before.Start {
		before, behind = behind, before
	}
	c.pictures(before, p.rel)
	if p.anchored {
		c.parts = append(c.parts,
			Part{Span: text.Trimmed(c.value, p.anchor), List: escape.Prose, Kind: place.KindMeta, Rel: p.rel})
	}
	c.pictures(behind, p.rel)
}

// pictures adds the candidates of a srcset parameter.
func (c *Cutter) pictures(srcset text.Span, rel []byte) {
	b := c.value[:srcset.End]
	for s, i := candidate(b, srcset.Start); i >= 0; s, i = candidate(b, i) {
		c.parts = append(c.parts, Part{Span: s, List: escape.Srcset, Kind: place.KindRes, Rel: rel})
	}
}
