package extract

import "absolink/extract/internal/markup"

// Most start tags of a page have the names of one before, and their references differ
// from those there in nothing but place and value. What was found in the last tag with
// some names is noted, so that nothing has to be looked up for the next one.

// sameTag is what was found in a start tag.
type sameTag struct {
	text  uint32 // finder.texts when it was noted: that of another text is none
	late  int    // number of the innermost layer
	names tagNames
	uses  [maxSame]use
	rel   string
}

// tagNames are the name of a start tag and those of its attributes, as nameWord has them.
type tagNames [1 + maxSame]uint64

const (
	maxSame      = 4 // attributes of a tag that is noted
	longestSame  = 8 // bytes of a name
	sameTagsBits = 6 // of the number of tags that are noted
)

// use is what an attribute is to the finder.
type use struct {
	kind  useKind
	shape uint32 // of the reference
}

type useKind uint8

const (
	useNothing useKind = iota
	useURL             // it is a reference
	useRel             // its value has to be the same
	useCSS             // it is nothing if it has no URL
	useNames           // the same, for lists of names
)

// same keeps the references of the start tag that was scanned if one with the same
// names was noted, and reports whether that could be done.
func (f *finder) same() bool {
	names, at, ok := f.tagNames()
	m := &f.sames[at]
	if !ok || m.text != f.texts || m.late != f.late || m.names != names {
		return false
	}
	s := &f.scan
	for i := range s.Attrs {
		if !f.harmless(&s.Attrs[i], m.uses[i].kind, m.rel) {
			return false
		}
	}
	for i := range s.Attrs {
		if u := m.uses[i]; u.kind == useURL {
			a := &s.Attrs[i]
			f.doc.refs.appendPlain(Span{a.Start, a.End}, u.shape)
		}
	}
	return true
}

// tagNames returns the names in the start tag that was scanned and where a tag with
// these is noted; ok is false if none is, since it is not as simple as most.
func (f *finder) tagNames() (names tagNames, at uint64, ok bool) {
	const odd = 0x9e3779b97f4a7c15
	s := &f.scan
	if !s.Plain || len(s.Attrs) > maxSame || s.NameEnd-s.NameStart > longestSame {
		return names, 0, false
	}
	names[0] = nameWord(f.data, s.NameStart, s.NameEnd)
	at = names[0] * odd
	for i := range s.Attrs {
		a := &s.Attrs[i]
		if a.Quote != '"' || a.NameEnd-a.NameStart > longestSame {
			return names, 0, false
		}
		w := nameWord(f.data, a.NameStart, a.NameEnd)
		names[1+i] = w
		at = (at ^ w) * odd
	}
	return names, at >> (64 - sameTagsBits), true
}

// harmless reports whether an attribute is as it was in the tag that was noted, but for
// the value of what is nothing, or a URL.
func (f *finder) harmless(a *markup.Attr, k useKind, rel string) bool {
	switch raw := f.data[a.Start:a.End]; k {
	case useRel:
		return string(raw) == rel
	case useCSS:
		return !maybeCSS(raw)
	case useNames:
		return !maybeURI(raw)
	}
	return true
}

// noteTag notes what was found in the start tag that was scanned, whose row and numbers
// are known, if another one can have the same.
func (f *finder) noteTag() {
	names, at, ok := f.tagNames()
	if !ok {
		return
	}
	m := sameTag{text: f.texts, late: f.late, names: names, rel: f.rel}
	for i, id := range f.ids {
		if m.uses[i], ok = f.use(&f.scan.Attrs[i], id); !ok {
			return
		}
	}
	f.sames[at] = m
}

// use returns what an attribute of a number was found to be; ok is false if the one of
// another tag can be something else.
func (f *finder) use(a *markup.Attr, id uint8) (u use, ok bool) {
	n := f.row[id]
	if n == 0 {
		return use{}, true
	}
	p := f.table.always[n]
	switch {
	case p == nil:
		return use{}, false
	case p.Type == TypeCSS:
		u.kind = useCSS
	case id == attrRel:
		u.kind = useRel
	case p.Type == TypeNames:
		u.kind = useNames
	default:
		q := f.repeat(id)
		u = use{useURL, q.shape}
		return u, q.row == p && q.text == f.texts && f.fits(&f.doc.refs.shapes[q.shape], a)
	}
	return u, f.harmless(a, u.kind, f.rel) && !(id == attrRel && maybeURI(f.data[a.Start:a.End]))
}
