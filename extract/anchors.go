package extract

import (
	"iter"

	"absolink/extract/internal/page"
)

// Anchors yields the anchors of a page: the names by which a fragment points into the page (HTML
// 7.4.6.4). These are the ids of all elements, and the names of A elements, decoded and in document
// order. It leaves out the content of noscript, which browsers do not show. For Markdown it first
// yields the anchors that GitHub makes for headings, such as "a-heading" and "a-heading-1", and the
// ids that other programs read at their ends, such as id of {#id}. It yields nothing for formats
// other than HTML, XHTML, SVG and Markdown. A name is valid until the next step. After Anchors,
// references of d are no longer valid.
func (d *Doc) Anchors() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !d.begin() {
			d.read = false
			return
		}
		switch d.format {
		case HTML, XHTML, SVG:
			d.in.page.Anchors(yield)
		case Markdown:
			if page.MarkdownAnchors == nil {
				break
			}
			for _, name := range page.MarkdownAnchors(&d.in.page) {
				if !yield([]byte(name)) {
					break
				}
			}
		}
		d.read = false
	}
}
