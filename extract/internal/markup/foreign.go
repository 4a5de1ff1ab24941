package markup

// Inside svg and math the tree builder's state decides how bytes are cut: a
// title there is an element like any other, "/>" closes, "<![CDATA[" is text,
// and a div ends it all (13.2.6.5). The scanner keeps a stack of the elements
// that are open from the outermost svg or math inwards, and none outside. HTML
// elements that stand inside an integration point (foreignObject, desc, mtext
// …) are on it too, because a foreign end tag is ignored while one of them is
// open (inside.go, endtag.go, formatting.go). What is open around the outermost svg or
// math is unknown; where a tag asks for it the scanner goes over to a stack of all
// elements (whole.go).

// element is an open element.
type element struct {
	name   []byte // as written; of one that is implied in lower case
	start  int    // where its name stands: elements that are made again share it
	space  Space
	point  point
	limits limits
}

// is reports whether e is an HTML element of that name, in any case.
func (e *element) is(name []byte) bool { return e.space == HTML && same(e.name, name) }

// point says whether start tags inside a foreign element follow the rules of
// HTML content.
type point uint8

const (
	noPoint    point = iota
	htmlPoint        // HTML integration point
	textPoint        // MathML text integration point
	annotation       // annotation-xml that is not an integration point: svg in it is SVG
)

// maxDepth bounds the stack. Elements below it are counted, not kept.
const maxDepth = 512

// ForeignDepth returns how many elements are open from the outermost svg or math
// inwards, that one among them.
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

// htmlRules reports whether a start tag of that name follows the rules of HTML
// content where it stands (13.2.6, "tree construction dispatcher").
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

// breaksOut reports whether a start tag of that name ends foreign content.
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

// push puts the start tag just read on the stack, unless it closes itself.
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

// pointOf says which kind of integration point an element is.
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
