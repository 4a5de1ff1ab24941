package markup

import (
	"bytes"
	"slices"
)

// A formatting element that is closed before its end tag continues in the following content, where
// the tree builder reconstructs it (13.2.4.3). While such a reconstructed element is the innermost,
// an end tag of a foreign element around it is ignored. The end tag of a formatting element may
// close several elements (13.2.6.4.7, "adoption agency algorithm").

// maxFormatting is the maximum number of active formatting elements. Further ones are not
// reconstructed.
const maxFormatting = 128

// text handles text between tokens. It reconstructs formatting elements before the text. Two kinds
// of text do not count: NULs alone, which are dropped, and white space between the parts of a
// table.
func (s *Scanner) text(text []byte) {
	if s.whole && !s.body && !blank(text) {
		s.begin("")
	}
	if n := len(s.stack); len(bytes.Trim(text, "\x00")) == 0 || n > 0 && !s.takesText(&s.stack[n-1], text) {
		return
	}
	s.reconstruct()
}

// takesText reports whether text in e follows the rules of HTML content.
func (s *Scanner) takesText(e *element, text []byte) bool {
	if e.space != HTML {
		return e.point == htmlPoint || e.point == textPoint
	}
	return len(bytes.Trim(text, "\x00\t\n\f\r ")) > 0 || !is(e.name, "table") && !isTableBody(e.name) && !isRow(e.name)
}

// reconstruct reopens the active formatting elements that were closed.
func (s *Scanner) reconstruct() {
	n := len(s.formatting)
	for n > 0 && s.formatting[n-1].element.name != nil && !s.formatting[n-1].open {
		n--
	}
	for ; n < len(s.formatting) && len(s.stack) < maxDepth; n++ {
		s.put(s.formatting[n].element)
		s.formatting[n].open = true
	}
}

// addFormatting makes the start tag that was just read an active formatting element. It keeps at
// most three equal elements.
func (s *Scanner) addFormatting() {
	e := element{name: s.data[s.NameStart:s.NameEnd], start: s.NameStart, limits: formatting}
	f := format{e, s.data[s.NameStart:s.pos], s.deeper == 0}
	equal, oldest := 0, 0
	for i := len(s.formatting) - 1; i >= 0 && s.formatting[i].element.name != nil; i-- {
		if bytes.Equal(s.formatting[i].tag, f.tag) {
			equal, oldest = equal+1, i
		}
	}
	if equal >= 3 {
		s.formatting = slices.Delete(s.formatting, oldest, oldest+1)
	}
	if len(s.formatting) < maxFormatting {
		s.formatting = append(s.formatting, f)
	}
}

// active searches the active formatting elements after the last marker. It returns the index of the
// last one that matches, or -1.
func (s *Scanner) active(match func(*element) bool) int {
	for i := len(s.formatting) - 1; i >= 0 && s.formatting[i].element.name != nil; i-- {
		if match(&s.formatting[i].element) {
			return i
		}
	}
	return -1
}

// closeLink closes an open a element before the start tag of another a.
func (s *Scanner) closeLink() {
	k := s.active(func(e *element) bool { return same(e.name, []byte("a")) })
	if k < 0 {
		return
	}
	link := s.formatting[k].element
	s.adopt([]byte("a"))
	s.forget(&link)
	if i := s.indexOf(&link); i >= 0 {
		s.cutOne(i)
	}
}

// forget removes e from the active formatting elements.
func (s *Scanner) forget(e *element) {
	s.formatting = slices.DeleteFunc(s.formatting,
		func(f format) bool { return f.element.name != nil && f.element.start == e.start })
}

// adopt applies the end tag of a formatting element.
func (s *Scanner) adopt(name []byte) {
	if n := len(s.stack) - 1; n >= 0 && s.stack[n].is(name) && s.activeAt(&s.stack[n]) < 0 {
		s.cut(n)
		return
	}
	for range 8 {
		k := s.active(func(e *element) bool { return same(e.name, name) })
		if k < 0 {
			s.closeOther(name)
			return
		}
		f := s.formatting[k]
		i := s.indexOf(&f.element)
		block := i
		for ; block >= 0 && block < len(s.stack) && (block == i || s.stack[block].limits&special == 0); block++ {
		}
		switch {
		case i < 0:
			s.forget(&f.element)
			return
		case slices.ContainsFunc(s.stack[i:], func(e element) bool { return e.limits&scope != 0 }):
			return
		case block == len(s.stack):
			s.cut(i)
			s.forget(&f.element)
			return
		}
		s.moveInto(f, i, block)
	}
}

// activeAt returns the index of e among the active formatting elements, or -1.
func (s *Scanner) activeAt(e *element) int {
	return s.active(func(x *element) bool { return x.start == e.start })
}

// moveInto moves the formatting element at index i of the stack into the element at index block, as
// its first element. It closes the elements between the two, except for up to three formatting
// elements.
func (s *Scanner) moveInto(f format, i, block int) {
	var inner *element // the innermost of these three elements
	for n, count := block-1, 1; n > i; n, count = n-1, count+1 {
		e := s.stack[n]
		if count <= 3 && s.activeAt(&e) >= 0 {
			if inner == nil {
				inner = &e
			}
			continue
		}
		s.forget(&e)
		s.stack = slices.Delete(s.stack, n, n+1)
		block--
	}
	copy(s.stack[i:block], s.stack[i+1:block+1])
	s.stack[block] = f.element
	if inner != nil {
		from, to := s.activeAt(&f.element), s.activeAt(inner)
		if from < to {
			copy(s.formatting[from:to], s.formatting[from+1:to+1])
			s.formatting[to] = f
		}
	}
}
