package extract

import "absolink/extract/internal/page"

// Additions returns the spans of d.Data that a web archive has added to a page, in their order:
// scripts and style sheets, a toolbar, and comments. Each span includes the comments that mark it.
// The spans do not overlap. If a mark is missing, or the content between two marks is not the
// archive's, Additions returns no spans, and missing says what is wrong. For formats other than
// HTML and XHTML the results are empty. Like [Doc.Base], Additions describes the last reading of
// the document.
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
