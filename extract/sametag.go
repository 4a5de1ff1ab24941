package extract

import "absolink/extract/internal/markup"

// Most start tags of a page have the names of one before, and their references differ
// from those there in nothing but place and value. What was found in the last tag with
// some names is noted, so that nothing has to be looked up for the next one.

// sameTag is what was found in a start tag.
type sameTag struct {
	text uint32 // finder.texts when it was noted: that of another text is none
	n    int    // number of attributes
	name uint64 // as nameWord has it
	uses [maxSame]use
	rel  string
}

const (
	maxSame      = 4 // attributes of a tag that is noted
	longestSame  = 8 // bytes of a name
	sameTagsBits = 6 // of the number of tags that are noted
)

// use is what an attribute is to the finder.
type use struct {
	name   uint64 // as nameWord has it
	length int    // of the name
	kind   useKind
	shape  uint32 // of the reference
}

type useKind uint8

const (
	useNothing useKind = iota
	useURL             // it is a reference
	useRel             // its value has to be the same
	useCSS             // it is nothing if it has no URL
	useNames           // the same, for lists of names
)

// Pass keeps the references of a start tag if one with the same names was noted, and
// reports whether that could be done.
func (f *finder) Pass(t *markup.SimpleTag) bool {
	attrs := t.Attrs()
	if len(attrs) > maxSame || t.NameEnd-t.NameStart > longestSame {
		return false
	}
	f.simpleTag = t
	name := nameWord(f.data, t.NameStart, t.NameEnd)
	m := f.sameSlot(name, attrs)
	if m.text != f.texts || m.name != name || m.n != len(attrs) {
		return false
	}
	refs := &f.doc.refs
	refs.close()
	list := refs.list
	for i := range attrs {
		a, u := &attrs[i], &m.uses[i]
		start, end, ok := a.Value(f.data)
		if !ok || a.NameEnd-a.NameStart != u.length || nameWord(f.data, a.NameStart, a.NameEnd) != u.name {
			return false
		}
		switch raw := f.data[start:end]; {
		case u.kind == useURL:
			k := kept{Span{start, end}, u.shape, 0}
			if !t.Plain() {
				v, ok := f.unescapedURL(raw)
				if !ok {
					return false
				}
				k.value = refs.keep(k.Span, v)
			}
			list = append(list, k)
		case !u.kind.harmless(raw, m.rel):
			return false
		}
	}
	refs.list, f.simpleTag = list, nil
	return true
}

// sameSlot returns where a tag is noted, by its name and what is quickly seen of its
// attributes.
func (f *finder) sameSlot(name uint64, attrs []markup.SimpleAttr) *sameTag {
	const odd = 0x9e3779b97f4a7c15
	if n := len(attrs); n > 0 {
		first, last := &attrs[0], &attrs[n-1]
		name += uint64(first.NameEnd-first.NameStart)<<56 + uint64(f.data[first.NameStart])<<48
		name += uint64(last.NameEnd-last.NameStart)<<40 + uint64(f.data[last.NameStart])<<32 + uint64(n)<<24
	}
	return &f.sames[name*odd>>(64-sameTagsBits)]
}

// harmless reports whether an attribute is as it was in the tag that was noted, but for
// the value of what is nothing.
func (k useKind) harmless(value []byte, rel string) bool {
	switch k {
	case useRel:
		return string(value) == rel && markup.PlainLength(value) == len(value)
	case useCSS:
		return !maybeCSS(value)
	case useNames:
		return !maybeURI(value)
	}
	return true
}

// noteTag notes what was found in the start tag that was scanned, whose row and numbers
// are known, if another one can have the same.
func (f *finder) noteTag() {
	t := f.simpleTag
	f.simpleTag = nil
	if t == nil || f.choosy() {
		return
	}
	m := sameTag{text: f.texts, n: len(f.ids), name: nameWord(f.data, t.NameStart, t.NameEnd), rel: f.rel}
	for i, id := range f.ids {
		var ok bool
		if m.uses[i], ok = f.use(&f.scan.Attrs[i], id); !ok {
			return
		}
	}
	*f.sameSlot(m.name, t.Attrs()) = m
}

// choosy reports whether it depends on values what an attribute of the tag being read is.
func (f *finder) choosy() bool {
	for _, id := range f.ids {
		if n := f.row[id]; n > 0 && f.table.always[n] == nil {
			return true
		}
	}
	return false
}

// use returns what an attribute of a number was found to be; ok is false if the one of
// another tag can be something else.
func (f *finder) use(a *markup.Attr, id uint8) (u use, ok bool) {
	u.name, u.length = nameWord(f.data, a.NameStart, a.NameEnd), a.NameEnd-a.NameStart
	if u.length > longestSame {
		return use{}, false
	}
	n := f.row[id]
	if n == 0 {
		return u, true
	}
	p := f.table.always[n]
	switch {
	case p.Type == TypeCSS:
		u.kind = useCSS
	case id == attrRel:
		u.kind = useRel
	case p.Type == TypeNames:
		u.kind = useNames
	default:
		q := f.repeat(id)
		u.kind, u.shape = useURL, q.shape
		return u, q.row == p && q.text == f.texts && f.fits(&f.doc.refs.shapes[q.shape], a)
	}
	return u, id != attrRel || !maybeURI(f.data[a.Start:a.End])
}
