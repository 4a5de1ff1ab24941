package extract

import "absolink/base"

// Layers are numbered while the document is read, since a BASE that comes late
// changes what layers before it stand in. They become a linked list at the end.

// outerLayer is the number of what is around the document.
const outerLayer = 0

// Numbers of layers that are none of the document's own.
const (
	noLayer     = -1 // nothing
	entityLayer = -2 // what is around the entity that the outermost layers stand in the heading of
)

// layer is a layer in the making. One without a source is its outer layer.
type layer struct {
	source base.Source
	value  string
	outer  int
}

// layers are the layers of one document.
type layers struct {
	list  []layer
	built []base.Layer
	ptrs  []*base.Layer
	outer *base.Layer
	part  string
}

func (l *layers) reset(outer *base.Layer, part string) {
	l.list = append(l.list[:0], layer{})
	l.outer, l.part = outer, part
}

// add numbers a new layer; outer is the number of an earlier one.
func (l *layers) add(source base.Source, value string, outer int) int {
	l.list = append(l.list, layer{source, value, outer})
	return len(l.list) - 1
}

// set gives a layer its source; base.None takes it away.
func (l *layers) set(n int, source base.Source, value string) {
	l.list[n].source, l.list[n].value = source, value
}

// finish builds the linked layers.
func (l *layers) finish() {
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
		l.built[i] = base.Layer{Source: x.source, Value: x.value, Part: l.part, Outer: l.ptrs[x.outer]}
		l.ptrs = append(l.ptrs, &l.built[i])
	}
}

// get returns a layer by its number, after finish.
func (l *layers) get(n int) *base.Layer {
	switch n {
	case noLayer:
		return nil
	case entityLayer:
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
