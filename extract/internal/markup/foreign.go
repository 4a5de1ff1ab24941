package markup

// Inside svg and math the state of the tree builder decides how bytes are cut (13.2.6.5). A title
// there is an ordinary element, "/>" closes an element, "<![CDATA[" begins text, and a div ends the
// foreign content. The scanner keeps a stack of the elements that are open from the outermost svg
// or math inwards; outside of them the stack is empty. The stack also has the HTML elements inside
// an integration point (foreignObject, desc, mtext …). A foreign end tag is ignored while one of
// them is open (inside.go, endtag.go, formatting.go). The elements around the outermost svg or math
// are unknown. If a tag depends on them, the scanner switches to a stack of all elements
// (whole.go).

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
	annotation       // annotation-xml that is not an integration point: svg in it is SVG
)

// maxDepth is the maximum length of the stack. Deeper elements are only counted.
const maxDepth = 512

// ForeignDepth returns the number of open elements from the outermost svg or math inwards,
// including this one.
func (s *Scanner) ForeignDepth() int {
	for i := range s.stack {
		if s.stack[i].space != HTML {
			return len(s.stack) - i + s.deeper
		}
	}
	return 0
}

// foreign reports whether the current node is outside the HTML namespace.
func (s *Scanner) foreign() bool {
	return len(s.stack) > 0 && s.stack[len(s.stack)-1].space != HTML
}

// htmlRules reports whether a start tag with that name follows the rules of HTML content at this
// position (13.2.6, "tree construction dispatcher").
func (s *Scanner) htmlRules(name []byte) bool {
	top := s.stack[len(s.stack)-1]
	switch {
	case top.space == HTML, top.point == htmlPoint:
		return true
	case top.point == textPoint:
		return string(name) != "mglyph" && string(name) != "malignmark"
	case top.point == annotation:
		return string(name) == "svg"
	}
	return false
}

// breaksOut reports whether a start tag with that name ends foreign content.
func (s *Scanner) breaksOut(name []byte) bool {
	switch string(name) {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr",
		"ol", "p", "pre", "ruby", "s", "small", "span", "strong",
		"strike", "sub", "sup", "table", "tt", "u", "ul", "var":
		return true
	case "font":
		return s.hasAttribute("color") || s.hasAttribute("face") || s.hasAttribute("size")
	}
	return false
}

func (s *Scanner) hasAttribute(name string) bool {
	_, ok := s.attribute(name)
	return ok
}

// breakOut closes elements up to an integration point or an HTML element.
func (s *Scanner) breakOut() {
	s.deeper = 0
	for i := len(s.stack) - 1; i >= 0; i-- {
		if e := s.stack[i]; e.space == HTML || e.point == htmlPoint || e.point == textPoint {
			s.stack = s.stack[:i+1]
			return
		}
	}
	s.stack = s.stack[:0]
}

// openForeign applies the rules of foreign content to a start tag.
func (s *Scanner) openForeign(name []byte) {
	s.Space = s.stack[len(s.stack)-1].space
	s.push(name, s.Space)
}

// push puts the start tag that was just read on the stack, unless it closes itself.
func (s *Scanner) push(name []byte, space Space) {
	if s.SelfClosing && space != HTML {
		return
	}
	e := element{name: s.data[s.NameStart:s.NameEnd], start: s.NameStart, space: space, point: s.pointOf(name, space)}
	e.limits = limitsOf(string(name))
	if space != HTML {
		e.limits = e.point.limits()
	}
	s.put(e)
}

// put puts an element on the stack, if there is room.
func (s *Scanner) put(e element) {
	if len(s.stack) == maxDepth {
		s.deeper++
		return
	}
	s.stack = append(s.stack, e)
	if e.limits&marker != 0 {
		s.formatting = append(s.formatting, format{})
	}
}

// pointOf returns the kind of integration point of an element.
func (s *Scanner) pointOf(name []byte, space Space) point {
	switch space {
	case SVG:
		switch string(name) {
		case "foreignobject", "desc", "title":
			return htmlPoint
		}
	case MathML:
		switch string(name) {
		case "mi", "mo", "mn", "ms", "mtext":
			return textPoint
		case "annotation-xml":
			return s.annotationPoint()
		}
	}
	return noPoint
}

func (s *Scanner) annotationPoint() point {
	value, _ := s.attribute("encoding")
	decoded := AppendUnescaped(nil, value, true)
	if is(decoded, "text/html") || is(decoded, "application/xhtml+xml") {
		return htmlPoint
	}
	return annotation
}
