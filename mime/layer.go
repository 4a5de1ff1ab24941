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
		outer = e.Parent.inheritedLayers(false, outer)
	}
	return e.withHeading(outer, base.Layer{})
}

// layerCache keeps layers of an entity for the next document below it.
type layerCache struct {
	snapshot cachedLayers // a result of withSnapshot
	same     cachedLayers // a result of inheritedLayers for documents in the same message
	across   cachedLayers // a result of inheritedLayers for documents in a message below the entity
}

// cachedLayers is a result of a function that adds layers to outer. It is valid only for this
// outer.
type cachedLayers struct {
	layers *base.Layer // nil if there is no result yet
	outer  *base.Layer
}

// cache returns the layer cache of e. The caller must hold layersMu.
func (e *Entity) cache() *layerCache {
	if e.layerCache == nil {
		e.layerCache = new(layerCache)
	}
	return e.layerCache
}

// withSnapshot returns outer with a layer for the innermost Snapshot-Content-Location around e.
func (e *Entity) withSnapshot(outer *base.Layer) *base.Layer {
	for a := e; a != nil; a = a.Parent {
		value, n := a.Get("Snapshot-Content-Location")
		if n == 0 {
			continue
		}
		cached := &a.cache().snapshot
		if cached.layers == nil || cached.outer != outer {
			cached.outer = outer
			cached.layers = outer.WithSnapshot(value, a.Section)
		}
		return cached.layers
	}
	return outer
}

// inheritedLayers returns the layers that a document below e inherits: the layers of the heading of
// e, around them the layers of the entities around e, and outer around all of these. across is set
// if a message stands between e and the document. If e itself is a message/* or Enclosed, across
// counts as set.
func (e *Entity) inheritedLayers(across bool, outer *base.Layer) *base.Layer {
	across = across || e.enclosed || strings.HasPrefix(e.mediaType, "message/")
	cached := &e.cache().same
	if across {
		cached = &e.cache().across
	}
	if cached.layers != nil && cached.outer == outer {
		return cached.layers
	}
	around := outer
	if e.Parent != nil {
		around = e.Parent.inheritedLayers(across, outer)
	}
	cached.outer = outer
	cached.layers = e.withHeading(around, base.Layer{Inherited: true, Across: across})
	return cached.layers
}

// withHeading returns outer with the layers of the heading of e inside it. Each new layer is a copy
// of model with the source and the value of a header field.
func (e *Entity) withHeading(outer *base.Layer, model base.Layer) *base.Layer {
	for _, f := range [...]struct {
		name   string
		source base.Source
	}{
		{"Content-Location", base.ContentLocation},
		{"Content-Base", base.ContentBase},
	} {
		value, n := e.Get(f.name)
		if n == 0 {
			continue
		}
		l := model
		l.Source = f.source
		l.Value = value
		l.Part = e.Section
		l.Outer = outer
		outer = &l
	}
	return outer
}
