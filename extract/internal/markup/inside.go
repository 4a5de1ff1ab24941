package markup

// Start tags of HTML content if the stack is kept (13.2.6.4.7 and .9–.15): which open elements they
// close, and whether they open one. The innermost part of a table on the stack decides the
// insertion mode, as in "reset the insertion mode appropriately" (13.2.4.1). Elements such as
// colgroup are left out: an svg or math start tag closes them, so they are never around foreign
// content.

// openInside applies a start tag, by its folded name.
func (s *Scanner) openInside(name string) {
	if !s.opens(name) {
		return
	}
	if closesP(name) {
		s.closeIn("p", buttonScope)
	}
	if isHeading([]byte(name)) {
		s.closeTop(isHeading)
	}
	if reconstructs(name) {
		s.reconstruct()
	}
	if isVoid(name) {
		return
	}
	s.push([]byte(name), HTML)
	if isFormatting(name) {
		s.addFormatting()
	}
}

// opens applies the special rules for the start tag with a name. It returns whether the rules for
// other elements apply after that.
func (s *Scanner) opens(name string) bool {
	switch name {
	case "html", "head", "body", "frame", "frameset":
		return false
	case "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr":
		s.openTablePart(name)
		return false
	case "table":
		return s.openTable()
	case "form":
		return s.openForm()
	case "select":
		return !s.closeIn("select", scope)
	case "li":
		s.closeItem("li", "li")
	case "dd", "dt":
		s.closeItem("dd", "dt")
	case "button":
		s.closeIn(name, scope)
	case "input":
		s.closeIn("select", scope)
	case "option", "optgroup":
		s.closeTop(func(name []byte) bool { return is(name, "option") })
	case "a":
		s.closeLink()
	case "nobr":
		s.reconstruct()
		if s.find(name, scope) >= 0 {
			s.adopt([]byte(name))
		}
	}
	return true
}

// openForm returns whether the start tag opens a form on the stack. A form inside another form is
// ignored. A form between the parts of a table has no content.
func (s *Scanner) openForm() bool {
	switch {
	case s.templates > 0:
		return !s.betweenParts()
	case !s.whole:
		s.unsure = true
		return false
	case s.form:
		return false
	}
	s.form = true
	return s.inTable() < 0
}

// closeItem closes the list item that the start tag of the next item ends.
func (s *Scanner) closeItem(names ...string) {
	for i := len(s.stack) - 1; i >= 0; i-- {
		e := &s.stack[i]
		for _, name := range names {
			if e.is([]byte(name)) {
				s.cut(i)
				return
			}
		}
		if e.limits&special != 0 && !e.is([]byte("address")) && !e.is([]byte("div")) && !e.is([]byte("p")) {
			return
		}
	}
}

// openTable returns whether the start tag opens a table. A table between the parts of another table
// first ends the other table. It is ignored between parts of a table that are directly in a
// template.
func (s *Scanner) openTable() bool {
	if i := s.inTable(); i >= 0 {
		s.cut(i)
	}
	return !s.betweenParts()
}

// inTable returns the index of the table whose parts are the only allowed content here, or -1.
func (s *Scanner) inTable() int {
	i := s.search(0, func(e *element) bool {
		return e.limits&tableScope != 0 || e.is([]byte("td")) || e.is([]byte("th")) || e.is([]byte("caption"))
	})
	if i >= 0 && s.stack[i].is([]byte("table")) {
		return i
	}
	return -1
}

// betweenParts reports whether only parts of a table are allowed here: in a table, or in a template
// that begins with such a part.
func (s *Scanner) betweenParts() bool {
	i := s.search(0, func(e *element) bool { return e.limits&tableScope != 0 || isTablePart(e.name) })
	if i < 0 {
		return false
	}
	e := &s.stack[i]
	return e.is([]byte("table")) || e.is([]byte("template")) && e.limits&partContent != 0 ||
		isTableBody(e.name) || isRow(e.name)
}

// container returns the index of the innermost table or template, or -1.
func (s *Scanner) container() int {
	return s.search(0, func(e *element) bool { return e.limits&tableScope != 0 })
}

// openTablePart applies the start tag of a part of a table. It closes all elements up to the right
// place for the part, also through integration points. The tag is ignored if no table is open. The
// first element of a template decides which parts are allowed in it, and which parts they imply.
func (s *Scanner) openTablePart(name string) {
	i := s.container()
	if i < 0 || s.stack[i].limits&bodyContent != 0 {
		return
	}
	depth := i + 1
	content := s.stack[i].limits & partContent
	isCell := name == "td" || name == "th"
	if content == rowContent && !isCell || content == groupContent && !isCell && name != "tr" {
		if depth < len(s.stack) && s.stack[depth].space == HTML && isTablePart(s.stack[depth].name) {
			s.cut(depth)
		}
		return
	}
	if content <= tableContent && (isCell || name == "tr") {
		depth = s.part(depth, impliedBody, isTableBody)
	}
	if content <= groupContent && isCell {
		depth = s.part(depth, impliedRow, isRow)
	}
	s.cut(depth)
	if name == "col" || name == "colgroup" {
		return
	}
	s.push([]byte(name), HTML)
}

// beginContent is called for each start tag. If the innermost element is a template, and its kind
// of content is not known yet, the name of the tag may decide it (13.2.6.4.22).
func (s *Scanner) beginContent(name string) {
	n := len(s.stack) - 1
	if n < 0 || !s.stack[n].is([]byte("template")) || s.stack[n].limits&(partContent|bodyContent) != 0 {
		return
	}
	switch name {
	case "base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style", "template", "title":
	case "caption", "col", "colgroup", "tbody", "tfoot", "thead":
		s.stack[n].limits |= tableContent
	case "tr":
		s.stack[n].limits |= groupContent
	case "td", "th":
		s.stack[n].limits |= rowContent
	default:
		s.stack[n].limits |= bodyContent
	}
}

// part makes sure that stack[depth] is a part of a table whose name isWanted accepts. If not, part
// closes the elements from depth on, and opens the implied part. It returns the number of open
// elements up to this part, which is included.
func (s *Scanner) part(depth int, implied element, isWanted func([]byte) bool) int {
	if len(s.stack) > depth && s.stack[depth].space == HTML && isWanted(s.stack[depth].name) {
		return depth + 1
	}
	s.cut(depth)
	s.put(implied)
	return len(s.stack)
}

var (
	impliedBody = element{name: []byte("tbody"), start: -1, limits: special}
	impliedRow  = element{name: []byte("tr"), start: -1, limits: special}
)
