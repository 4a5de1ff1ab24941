package extract

import "absolink/extract/internal/page"

// Additions returns the spans of d.Data that a web archive has added to a page, in their order:
// scripts and style sheets, a toolbar, and comments. The comments that mark them belong to them.
// They do not overlap. If a mark is missing, or other content stands between two marks, Additions
// returns no spans, and missing says what is wrong. It returns nothing for formats other than HTML
// and XHTML. It describes the same reading as [Doc.Base].
func (d *Doc) Additions() (list []Span, missing string) {
	d.once()
	if d.format != HTML && d.format != XHTML {
		return nil, ""
	}
	scanned := d.Scanned()
	spans, missing := page.Additions(scanned.Data)
	for _, s := range spans {
		list = append(list, scanned.Raw(Span(s)))
	}
	return list, missing
}
