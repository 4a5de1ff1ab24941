package markup

// Inside svg and math the state of the tree builder decides how bytes are cut (13.2.6.5). A title
// there is an ordinary element, "/>" closes an element, "<![CDATA[" begins text, and a div ends the
// foreign content. Inside an integration point the rules of HTML content apply again (inside.go). A
// foreign end tag is ignored while an HTML element of the integration point is open (endtag.go).

// ForeignDepth returns the number of open elements from the outermost svg or math inwards,
// including this svg or math.
func (s *Scanner) ForeignDepth() int {
	for i := range s.stack {
		if s.stack[i].space != HTML {
			return len(s.stack) - i + s.deeper
		}
	}
	return 0
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

// limits returns the limits of an element outside the HTML namespace.
func (p point) limits() limits {
	if p == noPoint {
		return 0
	}
	return special | scope | listScope | buttonScope
}
