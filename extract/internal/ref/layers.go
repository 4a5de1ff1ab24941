package ref

import (
	"strings"

	"absolink/base"
	"absolink/extract/internal/template"
)

// Layers are numbered while the document is read, since a late BASE changes the outer layer of
// layers before it. At the end they become a linked list.

// OuterLayer is the number of the layer around the document.
const OuterLayer = 0

// Numbers of layers outside of the document.
const (
	NoLayer = -1 // nothing
	// the base of the Content-Location of an entity, in whose heading the outermost layers are
	EntityLayer  = -2
	ContentLayer = -3 // the Content-Base of that entity
)

// layer is an unfinished layer. A layer without a source is replaced by its outer layer.
type layer struct {
	source  base.Source
	value   string
	outer   int
	pattern bool // the value stands for several bases
}

// Layers are the layers of one document. Number 0 is the layer around the document. The zero value
// must be Reset before its use.
type Layers struct {
	Unknown string // the charset of the document if it is unknown, or ""

	list  []layer
	built []base.Layer
	ptrs  []*base.Layer
	outer *base.Layer
	part  string

	entity, content *base.Layer // EntityLayer and ContentLayer, once they were needed
}

// Reset removes all layers. outer are the layers around the next document, and part is its section
// in a message.
func (l *Layers) Reset(outer *base.Layer, part string) {
	l.list = append(l.list[:0], layer{})
	l.outer, l.part, l.entity, l.content = outer, part, nil, nil
}

// Add numbers a new layer. outer is the number of an earlier layer.
func (l *Layers) Add(source base.Source, value string, outer int) int {
	l.list = append(l.list, layer{source: source, value: value, outer: outer})
	return len(l.list) - 1
}

// Set sets the source of a layer; base.None removes it.
func (l *Layers) Set(n int, source base.Source, value string) {
	l.list[n].source, l.list[n].value = source, value
}

// SetPattern says that the value of a layer stands for several bases, so it gives none.
func (l *Layers) SetPattern(n int) { l.list[n].pattern = true }

// Has reports whether a layer has a source.
func (l *Layers) Has(n int) bool { return l.list[n].source != base.None }

// OuterOf returns the number of the layer around a layer.
func (l *Layers) OuterOf(n int) int { return l.list[n].outer }

// SetOuter puts a layer into an earlier one.
func (l *Layers) SetOuter(n, outer int) { l.list[n].outer = outer }

// Finish builds the linked layers. Do not add layers after it.
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
			Template: x.pattern || template.Has(x.value), Outer: l.ptrs[x.outer]}
		if l.Unknown != "" && strings.ContainsAny(x.value, unsure) {
			l.built[i].UnknownCharset = l.Unknown
		}
		l.ptrs = append(l.ptrs, &l.built[i])
	}
}

// unsure are the characters that may be different ones in an unknown charset.
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

// aroundLocation returns the base of the Content-Location of an entity (RFC 2110 Section 4.2). l
// are the layers of the heading; the result omits the layer of the Content-Location itself.
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

// isOwn reports whether a field of the heading itself sets l.
func isOwn(l *base.Layer, source base.Source) bool {
	return l != nil && l.Source == source && !l.Inherited
}
