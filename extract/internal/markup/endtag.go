package markup

// End tags of foreign content (13.2.6.5), and of HTML content if the stack is kept (13.2.6.4.7 and
// .9–.15).

// closeElement applies an end tag if the stack is kept. folded is the name in lower case, or "" if
// it is longer than all names of the standard.
func (s *Scanner) closeElement(name []byte, folded string) {
	switch {
	case s.deeper > 0:
		s.deeper--
		return
	case !s.foreign():
	case folded == "br" || folded == "p":
		s.breakOut()
		if len(s.stack) == 0 && !s.whole {
			return
		}
	default:
		for i := len(s.stack) - 1; i >= 0 && s.stack[i].space != HTML; i-- {
			if same(s.stack[i].name, name) {
				s.cut(i)
				return
			}
		}
	}
	s.closeHTML(name, folded)
}

// closeHTML applies an end tag by the rules of HTML content.
func (s *Scanner) closeHTML(name []byte, folded string) {
	switch folded {
	case "body", "head", "html":
		s.body = s.body || len(s.stack) == 0
	case "br":
		s.begin(folded)
		s.reconstruct()
	case "template":
		s.closeTemplate()
	case "form":
		s.closeForm()
	case "table":
		if !s.closeIn(folded, tableScope) {
			s.closeParts()
		}
	case "caption", "tbody", "td", "tfoot", "th", "thead", "tr":
		s.closeIn(folded, tableScope)
	case "li":
		s.closeIn(folded, listScope)
	case "p":
		s.closeIn(folded, buttonScope)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if i := s.search(scope, func(e *element) bool { return isHeading(e.name) }); i >= 0 {
			s.cut(i)
		}
	case "address", "applet", "article", "aside", "blockquote", "button",
		"center", "dd", "details", "dialog", "dir", "div", "dl",
		"dt", "fieldset", "figcaption", "figure", "footer", "header",
		"hgroup", "listing", "main", "marquee", "menu", "nav", "object",
		"ol", "pre", "search", "section", "select", "summary", "ul":
		s.closeIn(folded, scope)
	default:
		if isFormatting(folded) {
			s.adopt(name)
		} else {
			s.closeOther(name)
		}
	}
}

// closeParts applies the end tag of a table between parts of a table that are directly in a
// template. It closes these parts, but stops at a cell (13.2.6.4.11, .13 and .14).
func (s *Scanner) closeParts() {
	for {
		i := s.search(tableScope, func(e *element) bool { return isTablePart(e.name) })
		if i < 0 || is(s.stack[i].name, "td") || is(s.stack[i].name, "th") {
			return
		}
		s.cut(i)
	}
}

// closeTemplate closes the innermost open template and all elements in it.
func (s *Scanner) closeTemplate() {
	if s.templates == 0 {
		return
	}
	s.templates--
	s.closeIn("template", 0)
}

// closeForm removes only the innermost form from the stack, after elements with implied end tags.
// An svg or math that is open in the form stays open. In a template, closeForm closes the form and
// all elements in it.
func (s *Scanner) closeForm() {
	switch {
	case s.templates > 0:
		s.closeIn("form", scope)
		return
	case s.whole && !s.form:
		return
	}
	s.form = false
	i := s.find("form", scope)
	s.unsure = false
	if i < 0 { // a form around the stack changes nothing on the stack
		return
	}
	for s.closeTop(isImplied) {
	}
	s.cutOne(i)
}
