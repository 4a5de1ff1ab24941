package extract

import "iter"

// Anchors yields the names of the places in a page that fragments of URIs can name (HTML 7.4.6.4):
// the ids of all elements, and the names of A elements, decoded and in document order. It leaves
// out the content of noscript, which browsers do not show. It yields nothing for formats other than
// HTML, XHTML and SVG. A name is valid until the next step. Anchors ends the current reading of d:
// references of it are no longer valid.
func (d *Doc) Anchors() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if d.begin() && (d.format == HTML || d.format == XHTML || d.format == SVG) {
			d.in.page.Anchors(yield)
		}
		d.read = false
	}
}
