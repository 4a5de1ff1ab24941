package markup

// The name of an element of the HTML namespace decides three things: its role for the scan, which
// searches on the stack of open elements (tree.go) end at it, and its categories in the standard.

// role is the effect of a start tag in the HTML namespace on the scan.
type role uint8

const (
	plain    role = iota
	rawText       // its content is text up to its end tag
	script        // the same by the rules of script data
	forever       // its content is text up to the end of the input
	svgRoot       // opens SVG content
	mathRoot      // opens MathML content
	template      // its content is not part of the document
	noscript      // its content is markup, but only without scripting
	frameset      // replaces the body
)

// roles are the elements with a role.
var roles = []string{
	"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext",
	"svg", "math", "template", "noscript", "frameset",
}

// roleOf returns the role of an element by its folded name.
func roleOf(name string) role {
	switch name {
	case "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes":
		return rawText
	case "script":
		return script
	case "plaintext":
		return forever
	case "svg":
		return svgRoot
	case "math":
		return mathRoot
	case "template":
		return template
	case "noscript":
		return noscript
	case "frameset":
		return frameset
	}
	return plain
}

// limits mark the elements at which a search on the stack ends. An end tag, or a start tag that
// implies one, searches for its element only up to such a limit (13.2.4.2). The bits from
// formatting on are no limits, but facts about an element.
type limits uint16

const (
	special      limits = 1 << iota // "any other end tag", and li, dd and dt, which close the item before them
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

// isFormatting reports whether the HTML element is in the category "formatting".
func isFormatting(name string) bool {
	switch name {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// reconstructs reports whether the start tag makes the tree builder reconstruct formatting elements
// before it.
func reconstructs(name string) bool {
	switch name {
	case "base", "basefont", "bgsound", "iframe", "link", "meta",
		"noembed", "noframes", "param", "rb", "rp", "rt", "rtc", "script",
		"source", "style", "template", "textarea", "title", "track":
		return false
	}
	return name == "xmp" || !closesP(name)
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

// isImplied reports whether "generate implied end tags" closes the element (13.2.6.3).
func isImplied(name []byte) bool {
	for _, n := range []string{"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"} {
		if is(name, n) {
			return true
		}
	}
	return false
}

func isHeading(name []byte) bool {
	return len(name) == 2 && lower(name[0]) == 'h' && '1' <= name[1] && name[1] <= '6'
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

func isTableBody(name []byte) bool {
	return is(name, "tbody") || is(name, "thead") || is(name, "tfoot")
}

func isRow(name []byte) bool { return is(name, "tr") }

func isTablePart(name []byte) bool {
	return isTableBody(name) || isRow(name) || is(name, "td") || is(name, "th") || is(name, "caption")
}

// inHead reports whether the element can precede the body.
func inHead(name string) bool {
	switch name {
	case "html", "head", "base", "basefont", "bgsound", "link", "meta",
		"title", "noscript", "noframes", "style", "script", "template":
		return true
	}
	return false
}

// keepsBody reports whether a frameset after the element is ignored.
func keepsBody(name string) bool {
	switch name {
	case "body", "pre", "listing", "li", "dd", "dt", "button", "applet", "marquee", "object", "table",
		"area", "br", "embed", "img", "image", "keygen", "wbr",
		"hr", "textarea", "xmp", "iframe", "select", "plaintext":
		return true
	}
	return false
}
