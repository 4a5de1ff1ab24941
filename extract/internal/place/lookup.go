package place

import (
	"bytes"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// The table of places is compiled once into two sets of names and a matrix. The matrix has the row
// for the number of an element and the number of an attribute.

// Numbers of elements whose names are not in the table, by namespace.
const (
	AnyHTML uint8 = iota
	anyHyphen
	anyAMP
	anySVG
	anyMath
	firstElement // elements with a name in the table begin here
)

// Numbers of attributes that readers of documents ask for by name.
const (
	AttrOn   uint8 = 1 + iota // all attributes with this prefix and without their own row
	AttrData                  // all attributes with this prefix and without their own row
	AttrRel
	AttrType
	AttrCodebase
	AttrHref
	AttrAction
	AttrFormAct
	AttrClassID
	AttrName
	AttrContent
	AttrXMLNS // and xmlns:prefix
)

// knownAttrs are the names of these attributes.
var knownAttrs = [...]string{AttrOn: "on*", AttrData: "data-*", AttrRel: "rel",
	AttrType: "type", AttrCodebase: "codebase", AttrHref: "href",
	AttrAction: "action", AttrFormAct: "formaction", AttrClassID: "classid",
	AttrName: "name", AttrContent: "content", AttrXMLNS: "xmlns"}

// Lookup is the compiled table. It is shared, must not be modified, and is safe for concurrent use.
type Lookup struct {
	attrs    names
	elements [3]names  // by namespace
	offset   [3]uint8  // offset from a number of an element to its row of the matrix
	Matrix   [][]uint8 // [element][attribute] → 1 + index into htmlRows of the first row; 0 = nothing
	// Always has, for each entry of Matrix, its row of the table if that row applies in all cases,
	// and nil if it depends on a condition, an option or the format.
	Always  [256]*Row
	Generic []uint8        // the row of the matrix for elements of other XML, which has only xmlns
	filter  *markup.Filter // the default filter of the scanner
}

// HTML returns the compiled table. It is compiled in the first call.
var HTML = sync.OnceValue(compile)

// compile builds the lookup of htmlRows.
func compile() *Lookup {
	l := new(Lookup)
	for _, a := range knownAttrs[1:] {
		l.attrs.add(a)
	}
	rows := l.numberRows()
	l.addSpecials()
	l.makeMatrix()
	for i := len(rows) - 1; i >= 0; i-- { // the first row of a place wins,
		l.fill(&rows[i], uint8(i+1), isAny)
	}
	for i := len(rows) - 1; i >= 0; i-- { // and a row for a named element wins over a row for any
		l.fill(&rows[i], uint8(i+1), isNamed)
	}
	for i := range htmlRows {
		if p := &htmlRows[i]; p.If == "" && p.Default != Bookmarks && p.Default != Lazy && p.Default != Scripts {
			l.Always[i+1] = p
		}
	}
	l.Generic = make([]uint8, len(l.Matrix[AnyHTML]))
	l.Generic[AttrXMLNS] = l.Matrix[AnyHTML][AttrXMLNS]
	l.filter = newFilter(Rewrite)
	return l
}

// numberedRow has the elements of a row of the table, and the numbers of its attributes.
type numberedRow struct {
	elements []string
	attrs    []uint8
}

// numberRows numbers the elements and attributes of the table.
func (l *Lookup) numberRows() []numberedRow {
	rows := make([]numberedRow, len(htmlRows))
	for i := range htmlRows {
		p, r := &htmlRows[i], &rows[i]
		for a := range strings.FieldsSeq(p.Attributes) {
			r.attrs = append(r.attrs, l.attrs.add(a))
		}
		tested, _ := p.condition()
		for a := range strings.FieldsSeq(tested) {
			l.attrs.add(a)
		}
		r.elements = strings.Fields(p.Elements)
		for _, e := range r.elements {
			l.addElement(e)
		}
	}
	return rows
}

// addSpecials numbers the elements that readers of documents ask for by name.
func (l *Lookup) addSpecials() {
	l.elements[markup.HTML].add("style")
	l.elements[markup.HTML].add("script")
	l.elements[markup.SVG].add("style")
}

// isAny reports whether e, an element of the table, stands for many elements.
func isAny(e string) bool { return e == "*" || isHyphen(e) || strings.HasSuffix(e, ":*") }

// isNamed reports whether e is the name of an element.
func isNamed(e string) bool { return !isAny(e) }

// splitSpace splits the prefix of the namespace off an element of the table.
func splitSpace(e string) (markup.Space, string) {
	if name, ok := strings.CutPrefix(e, "svg:"); ok {
		return markup.SVG, name
	}
	if name, ok := strings.CutPrefix(e, "math:"); ok {
		return markup.MathML, name
	}
	return markup.HTML, e
}

// addElement numbers an element of the table, if it has a name.
func (l *Lookup) addElement(e string) {
	if isNamed(e) {
		sp, name := splitSpace(e)
		l.elements[sp].add(name)
	}
}

// makeMatrix makes the matrix, with a row for every element.
func (l *Lookup) makeMatrix() {
	n := int(firstElement)
	for sp := range l.elements {
		l.offset[sp] = uint8(n - 1)
		n += len(l.elements[sp].list)
	}
	l.Matrix = make([][]uint8, n)
	width := len(l.attrs.list) + 1
	cells := make([]uint8, n*width)
	for i := range l.Matrix {
		l.Matrix[i] = cells[i*width : (i+1)*width]
	}
}

// fill enters a row of the table into the matrix, for the elements for which accepts returns true.
func (l *Lookup) fill(r *numberedRow, index uint8, accepts func(string) bool) {
	for _, e := range r.elements {
		if !accepts(e) {
			continue
		}
		for _, row := range l.matrixRows(e) {
			for _, attr := range r.attrs {
				l.Matrix[row][attr] = index
			}
		}
	}
}

// matrixRows returns the rows of the matrix for an element of the table.
func (l *Lookup) matrixRows(e string) []uint8 {
	sp, name := splitSpace(e)
	switch {
	case e == "*":
		return l.rowRange(0, len(l.Matrix))
	case e == "-":
		return []uint8{anyHyphen, anyAMP}
	case e == "amp-*":
		return []uint8{anyAMP}
	case name == "*":
		any := anySVG + uint8(sp-markup.SVG)
		first := int(l.offset[sp]) + 1
		return append(l.rowRange(first, first+len(l.elements[sp].list)), any)
	}
	return []uint8{l.offset[sp] + l.elements[sp].find([]byte(name))}
}

// rowRange returns the numbers of rows from first up to, but not including, end.
func (l *Lookup) rowRange(first, end int) (rows []uint8) {
	for i := first; i < end; i++ {
		rows = append(rows, uint8(i))
	}
	return rows
}

// Element returns the row of the matrix for an element by its name in any case, and the name if the
// table has it.
func (l *Lookup) Element(sp markup.Space, name []byte) (row uint8, known string) {
	return l.ElementAt(sp, name, 0, len(name))
}

// ElementAt does the work of Element for the name between two offsets of data.
func (l *Lookup) ElementAt(sp markup.Space, data []byte, start, end int) (row uint8, known string) {
	if n := l.elements[sp].findAt(data, start, end); n > 0 {
		return l.offset[sp] + n, l.elements[sp].list[n-1]
	}
	switch name := data[start:end]; {
	case sp == markup.SVG:
		return anySVG, ""
	case sp == markup.MathML:
		return anyMath, ""
	case text.IsFold(name, "image"): // the tree builder reads it as img
		return l.Element(sp, []byte("img"))
	case bytes.IndexByte(name, '-') > 0:
		if text.HasPrefixFold(name, "amp-") {
			return anyAMP, ""
		}
		return anyHyphen, ""
	}
	return AnyHTML, ""
}

// Attr returns the number of an attribute by its name in any case.
func (l *Lookup) Attr(name []byte) uint8 { return l.AttrAt(name, 0, len(name)) }

// AttrAt does the work of Attr for the name between two offsets of data.
func (l *Lookup) AttrAt(data []byte, start, end int) uint8 {
	if n := l.attrs.findAt(data, start, end); n > 0 {
		return n
	}
	switch name := data[start:end]; {
	case len(name) > len("on") && text.HasPrefixFold(name, "on"):
		return AttrOn
	case len(name) > len("data-") && text.HasPrefixFold(name, "data-"):
		return AttrData
	case len(name) > len("xmlns:") && text.HasPrefixFold(name, "xmlns:"):
		return AttrXMLNS
	}
	return 0
}

// AttrName returns the name of the attribute with a number, which must be in the table.
func (l *Lookup) AttrName(id uint8) string { return l.attrs.list[id-1] }
