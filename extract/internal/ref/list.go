package ref

import (
	"bytes"
	"slices"

	"absolink/extract/internal/text"
)

// References are kept until the document was read to its end, since a BASE may come last, and a
// document may have a million references. They differ little: in their position and in their value,
// which nearly always equals the bytes at this position.

// List is the list of the references of a document. The zero value must be Reset before its use.
type List struct {
	Kept   []Kept
	Shapes []Shape
	values [][]byte   // values that are not the bytes in the document
	recent [64]uint32 // index of a shape by a hash, plus one
	Last   Ref        // the reference added last, which may still be changed
	Open   bool       // Last is not in Kept yet
	Data   []byte     // of the document
}

// Kept is a reference.
type Kept struct {
	text.Span
	Shape uint32 // index into Shapes
	Value uint32 // index into values plus one; 0 means the bytes of the span
}

// Reset removes all references. data is the next document.
func (s *List) Reset(data []byte) {
	clear(s.values)
	s.Kept, s.Shapes, s.values = s.Kept[:0], s.Shapes[:0], s.values[:0]
	s.Data, s.Open = data, false
	clear(s.recent[:])
}

// Add returns a new reference for the caller to fill in; it may still have the fields of an earlier
// one. It can be changed until the next call of a method.
func (s *List) Add() *Ref {
	s.close()
	s.Open = true
	return &s.Last
}

// Append adds a reference with a shape. value is kept, not copied.
func (s *List) Append(at text.Span, shape uint32, value []byte) {
	s.close()
	s.add(Kept{at, shape, s.keep(at, value)})
}

// add keeps k.
func (s *List) add(k Kept) {
	if len(s.Kept) == cap(s.Kept) {
		s.Kept = grown(s.Kept, k.End, len(s.Data))
	}
	s.Kept = append(s.Kept, k)
}

// extrapolated is the least length of a list whose final length is estimated.
const extrapolated = 1 << 13

// grown returns a full list with room for the references in the rest of a document. at is the
// offset that was read so far, of size bytes. The estimate needs at least an eighth of the
// document. Growing the list many times would take several times its memory.
func grown[T any](list []T, at, size int) []T {
	if len(list) < extrapolated || at <= size/8 || at > size {
		return list
	}
	left := float64(len(list)) / float64(at) * float64(size-at)
	return slices.Grow(list, int(left*1.02)+len(list)/16)
}

// close keeps the reference added last.
func (s *List) close() {
	if s.Open {
		s.CloseLast()
	}
}

// CloseLast keeps the reference added last, which is open, and returns the index of its shape.
func (s *List) CloseLast() uint32 {
	s.Open = false
	r := &s.Last
	k := Kept{r.Span, s.shape(&r.Shape), s.keep(r.Span, r.Value)}
	s.add(k)
	return k.Shape
}

// keep stores v, unless v is the bytes of the span itself. It returns the field Value for a Kept.
func (s *List) keep(at text.Span, v []byte) uint32 {
	if len(v) == at.End-at.Start && (len(v) == 0 || &v[0] == &s.Data[at.Start]) {
		return 0
	}
	s.values = append(s.values, v)
	return uint32(len(s.values))
}

// shape returns the index of the shape of r.
func (s *List) shape(r *Shape) uint32 {
	h := len(r.Element)*7 + len(r.Attr)*5 + len(r.Rel)*3 + int(r.Context.Quote) + int(r.Context.List) + int(r.Kind)
	slot := &s.recent[h%len(s.recent)]
	if *slot == 0 || !r.like(&s.Shapes[*slot-1]) {
		if len(s.Shapes) == cap(s.Shapes) && len(s.Kept) > 0 {
			s.Shapes = grown(s.Shapes, s.Kept[len(s.Kept)-1].End, len(s.Data))
		}
		s.Shapes = append(s.Shapes, *r)
		*slot = uint32(len(s.Shapes))
	}
	return *slot - 1
}

// like reports whether two shapes are the same.
func (r *Shape) like(o *Shape) bool {
	return r.Kind == o.Kind && r.LayerNumber == o.LayerNumber && r.Context == o.Context &&
		r.Identifier == o.Identifier && r.ListOnly == o.ListOnly &&
		r.Doubtful == o.Doubtful && r.Unsafe == o.Unsafe && r.Form == o.Form &&
		r.Broken == o.Broken && r.Relative == o.Relative && r.Hyphen == o.Hyphen && r.Text == o.Text &&
		r.Unclear == o.Unclear && r.Doubt == o.Doubt && r.UTF8 == o.UTF8 &&
		r.Template == o.Template && r.Joined == o.Joined && r.Prefix == o.Prefix &&
		r.Element == o.Element && r.Attr == o.Attr && r.Rel == o.Rel
}

// MarkTemplate marks the references that overlap or touch a piece of a template. The pieces are in
// order and do not overlap.
func (s *List) MarkTemplate(pieces []text.Span) {
	s.mark(func(shape *Shape) { shape.Template = NearPiece }, func(k *Kept) bool {
		n, _ := slices.BinarySearchFunc(pieces, k.Start, func(p text.Span, start int) int { return p.End - start })
		return n < len(pieces) && pieces[n].Start <= k.End && s.Shapes[k.Shape].Template == NoTemplate
	})
}

// MarkUnsafe marks the references whose spans unsafe selects as unsafe, and as only listed.
func (s *List) MarkUnsafe(unsafe func(at text.Span) bool) {
	s.mark(func(shape *Shape) { shape.ListOnly, shape.Unsafe = true, true },
		func(k *Kept) bool { return unsafe(k.Span) })
}

// mark changes the shapes of the references for which selects returns true.
func (s *List) mark(change func(*Shape), selects func(*Kept) bool) {
	s.close()
	marked := make(map[uint32]uint32) // by shape: the same shape with the mark
	for i := range s.Kept {
		k := &s.Kept[i]
		if !selects(k) {
			continue
		}
		shape, ok := marked[k.Shape]
		if !ok {
			shape = uint32(len(s.Shapes))
			marked[k.Shape] = shape
			s.Shapes = append(s.Shapes, s.Shapes[k.Shape])
			change(&s.Shapes[shape])
		}
		k.Shape = shape
	}
}

// Relayer gives each reference from first on the layer whose number layer returns for its value.
func (s *List) Relayer(first int, layer func(value []byte) int) {
	s.close()
	for i := range s.Kept[first:] {
		k := &s.Kept[first+i]
		shape := s.Shapes[k.Shape]
		shape.LayerNumber = layer(s.Value(k))
		k.Shape = s.shape(&shape)
	}
}

// SetBars sets the bars of the context of each reference from first on (escape.Context). count
// returns them for the span of the reference.
func (s *List) SetBars(first int, count func(at text.Span) uint8) {
	s.close()
	for i := range s.Kept[first:] {
		k := &s.Kept[first+i]
		n := count(k.Span)
		if n == 0 {
			continue
		}
		shape := s.Shapes[k.Shape]
		shape.Context.Bars = n
		k.Shape = s.shape(&shape)
	}
}

// End returns the end of the last reference, or 0.
func (s *List) End() int {
	s.close()
	if len(s.Kept) == 0 {
		return 0
	}
	return s.Kept[len(s.Kept)-1].End
}

// Len returns the number of references.
func (s *List) Len() int {
	if s.Open {
		return len(s.Kept) + 1
	}
	return len(s.Kept)
}

// maxKept is the maximum number of references whose room a list keeps for the next document. A list
// with a million links must not occupy memory forever.
const maxKept = 1 << 15

// HasRelative reports whether a relative reference of a layer precedes the last reference. A
// reference that begins with a fragment does not count.
func (s *List) HasRelative(layer int) bool {
	for i := range s.Kept {
		k := &s.Kept[i]
		if shape := &s.Shapes[k.Shape]; shape.Relative && shape.LayerNumber == layer &&
			!shape.Identifier && isRelative(text.Stripped(s.Value(k))) {
			return true
		}
	}
	return false
}

// isRelative reports whether v is not empty and begins with neither a scheme nor a fragment.
func isRelative(v []byte) bool {
	if len(v) == 0 || v[0] == '#' {
		return false
	}
	i := bytes.IndexAny(v, ":/?")
	return i <= 0 || v[i] != ':'
}

// Large reports whether a list has more room than it should keep.
func (s *List) Large() bool {
	return cap(s.Kept) > maxKept || cap(s.Shapes) > maxKept/8 || cap(s.values) > maxKept
}

// Finish sets the layers of the shapes and marks the plain ones. Do not add references after it.
func (s *List) Finish(l *Layers) {
	s.close()
	for i := range s.Shapes {
		r := &s.Shapes[i]
		r.Layer = l.Get(r.LayerNumber)
		r.Plain = r.plain()
	}
}

// Value returns the value of a reference. It must not be modified and is valid until the next
// Reset.
func (s *List) Value(k *Kept) []byte {
	if k.Value == 0 {
		return s.Data[k.Start:k.End:k.End]
	}
	return s.values[k.Value-1]
}

// Sort sorts the references from first on, which are in one text, by their position.
func (s *List) Sort(first int) {
	s.close()
	slices.SortStableFunc(s.Kept[first:], func(a, b Kept) int { return a.Start - b.Start })
}
