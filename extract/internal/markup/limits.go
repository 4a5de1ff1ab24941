package markup

import "slices"

// limits mark the elements at which a search on the stack ends. An end tag, or a start tag that
// implies one, searches for its element only up to such a limit (13.2.4.2).
type limits uint16

const (
	special      limits = 1 << iota // "any other end tag", and the items of lists
	scope                           // "has an element in scope"
	listScope                       // … in list item scope
	buttonScope                     // … in button scope
	tableScope                      // … in table scope
	marker                          // formatting elements around it do not continue inside
	formatting                      // it is a formatting element
	tableContent                    // a template that began with a part of a table
	groupContent                    // a template that began with a row
	rowContent                      // a template that began with a cell
	bodyContent                     // a template that began with another element: parts of tables are ignored
)

// partContent marks the templates that contain only parts of a table.
const partContent = tableContent | groupContent | rowContent

// limitsOf returns the limits of an HTML element, by its folded name.
func limitsOf(name string) limits {
	switch name {
	case "applet", "caption", "marquee", "object", "td", "th":
		return special | scope | listScope | buttonScope | marker
	case "select":
		return special | scope | listScope | buttonScope
	case "table":
		return special | scope | listScope | buttonScope | tableScope
	case "template":
		return special | scope | listScope | buttonScope | tableScope | marker
	case "button":
		return special | buttonScope
	case "ol", "ul":
		return special | listScope
	}
	switch {
	case isSpecial(name):
		return special
	case isFormatting(name):
		return formatting
	}
	return 0
}

// limits returns the limits of an element outside the HTML namespace.
func (p point) limits() limits {
	if p == noPoint {
		return 0
	}
	return special | scope | listScope | buttonScope
}

// find returns the index of the innermost HTML element with a name that no limit hides, or -1. If
// only the elements around the stack could decide, it makes s unsure.
func (s *Scanner) find(name string, limit limits) int {
	return s.search(limit, func(e *element) bool { return e.is([]byte(name)) })
}

// search is find for elements that match.
func (s *Scanner) search(limit limits, match func(*element) bool) int {
	for i := len(s.stack) - 1; i >= 0; i-- {
		e := &s.stack[i]
		if e.space == HTML && match(e) {
			return i
		}
		if e.limits&limit != 0 {
			return -1
		}
	}
	s.unsure = !s.whole
	return -1
}

// closeIn closes the innermost element with a name that no limit hides, and all elements in it. It
// reports whether there is such an element.
func (s *Scanner) closeIn(name string, limit limits) bool {
	i := s.find(name, limit)
	if i >= 0 {
		s.cut(i)
	}
	return i >= 0
}

// cut closes the elements of the stack from i on.
func (s *Scanner) cut(i int) {
	var all limits
	near := len(s.formatting) - 1
	for n := len(s.stack) - 1; n >= i; n-- {
		all |= s.stack[n].limits
		near = s.closed(&s.stack[n], near)
	}
	s.stack = s.stack[:i]
	if all&marker != 0 {
		s.clearFormatting()
	}
}

// cutOne closes only element i of the stack.
func (s *Scanner) cutOne(i int) {
	s.closed(&s.stack[i], len(s.formatting)-1)
	s.stack = slices.Delete(s.stack, i, i+1)
}

// isSpecial reports whether the HTML element is in the category "special" (13.2.4.2).
func isSpecial(name string) bool {
	switch name {
	case "address", "applet", "area", "article", "aside", "base",
		"basefont", "bgsound", "blockquote", "body", "br", "button",
		"caption", "center", "col", "colgroup", "dd", "details", "dir",
		"div", "dl", "dt", "embed", "fieldset", "figcaption",
		"figure", "footer", "form", "frame", "frameset", "h1", "h2",
		"h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
		"html", "iframe", "img", "input", "keygen", "li", "link",
		"listing", "main", "marquee", "menu", "meta", "nav", "noembed",
		"noframes", "noscript", "object", "ol", "p", "param",
		"plaintext", "pre", "script", "search", "section", "select",
		"source", "style", "summary", "table", "tbody", "td", "template",
		"textarea", "tfoot", "th", "thead", "title", "tr",
		"track", "ul", "wbr", "xmp":
		return true
	}
	return false
}
