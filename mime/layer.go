package mime

import (
	"strings"

	"absolink/base"
)

// Layer returns the base layers that the headings of e and of the entities
// around it give (RFC 2396 Section 5.1.2): of each entity Content-Base, then
// Content-Location, the innermost entity first. The first field of each name
// counts. They lie in outer, the retrieval and default layers, into which the
// Snapshot-Content-Location of the innermost message that has one is put.
func (e *Entity) Layer(outer *base.Layer) *base.Layer {
	for a := e; a != nil; a = a.Parent {
		if v, n := a.Get("Snapshot-Content-Location"); n > 0 {
			outer = base.WithSnapshot(outer, v, a.Section)
			break
		}
	}
	return e.headings(0, 0, outer)
}

func (e *Entity) headings(level, messages int, outer *base.Layer) *base.Layer {
	if p := e.Parent; p != nil {
		in := messages
		if strings.HasPrefix(p.kind, "message/") {
			in++
		}
		outer = p.headings(level+1, in, outer)
	}
	for _, f := range [...]struct {
		name   string
		source base.Source
	}{
		{"Content-Location", base.ContentLocation},
		{"Content-Base", base.ContentBase},
	} {
		if v, n := e.Get(f.name); n > 0 {
			outer = &base.Layer{Source: f.source, Value: v, Part: e.Section,
				Level: level, Messages: messages, Outer: outer}
		}
	}
	return outer
}
