package mime

import (
	"strings"

	"absolink/base"
)

// Layer returns the base layers that the headings of e and of the entities around it give (RFC 2396
// Section 5.1.2). The innermost layer is the Content-Base of e, then comes its Content-Location,
// then the same two fields of the entity around it, and so on. The first field of each name counts.
// The outermost layer is outer, which holds the retrieval and default layers and may be nil. The
// innermost Snapshot-Content-Location becomes a layer in a copy of outer; outer does not change. If
// there are no such fields, Layer returns outer.
//
// The layers of the entities around e are made only once. All parts below an entity share them, so
// that a [base.Memo] evaluates them once.
func (e *Entity) Layer(outer *base.Layer) *base.Layer {
	top := e.m.top()
	top.layersMu.Lock()
	defer top.layersMu.Unlock()
	outer = e.withSnapshot(outer)
	if e.Parent != nil {
		outer = e.Parent.layersAround(false, outer)
	}
	return e.withHeading(base.Layer{}, outer)
}

// layerCache has the layers that an entity made.
type layerCache struct {
	snapshot madeLayer // the outer layers with the snapshot of the entity
	same     madeLayer // the layers for documents in the same message
	across   madeLayer // the layers for documents in a message below the entity
}

// madeLayer is a layer that was made for the outer layers in. It is valid only for these.
type madeLayer struct{ in, made *base.Layer }

// cachedLayers returns the layer cache of e. The caller must hold layersMu.
func (e *Entity) cachedLayers() *layerCache {
	if e.layerCache == nil {
		e.layerCache = new(layerCache)
	}
	return e.layerCache
}

// withSnapshot returns outer with a layer for the innermost Snapshot-Content-Location around e.
func (e *Entity) withSnapshot(outer *base.Layer) *base.Layer {
	for a := e; a != nil; a = a.Parent {
		if v, n := a.Get("Snapshot-Content-Location"); n > 0 {
			k := &a.cachedLayers().snapshot
			if k.made == nil || k.in != outer {
				k.in = outer
				k.made = outer.WithSnapshot(v, a.Section)
			}
			return k.made
		}
	}
	return outer
}

// layersAround returns the layers around the entities in e; the innermost are those of e. across
// says that the document is in a message inside of e.
func (e *Entity) layersAround(across bool, outer *base.Layer) *base.Layer {
	k := &e.cachedLayers().same
	across = across || e.enclosed || strings.HasPrefix(e.mediaType, "message/")
	if across {
		k = &e.cachedLayers().across
	}
	if k.made == nil || k.in != outer {
		k.in, k.made = outer, outer
		if e.Parent != nil {
			k.made = e.Parent.layersAround(across, outer)
		}
		k.made = e.withHeading(base.Layer{Inherited: true, Across: across}, k.made)
	}
	return k.made
}

// withHeading returns outer with the layers of the heading of e inside it. The new layers are
// copies of l with their own source and value.
func (e *Entity) withHeading(l base.Layer, outer *base.Layer) *base.Layer {
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
