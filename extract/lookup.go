package extract

import (
	"bytes"
	"strings"

	"absolink/extract/internal/markup"
)

// The table of places is compiled once into two sets of names and a matrix:
// number of the element × number of the attribute → row. Names are looked up by
// the hash of their lower-case bytes, without a copy.

// names numbers lower-case names from 1; 0 is any other name.
type names struct {
	slots [512]uint8
	list  []string // list[n-1] is the name of number n
}

// longestName is the length of the longest name that can be numbered.
const longestName = 32

// add returns the number of name, a new one if it has none.
func (n *names) add(name string) uint8 {
	if len(name) > longestName || len(n.list) == 254 {
		panic("extract: table of places outgrows its names")
	}
	h := hash([]byte(name))
	for ; n.slots[h] != 0; h = (h + 1) % uint32(len(n.slots)) {
		if n.list[n.slots[h]-1] == name {
			return n.slots[h]
		}
	}
	n.list = append(n.list, name)
	n.slots[h] = uint8(len(n.list))
	return n.slots[h]
}

// find returns the number of name, which is lower case.
func (n *names) find(name []byte) uint8 {
	for h := hash(name); n.slots[h] != 0; h = (h + 1) % uint32(len(n.slots)) {
		if n.list[n.slots[h]-1] == string(name) {
			return n.slots[h]
		}
	}
	return 0
}

// hash spreads names over the slots, by their length and four of their bytes.
func hash(name []byte) uint32 {
	n := len(name)
	if n == 0 {
		return 0
	}
	h := uint32(name[0]) | uint32(name[n-1])<<8 | uint32(name[n/2])<<16 | uint32(name[n/3])<<24
	h = (h ^ uint32(n)*0x9e3779b1) * 0x85ebca6b
	return (h ^ h>>16) % uint32(len(names{}.slots))
}

// fold writes the lower case of name to buf and returns it; nil if it does not fit.
func fold(buf *[longestName]byte, name []byte) []byte {
	if len(name) > len(buf) {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:len(name)]
}

// Numbers of elements that have no name of their own in the table, by namespace.
const (
	anyHTML uint8 = iota
	anyHyphen
	anySVG
	anyMath
	firstElement // elements with a name begin here
)

// lookup is the compiled table.
type lookup struct {
	attrs    names
	elements [3]names  // by namespace
	offset   [3]uint8  // added to a number of elements to make it a row of the matrix
	matrix   [][]uint8 // [element][attribute] → 1 + index into places; 0 = nothing
	want     *markup.Names
	rel      names
	relKinds []int // index into linkKinds by number of rel
}

var table = compile()

// compile builds the lookup of places.
func compile() *lookup {
	l := new(lookup)
	for _, p := range places {
		for a := range strings.FieldsSeq(p.Attributes) {
			l.attrs.add(a)
		}
		for e := range strings.FieldsSeq(p.Elements) {
			l.addElement(e)
		}
	}
	for _, a := range []string{"http-equiv", "valuetype", "rel", "type", "codebase"} {
		l.attrs.add(a)
	}
	l.addSpecials()
	l.number()
	for _, pass := range []func(string) bool{isAny, isNamed} { // a named element wins over any
		for i, p := range places {
			l.fill(p, uint8(i+1), pass)
		}
	}
	l.compileRel()
	l.want = markup.NewNames(append(l.attrs.list, xmlnsNames()...)...)
	return l
}

// xmlnsNames are names of the lengths that xmlns: attributes have.
func xmlnsNames() (list []string) {
	for n := 1; n <= 20; n++ {
		list = append(list, "xmlns:"+strings.Repeat("x", n))
	}
	return list
}

// addSpecials numbers the elements that the finder itself knows.
func (l *lookup) addSpecials() {
	l.elements[markup.HTML].add("style")
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
	for i := range l.matrix {
		l.matrix[i] = make([]uint8, len(l.attrs.list)+1)
	}
}

// fill enters a row of the table for the elements that pass.
func (l *lookup) fill(p Place, index uint8, pass func(string) bool) {
	for e := range strings.FieldsSeq(p.Elements) {
		if !pass(e) {
			continue
		}
		for a := range strings.FieldsSeq(p.Attributes) {
			for _, row := range l.rows(e) {
				l.matrix[row][l.attrs.add(a)] = index
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

// element returns the row of the matrix of an element by its lower-case name,
// and the name if the table has it.
func (l *lookup) element(sp markup.Space, name []byte) (row uint8, known string) {
	if sp == markup.HTML && string(name) == "image" {
		name = []byte("img") // as the tree builder has it
	}
	if n := l.elements[sp].find(name); n > 0 {
		return l.offset[sp] + n, l.elements[sp].list[n-1]
	}
	switch {
	case sp == markup.SVG:
		return anySVG, ""
	case sp == markup.MathML:
		return anyMath, ""
	case bytes.IndexByte(name, '-') > 0:
		return anyHyphen, ""
	}
	return anyHTML, ""
}

// attr returns the number of an attribute by its name in any case.
func (l *lookup) attr(name []byte) uint8 {
	var buf [longestName]byte
	folded := fold(&buf, name)
	if len(folded) > 0 && folded[0] == 'x' && bytes.HasPrefix(folded, []byte("xmlns:")) {
		folded = folded[:len("xmlns")]
	}
	return l.attrs.find(folded)
}

// number of an attribute that the finder itself knows.
func attrNumber(name string) uint8 { return table.attrs.find([]byte(name)) }

var (
	attrHTTPEquiv = attrNumber("http-equiv")
	attrValueType = attrNumber("valuetype")
	attrRel       = attrNumber("rel")
	attrType      = attrNumber("type")
	attrCodebase  = attrNumber("codebase")
	attrHref      = attrNumber("href")
	attrAction    = attrNumber("action")
	attrFormAct   = attrNumber("formaction")
	attrClassID   = attrNumber("classid")
)

// compileRel numbers the link types.
func (l *lookup) compileRel() {
	l.relKinds = []int{len(linkKinds)}
	for i, k := range linkKinds {
		for t := range strings.FieldsSeq(k.types) {
			l.rel.add(t)
			l.relKinds = append(l.relKinds, i)
		}
	}
}

// linkKind returns the kind of a link element with the link types rel.
func (l *lookup) linkKind(rel string) Kind {
	best := len(linkKinds)
	for t := range strings.FieldsSeq(rel) {
		best = min(best, l.linkType([]byte(t)))
	}
	if best == len(linkKinds) {
		return KindNav
	}
	return linkKinds[best].kind
}

// linkType returns the index into linkKinds of one link type.
func (l *lookup) linkType(t []byte) int {
	var buf [longestName]byte
	folded := fold(&buf, t)
	if bytes.HasPrefix(folded, []byte("schema.")) {
		folded = []byte("type")
	}
	return l.relKinds[l.rel.find(folded)]
}
