package ref

import (
	"strings"

	"absolink/base"
	"absolink/extract/internal/template"
)

// Layers are numbered while the document is read, since a BASE that comes late
// changes what layers before it stand in. They become a linked list at the end.

// OuterLayer is the number of what is around the document.
const OuterLayer = 0

// Numbers of layers outside of the document.
const (
	NoLayer = -1 // nothing
	// what the Content-Location of an entity is resolved against, which the outermost layers stand
	// in the heading of
	EntityLayer  = -2
	ContentLayer = -3 // the Content-Base of that entity
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
	Unknown string // the charset of the document, if it is not known; "" else

	list  []layer
	built []base.Layer
	ptrs  []*base.Layer
	outer *base.Layer
	part  string

	entity, content *base.Layer // EntityLayer and ContentLayer, once they were asked for
}

// Reset forgets all layers. outer are those around the next document, part is its section
// in a message.
func (l *Layers) Reset(outer *base.Layer, part string) {
	l.list = append(l.list[:0], layer{})
	l.outer, l.part, l.entity, l.content = outer, part, nil, nil
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
		l.built[i] = base.Layer{Source: x.source, Value: x.value, Part: l.part,
			Unknown: template.Has(x.value), Outer: l.ptrs[x.outer]}
		if l.Unknown != "" && strings.ContainsAny(x.value, unsure) {
			l.built[i].Charset = l.Unknown
		}
		l.ptrs = append(l.ptrs, &l.built[i])
	}
}

// unsure are the characters that bytes are read as which an unknown charset may have for others.
const unsure = "\ufffd\x0e\x0f\x1b"

// Get returns a layer by its number, after Finish. It is valid until the next Finish.
func (l *Layers) Get(n int) *base.Layer {
	switch n {
	case NoLayer:
		return nil
	case EntityLayer:
		if l.entity == nil {
			l.entity = aroundLocation(l.outer)
		}
		return l.entity
	case ContentLayer:
		if l.content == nil && isOwn(l.outer, base.ContentBase) {
			l.content = &base.Layer{Source: base.ContentBase, Value: l.outer.Value, Part: l.outer.Part}
		}
		return l.content
	}
	return l.ptrs[n]
}

// aroundLocation returns what the Content-Location of an entity is resolved against (RFC 2110
// Section 4.2): l, the layers of the heading that it stands in, but for itself.
func aroundLocation(l *base.Layer) *base.Layer {
	switch {
	case isOwn(l, base.ContentLocation):
		return l.Outer
	case isOwn(l, base.ContentBase) && isOwn(l.Outer, base.ContentLocation):
		own := *l
		own.Outer = l.Outer.Outer
		return &own
	}
	return l
}

// isOwn reports whether l is given by a field of the heading itself.
func isOwn(l *base.Layer, source base.Source) bool {
	return l != nil && l.Source == source && !l.Inherited
}
