package page

import (
	"bytes"
	"sync"

	"absolink/extract/internal/markup"
)

// anchorAttrs selects the attributes that hold anchors.
var anchorAttrs = sync.OnceValue(func() *markup.Filter {
	f := markup.NewFilter("id", "xml:id")
	f.Attrs("a", "name")
	return f
})

// Anchors yields the ids of all elements, and the names of A elements, decoded and in document
// order. It leaves out the content of noscript. Call Reset before Anchors, and again before the
// next use of f.
func (f *Finder) Anchors(yield func(name []byte) bool) {
	s := &f.Scan
	s.Filter = anchorAttrs()
	s.Only = markup.Set(markup.StartTag)
	s.Reset(f.Data)
	for s.Next() != markup.EOF {
		if s.NoScript > 0 {
			continue
		}
		element := f.Data[s.NameStart:s.NameEnd]
		for i := range s.Attrs {
			a := &s.Attrs[i]
			if isAnchor(element, f.Data[a.NameStart:a.NameEnd]) && !yield(f.AttrBytes(a)) {
				return
			}
		}
	}
}

// isAnchor reports whether an attribute of an element holds an anchor.
func isAnchor(element, attr []byte) bool {
	switch len(attr) {
	case len("id"):
		return bytes.EqualFold(attr, []byte("id"))
	case len("name"):
		return bytes.EqualFold(attr, []byte("name")) && bytes.EqualFold(element, []byte("a"))
	case len("xml:id"):
		return bytes.EqualFold(attr, []byte("xml:id"))
	}
	return false
}
