package markup

// If a tag has several attributes of one name, only the first counts (13.2.5.33). Up to [few]
// attributes are compared with each other. Larger tags use a hash table over s.Attrs, so that a tag
// with a hundred thousand attributes costs no more per attribute than a small one.

const few = 12

// duplicate reports whether s.Attrs has an attribute with the same name as a. Call it for each
// attribute in turn, before a is appended.
func (s *Scanner) duplicate(a *Attr) bool {
	name := s.data[a.NameStart:a.NameEnd]
	if len(s.Attrs) < few {
		for i := range s.Attrs {
			b := &s.Attrs[i]
			if same(s.data[b.NameStart:b.NameEnd], name) {
				return true
			}
		}
		return false
	}
	if len(s.Attrs) == few || 2*len(s.Attrs) > len(s.seen) {
		s.rehash()
	}
	slot, found := s.lookup(name)
	if !found {
		s.seen[slot] = int32(len(s.Attrs) + 1)
	}
	return found
}

// rehash makes a table in s.seen with room for more attributes, and enters all attributes read so
// far. The table of each tag begins small, so that the work of a tag does not depend on other tags.
func (s *Scanner) rehash() {
	size := 64
	for size < 4*len(s.Attrs) {
		size *= 2
	}
	if size > cap(s.seen) {
		s.seen = make([]int32, size)
	} else {
		s.seen = s.seen[:size]
		clear(s.seen)
	}
	for i, b := range s.Attrs {
		slot, _ := s.lookup(s.data[b.NameStart:b.NameEnd])
		s.seen[slot] = int32(i + 1)
	}
}

// lookup finds the slot of the name, or the free slot where it belongs. A slot holds the index into
// s.Attrs plus one, or 0 if it is free.
func (s *Scanner) lookup(name []byte) (slot int, found bool) {
	mask := uint32(len(s.seen) - 1)
	for h := hash(name) & mask; ; h = (h + 1) & mask {
		n := s.seen[h]
		if n == 0 {
			return int(h), false
		}
		b := s.Attrs[n-1]
		if same(s.data[b.NameStart:b.NameEnd], name) {
			return int(h), true
		}
	}
}

// hash is FNV-1a over the folded name.
func hash(name []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range name {
		h = (h ^ uint32(lower(c))) * 16777619
	}
	return h ^ h>>15
}
