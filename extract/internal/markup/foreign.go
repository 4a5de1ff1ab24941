package markup

// Inside svg and math the tree builder's state decides how bytes are cut: a
// title there is an element like any other, "/>" closes, "<![CDATA[" is text,
// and a div ends it all (13.2.6.5). The scanner keeps a stack of the elements
// that are open from the outermost svg or math inwards, and none outside. HTML
// elements that stand inside an integration point (foreignObject, desc, mtext
// …) are on it too, because a foreign end tag is ignored while one of them is
// open.
//
// The rules of HTML content on that part of the stack are simplified:
// formatting elements are not reconstructed, and parts of tables are left out,
// since the table around them is on the stack. What is open around the
// outermost svg or math is unknown; where that matters the input before it is
// read once more (openOutside).

// element is an open element.
type element struct {
	start, end int // its name
	space      Space
	point      point
}

// point says whether start tags inside a foreign element follow the rules of
// HTML content.
type point uint8

const (
	noPoint    point = iota
	htmlPoint        // HTML integration point
	textPoint        // MathML text integration point
	annotation       // annotation-xml that is no integration point: svg in it is SVG
)

// maxDepth bounds the stack. Elements below it are counted, not kept.
const maxDepth = 512

// ForeignDepth returns how many elements are open from the outermost svg or math
// inwards, that one among them.
func (s *Scanner) ForeignDepth() int { return len(s.stack) + s.deeper }

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
		"ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var":
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
	if len(s.stack) == maxDepth {
		s.deeper++
		return
	}
	if len(s.stack) == 0 {
		s.outer = s.NameStart - 1
	}
	s.stack = append(s.stack, element{s.NameStart, s.NameEnd, space, s.pointOf(name, space)})
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

// closeForeign applies an end tag where the stack is not empty. folded is the
// name in lower case, "" where the standard knows none as long.
func (s *Scanner) closeForeign(name []byte, folded string) {
	top := len(s.stack) - 1
	switch {
	case s.deeper > 0:
		s.deeper--
		return
	case s.stack[top].space == HTML:
		s.closeHTML(top, name, folded)
		return
	case folded == "br" || folded == "p":
		s.breakOut()
		return
	}
	for i := top; i >= 0; i-- {
		if s.stack[i].space == HTML {
			if !s.stopped(i+1, len(s.stack), folded) {
				s.closeHTML(i, name, folded)
			}
			return
		}
		if s.named(i, name) {
			s.stack = s.stack[:i]
			return
		}
	}
	s.closeOutside(len(s.stack), name, folded)
}

// named reports whether element i of the stack has that name.
func (s *Scanner) named(i int, name []byte) bool {
	return same(s.data[s.stack[i].start:s.stack[i].end], name)
}
