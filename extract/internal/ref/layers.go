package ref

import (
	"absolink/base"
	"absolink/extract/internal/template"
)

// Layers are numbered while the document is read, since a BASE that comes late
// changes what layers before it stand in. They become a linked list at the end.

// OuterLayer is the number of what is around the document.
const OuterLayer = 0

// Numbers of layers outside of the document.
const (
	NoLayer     = -1 // nothing
	EntityLayer = -2 // what is around the entity that the outermost layers stand in the heading of
)

// layer is a layer in the making. One without a source is its outer layer.
type layer struct {
	source base.Source
	value  string
	outer  int
}

// Layers are the layers of one document. Number 0 is what is around it. The zero value must
// be Reset before its use.
type Layers struct {
	list  []layer
	built []base.Layer
	ptrs  []*base.Layer
	outer *base.Layer
	part  string
}

// Reset forgets all layers. outer are those around the next document, part is its section
// in a message.
func (l *Layers) Reset(outer *base.Layer, part string) {
	l.list = append(l.list[:0], layer{})
	l.outer, l.part = outer, part
}

// Add numbers a new layer; outer is the number of an earlier one.
func (l *Layers) Add(source base.Source, value string, outer int) int {
	l.list = append(l.list, layer{source, value, outer})
	return len(l.list) - 1
}

// Set gives a layer its source; base.None takes it away.
func (l *Layers) Set(n int, source base.Source, value string) {
	l.list[n].source, l.list[n].value = source, value
}

// Has reports whether a layer has a source.
func (l *Layers) Has(n int) bool { return l.list[n].source != base.None }

// OuterOf returns the number of the layer around a layer.
func (l *Layers) OuterOf(n int) int { return l.list[n].outer }

// SetOuter puts a layer into another one, an earlier one.
func (l *Layers) SetOuter(n, outer int) { l.list[n].outer = outer }

// Finish builds the linked layers. No layer must be added after it.
func (l *Layers) Finish() {
	if cap(l.built) < len(l.list) {
		l.built = make([]base.Layer, len(l.list)*2)
	}
	l.built = l.built[:len(l.list)]
	l.ptrs = append(l.ptrs[:0], l.outer)
	for i, x := range l.list[1:] {
		if x.source == base.None {
			l.ptrs = append(l.ptrs, l.ptrs[x.outer])
			continue
		}
		l.built[i] = base.Layer{Source: x.source, Value: x.value, Part: l.part, Unknown: template.Has(x.value), Outer: l.ptrs[x.outer]}
		l.ptrs = append(l.ptrs, &l.built[i])
	}
}

// Get returns a layer by its number, after Finish. It is valid until the next Finish.
func (l *Layers) Get(n int) *base.Layer {
	switch n {
	case NoLayer:
		return nil
	case EntityLayer:
		return aroundEntity(l.outer)
	}
	return l.ptrs[n]
}

// aroundEntity returns what of l is not given by the heading of the entity itself.
func aroundEntity(l *base.Layer) *base.Layer {
	for l != nil && !l.Inherited && (l.Source == base.ContentBase || l.Source == base.ContentLocation) {
		l = l.Outer
	}
	return l
}
