package markup

import "slices"

// The tree builder has a stack of open elements. The scanner keeps the elements from the outermost
// svg or math inwards, with the HTML elements inside an integration point (foreignObject, desc,
// mtext …). Outside of svg and math the stack is empty. The elements around the outermost svg or
// math are unknown. If a tag depends on them, the scanner switches to a stack of all elements
// (whole.go). The list of active formatting elements covers the same part of the document as the
// stack.

// tree is the state of the tree builder at the offset of the scanner.
type tree struct {
	templates, noscripts int
	frameset             bool
	noFrameset           bool // a frameset can no longer replace the body

	stack      []element // open elements from the outermost svg or math inwards; all open elements if whole
	deeper     int       // number of open elements beyond the stack
	formatting []format  // active formatting elements in the part of the document that the stack covers
	whole      bool      // all elements are kept (whole.go)
	body       bool      // the head has ended; known only if whole
	form       bool      // a form is open, so another form is ignored; known only if whole
	unsure     bool      // a search ended at the elements around the stack, which are unknown
}

// Space is the namespace of an element.
type Space uint8

const (
	HTML Space = iota
	SVG
	MathML
)

// element is an open element.
type element struct {
	name   []byte // as written; in lower case if the element is implied
	start  int    // start of its name; elements that are reconstructed share it
	space  Space
	point  point
	limits limits
}

// is reports whether e is an HTML element with that name, in any case.
func (e *element) is(name []byte) bool { return e.space == HTML && same(e.name, name) }

// point is the kind of integration point of a foreign element. It decides whether start tags inside
// follow the rules of HTML content.
type point uint8

const (
	noPoint    point = iota
	htmlPoint        // HTML integration point
	textPoint        // MathML text integration point
	annotation       // annotation-xml that is not an integration point; in it, only an svg start tag is read as in HTML
)

// format is an active formatting element. A format without a name is a marker.
type format struct {
	element element
	tag     []byte // its start tag, from the name on
	open    bool   // it is on the stack
}

// maxDepth is the maximum length of the stack. Deeper elements are only counted.
const maxDepth = 512

// foreign reports whether the current node is outside the HTML namespace.
func (t *tree) foreign() bool {
	return len(t.stack) > 0 && t.stack[len(t.stack)-1].space != HTML
}

// put puts an element on the stack, if there is room.
func (t *tree) put(e element) {
	if len(t.stack) == maxDepth {
		t.deeper++
		return
	}
	t.stack = append(t.stack, e)
	if e.limits&marker != 0 {
		t.formatting = append(t.formatting, format{})
	}
}

// indexOf returns the index of e on the stack, or -1 if it is not open.
func (t *tree) indexOf(e *element) int {
	for i := len(t.stack) - 1; i >= 0; i-- {
		if t.stack[i].start == e.start && t.stack[i].space == HTML {
			return i
		}
	}
	return -1
}

// find searches the stack from the innermost element outwards, up to an element with limit. It
// returns the index of the first HTML element with a name, or -1. If only the elements around the
// stack could decide, it sets t.unsure.
func (t *tree) find(name string, limit limits) int {
	return t.search(limit, func(e *element) bool { return e.is([]byte(name)) })
}

// search does the work of find for elements that match.
func (t *tree) search(limit limits, match func(*element) bool) int {
	for i := len(t.stack) - 1; i >= 0; i-- {
		e := &t.stack[i]
		if e.space == HTML && match(e) {
			return i
		}
		if e.limits&limit != 0 {
			return -1
		}
	}
	t.unsure = !t.whole
	return -1
}

// closeIn closes the element that find returns, and all elements in it. It reports whether there is
// such an element.
func (t *tree) closeIn(name string, limit limits) bool {
	i := t.find(name, limit)
	if i >= 0 {
		t.cut(i)
	}
	return i >= 0
}

// closeTop closes the current node if it is an HTML element with such a name, and returns whether
// it did.
func (t *tree) closeTop(such func(name []byte) bool) bool {
	n := len(t.stack) - 1
	if n < 0 || t.stack[n].space != HTML || !such(t.stack[n].name) {
		return false
	}
	t.cut(n)
	return true
}

// closeOther applies "any other end tag". The search for the element ends at a special element.
func (t *tree) closeOther(name []byte) {
	if i := t.search(special, func(e *element) bool { return e.is(name) }); i >= 0 {
		t.cut(i)
	}
}

// cut closes the elements of the stack from i on.
func (t *tree) cut(i int) {
	var all limits
	near := len(t.formatting) - 1
	for n := len(t.stack) - 1; n >= i; n-- {
		all |= t.stack[n].limits
		near = t.closed(&t.stack[n], near)
	}
	t.stack = t.stack[:i]
	if all&marker != 0 {
		t.clearFormatting()
	}
}

// cutOne closes only element i of the stack.
func (t *tree) cutOne(i int) {
	t.closed(&t.stack[i], len(t.formatting)-1)
	t.stack = slices.Delete(t.stack, i, i+1)
}

// closed notes that e is no longer on the stack. It searches for e in the active formatting
// elements, from the index near downwards. It returns the index at which the search for the element
// around e should begin.
func (t *tree) closed(e *element, near int) int {
	if e.limits&formatting == 0 {
		return near
	}
	for n := len(t.formatting); n > 0; n-- {
		if near < 0 {
			near = len(t.formatting) - 1
		}
		f := &t.formatting[near]
		near--
		if f.element.name != nil && f.element.start == e.start {
			f.open = false
			break
		}
	}
	return near
}

// clearFormatting removes all elements up to the last marker, and this marker.
func (t *tree) clearFormatting() {
	for n := len(t.formatting) - 1; n >= 0; n-- {
		t.formatting = t.formatting[:n]
		if t.formatting[:n+1][n].element.name == nil {
			return
		}
	}
}
