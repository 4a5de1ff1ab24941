package extract

import (
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/ref"
)

// charset returns the charset of d. One that nothing names is what the bytes look like.
// They are all looked at only where it matters, for most documents after they were read:
// they are at hand then.
func (d *Doc) charset() *charset.Encoding {
	if d.named == nil {
		d.named = d.charsets.Guess(d.refs.Data) // d.Data may be that of the next document
	}
	return d.named
}

// declaration returns how documents of the format declare their charset.
func (f Format) declaration() charset.Declaration {
	switch f {
	case HTML, Bookmarks:
		return charset.InMeta
	case XHTML, XML, SVG, Feed, Sitemap, OPML:
		return charset.InXML
	case CSS:
		return charset.InRule
	case Manifest, Calendar, Heading:
		return charset.FixedUTF8
	}
	return charset.Undeclared
}

// decode finds the charset of d and returns the bytes to scan: d.Data itself, or
// what it decodes to. mark is the outermost place of such a document, else nil.
func (d *Doc) decode() (data []byte, mark *escape.Context) {
	e, unknown := d.charsets.Find(d.Data, d.Charset, d.format.declaration(), &d.root.scan)
	if d.named = e; unknown {
		d.problem(0, "unknown-charset")
	}
	if e != nil && e.Form == charset.Opaque {
		d.problem(0, "unsupported-charset")
	}
	if !d.switches.Decode(&d.whole, d.Data, e) {
		return d.Data, nil
	}
	switch e.Form {
	case charset.UTF16LE:
		mark = &escape.Context{Sheet: true, Wide: escape.UTF16LE}
	case charset.UTF16BE:
		mark = &escape.Context{Sheet: true, Wide: escape.UTF16BE}
	}
	return d.whole.Data, mark
}

// settleShift notes what bytes of ISO-2022-JP the reference stands among. One that nothing
// can be written for is left as it is.
func (d *Doc) settleShift(r *ref.Ref) {
	before, behind, ok := d.switches.Around(r.Span)
	if r.Context.Roman = 0; before {
		r.Context.Roman = escape.RomanBefore
	}
	if behind {
		r.Context.Roman |= escape.RomanAfter
	}
	if !ok && !r.ListOnly && !r.Identifier {
		r.ListOnly = true
		d.problem(r.Start, "shifted-reference")
	}
}

// shiftedBase reports whether an escape sequence stands in the tag of a BASE, whose href
// then cannot be taken away without it.
func (d *Doc) shiftedBase() bool {
	for _, b := range d.bases {
		if tag := d.whole.Raw(b.tag); d.switches.Inside(tag) {
			d.problem(tag.Start, "shifted-reference")
			return true
		}
	}
	return false
}
