package markup

// HTML content inside an integration point: a rough tree builder for the upper
// part of the stack.

// openInside puts an HTML element on the stack that stands inside an
// integration point.
func (s *Scanner) openInside(name string) {
	switch name {
	case "html", "head", "body", "frame", "frameset": // are ignored
		return
	case "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr":
		s.openTablePart()
		return
	case "li":
		s.closeNearest("li")
	case "dd", "dt":
		s.closeNearest("dd")
		s.closeNearest("dt")
	case "option", "a", "nobr", "button":
		s.closeNearest(name)
	case "input":
		s.closeNearest("select")
	case "select":
		if s.closeNearest("select") {
			return
		}
	case "form":
		if s.templates == 0 && s.formOpen() {
			return
		}
	}
	if closesP(name) {
		s.closeNearest("p")
	}
	if !isVoid(name) {
		s.push([]byte(name), HTML)
	}
}

// formOpen reports whether a form is open, in which another one is ignored.
func (s *Scanner) formOpen() bool {
	for i := range s.stack {
		if s.stack[i].space == HTML && s.named(i, []byte("form")) {
			return true
		}
	}
	return s.openOutside([]byte("form"))
}

// openTablePart applies the start tag of a part of a table, which closes all up
// to the nearest table, through integration points, and is ignored where none
// is open.
func (s *Scanner) openTablePart() {
	for i := len(s.stack) - 1; i >= 0; i-- {
		if s.stack[i].space != HTML {
			continue
		}
		if s.named(i, []byte("table")) {
			s.guessed = s.guessed || i+1 < len(s.stack)
			s.stack = s.stack[:i+1]
			return
		}
		if s.named(i, []byte("template")) {
			return
		}
	}
	if s.openOutside([]byte("table")) {
		s.stack = s.stack[:0]
	}
}

// isVoid reports whether the HTML element has no content.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input",
		"keygen", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// closesP reports whether the start tag ends an open p.
func closesP(name string) bool {
	switch name {
	case "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "fieldset",
		"figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol", "p", "search", "section",
		"summary", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "listing", "form", "li", "dd", "dt", "plaintext",
		"table", "hr", "xmp":
		return true
	}
	return false
}

// formatting reports whether an end tag of that name takes its element out of
// the middle of the stack (13.2.6.4.7, "adoption agency algorithm").
func formatting(name string) bool {
	switch name {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// inTable reports whether an end tag of that name looks for its element through
// integration points, as those of tables do.
func inTable(name string) bool {
	switch name {
	case "caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr":
		return true
	}
	return false
}

// closeNearest closes the nearest open HTML element of that name, if nothing
// but HTML elements stands above it. It reports whether there was one.
func (s *Scanner) closeNearest(name string) bool {
	for i := len(s.stack) - 1; i >= 0 && s.stack[i].space == HTML; i-- {
		if s.named(i, []byte(name)) {
			s.stack = s.stack[:i]
			s.guessed = true
			return true
		}
	}
	return false
}

// closeHTML applies an end tag by the rules of HTML content, with the stack
// from i downwards in view.
func (s *Scanner) closeHTML(i int, name []byte, folded string) {
	if folded == "template" {
		s.closeTemplate(name)
		return
	}
	blocked := false // a special element stands above
	for ; i >= 0 && s.stack[i].space == HTML; i-- {
		if s.named(i, name) {
			s.closeAt(i, blocked && formatting(folded) || folded == "form" && s.keepsForm())
			return
		}
		s.guessed = true
		var w word
		open := string(w.fold(s.data[s.stack[i].start:s.stack[i].end]))
		if stops(open, folded) {
			return
		}
		blocked = blocked || isSpecial(open)
	}
	if i >= 0 && inTable(folded) {
		s.closeOutside(i+1, name, folded)
	}
}

// closeAt closes element i of the stack: it alone, or all above it too.
func (s *Scanner) closeAt(i int, alone bool) {
	if alone {
		s.stack = append(s.stack[:i], s.stack[i+1:]...)
		return
	}
	s.stack = s.stack[:i]
}

// stops reports whether an end tag of the name end does not reach elements
// below an open element: special ones end the search of "any other end tag",
// and a few are the limit of every scope.
func stops(open, end string) bool {
	switch open {
	case "applet", "marquee", "object", "table", "template":
		return true
	}
	return isSpecial(open) && !isSpecial(end) && !formatting(end)
}

// isSpecial reports whether the HTML element is in the category "special" (13.2.4.2).
func isSpecial(name string) bool {
	switch name {
	case "address", "applet", "area", "article", "aside", "base", "basefont", "bgsound", "blockquote", "body", "br", "button",
		"caption", "center", "col", "colgroup", "dd", "details", "dir", "div", "dl", "dt", "embed", "fieldset", "figcaption",
		"figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
		"html", "iframe", "img", "input", "keygen", "li", "link", "listing", "main", "marquee", "menu", "meta", "nav", "noembed",
		"noframes", "noscript", "object", "ol", "p", "param", "plaintext", "pre", "script", "search", "section", "select",
		"source", "style", "summary", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "title", "tr",
		"track", "ul", "wbr", "xmp":
		return true
	}
	return false
}

// closeTemplate closes the nearest open template with all that is in it.
func (s *Scanner) closeTemplate(name []byte) {
	if s.templates == 0 {
		return
	}
	s.templates--
	for i := len(s.stack) - 1; i >= 0; i-- {
		if s.stack[i].space == HTML && s.named(i, name) {
			s.stack = s.stack[:i]
			return
		}
	}
	s.stack = s.stack[:0]
}

// closeOutside applies an end tag that names nothing on the stack: it closes
// the outermost svg or math where an element of its name is open around that,
// and no integration point is in between.
func (s *Scanner) closeOutside(n int, name []byte, folded string) {
	switch folded {
	case "template":
		s.closeTemplate(name)
		return
	case "body", "html", "head":
		return
	case "form":
		if s.keepsForm() {
			return
		}
	}
	if !s.stopped(0, n, folded) && s.openOutside(name) {
		s.stack = s.stack[:0]
	}
}

// keepsForm reports whether the end tag of a form takes the form alone off the stack,
// and leaves the svg or math that is open in it (13.2.6.4.7).
func (s *Scanner) keepsForm() bool { return s.templates == 0 && s.foreign() }

// stopped reports whether an integration point among the elements from i up to
// n of the stack is the limit of the scope of an end tag.
func (s *Scanner) stopped(i, n int, folded string) bool {
	if inTable(folded) || folded == "template" {
		return false
	}
	for _, e := range s.stack[i:n] {
		if e.point != noPoint {
			return true
		}
	}
	return false
}
