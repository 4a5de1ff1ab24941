package dom

import (
	"slices"

	"absolink/extract"
	"absolink/extract/internal/text"
)

// Set writes uri in the place of the reference and reports whether it could. Characters that are
// syntax of the list, style sheet or script around the reference are escaped. The rest of the
// attribute keeps its value from the time when the references were found, except for other
// references that were set. Set reports false in a srcdoc, if the place cannot hold uri, and for
// the name of a source map. It does not disturb the iteration that yielded the reference.
func (r Ref) Set(uri string) bool {
	h := r.holder
	if h == nil || r.Frame != nil || !r.context.Holds([]byte(uri)) {
		return false
	}
	edit := extract.Edit{Span: extract.Span(r.span), New: r.context.Append(nil, []byte(uri))}
	n, found := slices.BinarySearchFunc(h.edits, r.span,
		func(e extract.Edit, s text.Span) int { return e.Start - s.Start })
	if found {
		h.edits[n] = edit
	} else {
		h.edits = slices.Insert(h.edits, n, edit)
	}
	return h.write(string(extract.Apply(nil, []byte(h.value), h.edits)))
}

// write sets the value of the attribute or text. A text must be in one piece.
func (h *holder) write(value string) bool {
	if h.attr == "" {
		c := h.node.FirstChild
		if c == nil || c.NextSibling != nil {
			return false
		}
		c.Data = value
		return true
	}
	for i := range h.node.Attr {
		if a := &h.node.Attr[i]; nameOf(*a) == h.attr {
			a.Val = value
			return true
		}
	}
	return false
}
