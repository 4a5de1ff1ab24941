package extract

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// The table of places is compiled once into two sets of names and a matrix:
// number of the element × number of the attribute → row.

// isFold reports whether name is word, which is lower case, in any case.
func isFold(name []byte, word string) bool {
	if len(name) != len(word) {
		return false
	}
	for i, c := range name {
		if lower[c] != word[i] {
			return false
		}
	}
	return true
}

// lower are the bytes with ASCII letters in lower case.
var lower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// appendLower appends name with its ASCII letters in lower case.
func appendLower(dst, name []byte) []byte {
	for _, c := range name {
		dst = append(dst, lower[c])
	}
	return dst
}

// Numbers of elements that have no name of their own in the table, by namespace.
const (
	anyHTML uint8 = iota
	anyHyphen
	anySVG
	anyMath
	firstElement // elements with a name begin here
)

// Numbers of attributes that the finder itself knows.
const (
	attrOn uint8 = 1 + iota // and all others that begin so
	attrRel
	attrType
	attrCodebase
	attrHref
	attrAction
	attrFormAct
	attrClassID
	attrXMLNS // and xmlns:prefix
)

// knownAttrs are their names.
var knownAttrs = [...]string{attrOn: "on*", attrRel: "rel", attrType: "type", attrCodebase: "codebase", attrHref: "href",
	attrAction: "action", attrFormAct: "formaction", attrClassID: "classid", attrXMLNS: "xmlns"}

// lookup is the compiled table.
type lookup struct {
	attrs    names
	elements [3]names       // by namespace
	offset   [3]uint8       // added to a number of elements to make it a row of the matrix
	matrix   [][]uint8      // [element][attribute] → 1 + index into places of the first row; 0 = nothing
	always   [256]*Place    // by row of the matrix: the row of the table, nil if it depends on anything
	generic  []uint8        // the row of the matrix of an element of other XML: only xmlns means something there
	want     *markup.Filter // what matters by default
}

// table is compiled when the first document is read.
var table = sync.OnceValue(compile)

// compile builds the lookup of places.
func compile() *lookup {
	l := new(lookup)
	for _, a := range knownAttrs[1:] {
		l.attrs.add(a)
	}
	rows := l.numberRows()
	l.addSpecials()
	l.number()
	for i := len(rows) - 1; i >= 0; i-- { // the first row of a place wins,
		l.fill(&rows[i], uint8(i+1), isAny)
	}
	for i := len(rows) - 1; i >= 0; i-- { // and a named element over any
		l.fill(&rows[i], uint8(i+1), isNamed)
	}
	for i := range places {
		if p := &places[i]; p.If == "" && p.Default != Lazy && p.Default != Scripts {
			l.always[i+1] = p
		}
	}
	l.generic = make([]uint8, len(l.matrix[anyHTML]))
	l.generic[attrXMLNS] = l.matrix[anyHTML][attrXMLNS]
	l.want = newFilter(Rewrite)
	return l
}

// numbered is a row of the table, taken apart.
type numbered struct {
	elements []string
	attrs    []uint8
}

// numberRows numbers the elements and attributes of the table.
func (l *lookup) numberRows() []numbered {
	rows := make([]numbered, len(places))
	for i := range places {
		p, r := &places[i], &rows[i]
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

// newFilter returns what the scanner keeps where rows up to a treatment matter.
func newFilter(most Treatment) *markup.Filter {
	any := []string{"rel", "xmlns:*"}
	for i := range places {
		if p := &places[i]; p.matters(most) && slices.ContainsFunc(strings.Fields(p.Elements), isWild) {
			any = append(any, p.names()...)
		}
	}
	f := markup.NewFilter(any...)
	f.Attrs("style", "type")
	f.Attrs("script", "type")
	f.Foreign("type")
	for i := range places {
		if p := &places[i]; p.matters(most) {
			p.keep(f)
		}
	}
	f.Tags("style")
	return f
}

// keep makes f keep what a row reads of the elements that it names.
func (p *Place) keep(f *markup.Filter) {
	attrs := p.names()
	for e := range strings.FieldsSeq(p.Elements) {
		switch sp, name := space(e); {
		case isWild(e):
		case sp != markup.HTML:
			f.Foreign(attrs...)
		default:
			f.Attrs(name, attrs...)
			if name == "img" {
				f.Attrs("image", attrs...) // which is another name for it
			}
		}
	}
}

// matters reports whether a row is read where those up to a treatment are.
func (p *Place) matters(most Treatment) bool { return p.Default < Lazy || p.Default <= most }

// isWild reports whether e stands for elements of the HTML namespace of many names.
func isWild(e string) bool { return e == "*" || e == "-" }

// names returns the attributes that a row reads.
func (p *Place) names() []string {
	attrs, _ := p.condition()
	list := append(strings.Fields(p.Attributes), strings.Fields(attrs)...)
	if p.Base == BaseCodebase {
		list = append(list, "codebase")
	}
	return list
}

// What also matters with Options.Lazy, and what with Options.Scripts.
var (
	wantLazy = sync.OnceValue(func() *markup.Filter { return newFilter(Lazy) })
	wantAll  = sync.OnceValue(func() *markup.Filter { return newFilter(Scripts) })
)

// wantFor returns what the scanner keeps.
func (l *lookup) wantFor(o *Options) *markup.Filter {
	switch {
	case o.Scripts:
		return wantAll()
	case o.Lazy:
		return wantLazy()
	}
	return l.want
}

// addSpecials numbers the elements that the finder itself knows.
func (l *lookup) addSpecials() {
	l.elements[markup.HTML].add("style")
	l.elements[markup.HTML].add("script")
	l.elements[markup.SVG].add("style")
}

func isAny(e string) bool   { return e == "*" || e == "-" || strings.HasSuffix(e, ":*") }
func isNamed(e string) bool { return !isAny(e) }

// space splits the prefix of the namespace off an element of the table.
func space(e string) (markup.Space, string) {
	if name, ok := strings.CutPrefix(e, "svg:"); ok {
		return markup.SVG, name
	}
	if name, ok := strings.CutPrefix(e, "math:"); ok {
		return markup.MathML, name
	}
	return markup.HTML, e
}

func (l *lookup) addElement(e string) {
	if isNamed(e) {
		sp, name := space(e)
		l.elements[sp].add(name)
	}
}

// number makes the matrix and gives every element its row.
func (l *lookup) number() {
	n := int(firstElement)
	for sp := range l.elements {
		l.offset[sp] = uint8(n - 1)
		n += len(l.elements[sp].list)
	}
	l.matrix = make([][]uint8, n)
	width := len(l.attrs.list) + 1
	cells := make([]uint8, n*width)
	for i := range l.matrix {
		l.matrix[i] = cells[i*width : (i+1)*width]
	}
}

// fill enters a row of the table for the elements that pass.
func (l *lookup) fill(r *numbered, index uint8, pass func(string) bool) {
	for _, e := range r.elements {
		if !pass(e) {
			continue
		}
		for _, row := range l.rows(e) {
			for _, attr := range r.attrs {
				l.matrix[row][attr] = index
			}
		}
	}
}

// rows returns the rows of the matrix that an element of the table stands for.
func (l *lookup) rows(e string) []uint8 {
	sp, name := space(e)
	switch {
	case e == "*":
		return l.span(0, len(l.matrix))
	case e == "-":
		return []uint8{anyHyphen}
	case name == "*":
		any := anySVG + uint8(sp-markup.SVG)
		first := int(l.offset[sp]) + 1
		return append(l.span(first, first+len(l.elements[sp].list)), any)
	}
	return []uint8{l.offset[sp] + l.elements[sp].find([]byte(name))}
}

func (l *lookup) span(from, to int) (rows []uint8) {
	for i := from; i < to; i++ {
		rows = append(rows, uint8(i))
	}
	return rows
}

// element returns the row of the matrix of an element by its name in any case,
// and the name if the table has it.
func (l *lookup) element(sp markup.Space, name []byte) (row uint8, known string) {
	return l.elementAt(sp, name, 0, len(name))
}

// elementAt is element for the name between two offsets of data.
func (l *lookup) elementAt(sp markup.Space, data []byte, start, end int) (row uint8, known string) {
	if n := l.elements[sp].findAt(data, start, end); n > 0 {
		return l.offset[sp] + n, l.elements[sp].list[n-1]
	}
	switch name := data[start:end]; {
	case sp == markup.SVG:
		return anySVG, ""
	case sp == markup.MathML:
		return anyMath, ""
	case isFold(name, "image"): // as the tree builder has it
		return l.element(sp, []byte("img"))
	case bytes.IndexByte(name, '-') > 0:
		return anyHyphen, ""
	}
	return anyHTML, ""
}

// attr returns the number of an attribute by its name in any case.
func (l *lookup) attr(name []byte) uint8 { return l.attrAt(name, 0, len(name)) }

// attrAt is attr for the name between two offsets of data.
func (l *lookup) attrAt(data []byte, start, end int) uint8 {
	if n := l.attrs.findAt(data, start, end); n > 0 {
		return n
	}
	switch name := data[start:end]; {
	case len(name) > len("on") && hasPrefixFold(name, "on"):
		return attrOn
	case len(name) > len("xmlns:") && hasPrefixFold(name, "xmlns:"):
		return attrXMLNS
	}
	return 0
}
