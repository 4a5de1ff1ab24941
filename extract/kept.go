package extract

import "slices"

// References are kept until the document is read to its end, since a BASE may come
// last, and a document may hold a million. What of them differs is little: they stand
// at different places and have different values, which nearly always are the bytes
// that stand there. The rest of a Ref, its shape, is the same for most references of a
// document, and is kept once; a Ref is put together when it is yielded.

// refs are the references of a document.
type refs struct {
	list   []kept
	shapes []Ref      // without Span and Value
	values [][]byte   // that are not the bytes in the document
	recent [64]uint32 // shapes by a hash, plus one
	last   Ref        // the reference added last, which may still be changed
	open   bool       // last is not in list yet
	data   []byte     // of the document
}

// kept is a reference.
type kept struct {
	Span
	shape uint32 // index into shapes
	value uint32 // index into values plus one; 0 is the bytes of the span
}

// reset forgets all references. They will be those of a document with these bytes.
func (s *refs) reset(data []byte) {
	clear(s.values)
	s.list, s.shapes, s.values = s.list[:0], s.shapes[:0], s.values[:0]
	s.data, s.open = data, false
	clear(s.recent[:])
}

// add returns a new reference to be filled in, which may hold an earlier one. It can
// be changed until the next call of a method.
func (s *refs) add() *Ref {
	s.close()
	s.open = true
	return &s.last
}

// append adds a reference of a shape.
func (s *refs) append(at Span, shape uint32, value []byte) {
	s.close()
	s.list = append(s.list, kept{at, shape, s.keep(at, value)})
}

// close keeps the reference added last.
func (s *refs) close() {
	if s.open {
		s.closeLast()
	}
}

// closeLast keeps the reference added last, which is open, and returns the index of its
// shape.
func (s *refs) closeLast() uint32 {
	s.open = false
	r := &s.last
	k := kept{r.Span, s.shape(r), s.keep(r.Span, r.Value)}
	s.list = append(s.list, k)
	return k.shape
}

// keep returns what a kept reference at a span says of its value.
func (s *refs) keep(at Span, v []byte) uint32 {
	if len(v) == at.End-at.Start && (len(v) == 0 || &v[0] == &s.data[at.Start]) {
		return 0
	}
	s.values = append(s.values, v)
	return uint32(len(s.values))
}

// shape returns the index of the shape of r.
func (s *refs) shape(r *Ref) uint32 {
	h := len(r.Element)*7 + len(r.Attr)*5 + len(r.Rel)*3 + int(r.place.quote) + int(r.place.list) + int(r.Kind)
	slot := &s.recent[h%len(s.recent)]
	if *slot == 0 || !r.like(&s.shapes[*slot-1]) {
		s.shapes = append(s.shapes, *r)
		*slot = uint32(len(s.shapes))
		shape := &s.shapes[*slot-1]
		shape.Span, shape.Value = Span{}, nil
	}
	return *slot - 1
}

// like reports whether two references are the same but for place and value.
func (r *Ref) like(o *Ref) bool {
	return r.Kind == o.Kind && r.layer == o.layer && r.place == o.place &&
		r.Identifier == o.Identifier && r.ListOnly == o.ListOnly && r.Form == o.Form &&
		r.broken == o.broken && r.relative == o.relative && r.hyphen == o.hyphen && r.unclear == o.unclear && r.noscript == o.noscript && r.utf8 == o.utf8 &&
		r.Element == o.Element && r.Attr == o.Attr && r.Rel == o.Rel
}

// end returns where the last reference ends, 0 if there is none.
func (s *refs) end() int {
	if s.close(); len(s.list) == 0 {
		return 0
	}
	return s.list[len(s.list)-1].End
}

// len returns the number of references.
func (s *refs) len() int {
	if s.open {
		return len(s.list) + 1
	}
	return len(s.list)
}

// finish gives the shapes their layers, and says which are easy to edit. No reference
// is added after it.
func (s *refs) finish(l *layers) {
	s.close()
	for i := range s.shapes {
		r := &s.shapes[i]
		r.Layer, r.easy = l.get(r.layer), r.isEasy()
	}
}

// get makes r the reference i.
func (s *refs) get(r *Ref, i int) {
	k := &s.list[i]
	*r = s.shapes[k.shape]
	r.Span = k.Span
	r.Value = s.value(k)
}

// step makes r, which is the reference i-1 unless i is 0, the reference i.
func (s *refs) step(r *Ref, i int) {
	k := &s.list[i]
	if i == 0 || k.shape != s.list[i-1].shape {
		*r = s.shapes[k.shape]
	}
	r.Span, r.Value = k.Span, s.value(k)
}

// value returns the value of a reference.
func (s *refs) value(k *kept) []byte {
	if k.value == 0 {
		return s.data[k.Start:k.End:k.End]
	}
	return s.values[k.value-1]
}

// sort puts the references from first on, which are of one text, into the order in
// which they stand.
func (s *refs) sort(first int) {
	s.close()
	slices.SortStableFunc(s.list[first:], func(a, b kept) int { return a.Start - b.Start })
}
