package mime

import (
	"strings"

	"absolink/base"
)

// Layer returns the base layers that the headings of e and of the entities around it give (RFC 2396
// Section 5.1.2). The innermost layer is the Content-Base of e, then comes its Content-Location,
// then the same two fields of the entity around it, and so on. The first field of each name counts.
// The outermost layer is outer, which holds the retrieval and default layers and may be nil. Layer
// puts the innermost Snapshot-Content-Location into outer. If there are no such fields, Layer
// returns outer.
//
// The layers of the entities around e are made only once. All parts below an entity share them, so
// that a [base.Memo] evaluates them once.
func (e *Entity) Layer(outer *base.Layer) *base.Layer {
	top := e.m.top()
	top.layers.Lock()
	defer top.layers.Unlock()
	outer = e.snapshot(outer)
	if e.Parent != nil {
		outer = e.Parent.around(false, outer)
	}
	return e.headings(base.Layer{}, outer)
}

// layered caches the layers that an entity puts around its parts: for each kind the outer layer,
// and the layer made from it.
type layered struct {
	snapshot, same, across struct{ in, made *base.Layer }
}

// kept returns the cached layers of e. The caller must hold the lock of the layers.
func (e *Entity) kept() *layered {
	if e.layered == nil {
		e.layered = new(layered)
	}
	return e.layered
}

// snapshot returns outer with the Snapshot-Content-Location that counts for e.
func (e *Entity) snapshot(outer *base.Layer) *base.Layer {
	for a := e; a != nil; a = a.Parent {
		if v, n := a.Get("Snapshot-Content-Location"); n > 0 {
			k := &a.kept().snapshot
			if k.made == nil || k.in != outer {
				k.in = outer
				k.made = outer.WithSnapshot(v, a.Section)
			}
			return k.made
		}
	}
	return outer
}

// around returns the layers around the entities in e; the layers of e come first. across tells that
// a message lies between these layers and the document.
func (e *Entity) around(across bool, outer *base.Layer) *base.Layer {
	k := &e.kept().same
	across = across || e.enclosed || strings.HasPrefix(e.kind, "message/")
	if across {
		k = &e.kept().across
	}
	if k.made == nil || k.in != outer {
		k.in, k.made = outer, outer
		if e.Parent != nil {
			k.made = e.Parent.around(across, outer)
		}
		k.made = e.headings(base.Layer{Inherited: true, Across: across}, k.made)
	}
	return k.made
}

// headings returns outer with the layers of the heading of e inside it. The new layers are copies
// of l with their own source and value.
func (e *Entity) headings(l base.Layer, outer *base.Layer) *base.Layer {
	for _, f := range [...]struct {
		name   string
		source base.Source
	}{
		{"Content-Location", base.ContentLocation},
		{"Content-Base", base.ContentBase},
	} {
		if v, n := e.Get(f.name); n > 0 {
			l.Source, l.Value, l.Part, l.Outer = f.source, v, e.Section, outer
			made := l
			outer = &made
		}
	}
	return outer
}
