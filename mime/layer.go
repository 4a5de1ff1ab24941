package mime

import (
	"strings"

	"absolink/base"
)

// Layer returns the base layers that the headings of e and of the entities around it give (RFC
// 2396 Section 5.1.2). Innermost is the Content-Base of e, then its Content-Location, then those
// of the entity around it, and so on. The first field of each name counts. Around them lies
// outer, the retrieval and default layers, which may be nil; Layer puts the innermost
// Snapshot-Content-Location into it. If there are no such fields Layer returns outer.
//
// The layers of the entities around e are made once: all parts below an entity share the same
// ones, so that a [base.Memo] evaluates them once.
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

// layered are the layers that an entity puts around its parts: for each of them what
// they lie in, and what is made of that.
type layered struct {
	snapshot, same, across struct{ in, made *base.Layer }
}

// kept returns what e keeps. The layers of a message are locked.
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

// around returns the layers around the entities in e, those of e first. across says
// that a message lies between it and the document.
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

// headings puts the layers that the heading of e gives into outer. They are like l.
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
