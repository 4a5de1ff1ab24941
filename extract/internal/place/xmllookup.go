package place

import (
	"math"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// XMLLookup is the compiled table of XML. It is shared and must not be modified. It has the names
// of elements by namespace, and the rows by element and attribute. The attribute with number 0
// stands for the text of the element.
type XMLLookup struct {
	prefixes map[string]Vocabulary // usual prefix → namespace
	spaces   map[string]Vocabulary // name of a namespace → namespace
	attrs    names
	elements []names    // by namespace
	rows     [][][]int8 // [namespace][number of the element, 0 = any][attribute] → 1 + index into xmlRows
}

// XML returns the compiled table. It is compiled in the first call.
var XML = sync.OnceValue(compileXML)

// compileXML builds the lookup of xmlRows.
func compileXML() *XMLLookup {
	l := &XMLLookup{prefixes: make(map[string]Vocabulary), spaces: make(map[string]Vocabulary)}
	for i, v := range vocabularies {
		if v.prefix != "" {
			l.prefixes[v.prefix] = Vocabulary(i)
		}
		for n := range strings.FieldsSeq(v.names) {
			l.spaces[n] = Vocabulary(i)
		}
	}
	for _, p := range xmlRows {
		for a := range strings.FieldsSeq(p.Attributes) {
			l.attrs.add(a)
		}
	}
	l.elements = make([]names, len(vocabularies))
	l.rows = make([][][]int8, len(vocabularies))
	for i := range l.rows {
		l.rows[i] = [][]int8{l.emptyRow()}
	}
	if len(xmlRows) > math.MaxInt8 {
		panic("place: more rows of XML than an int8 counts")
	}
	for i, p := range xmlRows {
		for e := range strings.FieldsSeq(p.Elements) {
			l.fill(p, int8(i+1), e)
		}
	}
	return l
}

// emptyRow returns a row of the matrix without rows of the table.
func (l *XMLLookup) emptyRow() []int8 { return make([]int8, len(l.attrs.list)+1) }

// fill enters the row p of the table, which has this index, for the element e.
func (l *XMLLookup) fill(p Row, index int8, e string) {
	prefix, local, _ := strings.Cut(e, ":")
	v := l.prefixes[prefix]
	n := uint8(0)
	if local != "*" {
		n = l.elements[v].add(local)
	}
	if int(n) == len(l.rows[v]) {
		l.rows[v] = append(l.rows[v], l.emptyRow())
	}
	if p.Attributes == "" {
		l.rows[v][n][0] = index
	}
	for a := range strings.FieldsSeq(p.Attributes) {
		l.rows[v][n][l.attrs.add(a)] = index
	}
}

// Element returns the rows of an element by attribute, and its name if the table has the name. For
// an element that the table does not have, the row is empty. The rows for all elements (xml:*) are
// not included: Any returns them.
func (l *XMLLookup) Element(v Vocabulary, local []byte) (row []int8, known string) {
	if n := l.elements[v].find(local); n > 0 {
		return l.rows[v][n], l.elements[v].list[n-1]
	}
	return l.rows[NoSpace][0], ""
}

// Attr returns the number of an attribute, or 0 if no table has it. 0 is no index for a row, where
// it stands for the text of the element.
func (l *XMLLookup) Attr(name []byte) uint8 { return l.attrs.find(name) }

// XMLRow returns the row with a number from the lookup, or nil for 0.
func XMLRow(n int8) *Row {
	if n == 0 {
		return nil
	}
	return &xmlRows[n-1]
}

// Any returns the row of an attribute of any element, or nil.
func (l *XMLLookup) Any(attr uint8) *Row {
	if attr == 0 {
		return nil
	}
	return XMLRow(l.rows[XMLSpace][0][attr])
}

// MarkupSpace returns the namespace of v in the table of HTML. ok is false if that table does not
// have v.
func (v Vocabulary) MarkupSpace() (markup.Space, bool) {
	switch v {
	case HTMLSpace, VMLSpace:
		return markup.HTML, true
	case SVGSpace:
		return markup.SVG, true
	case mathSpace:
		return markup.MathML, true
	}
	return markup.HTML, false
}

// Prefix returns the usual prefix of a namespace.
func (v Vocabulary) Prefix() string { return vocabularies[v].prefix }

// VocabularyOf returns the namespace with a name. ok is false if no table has it.
func VocabularyOf(name []byte) (v Vocabulary, ok bool) {
	v, ok = XML().spaces[string(name)]
	return v, ok
}

// Usual returns the usual namespace of a prefix without a declaration.
func Usual(prefix []byte) Vocabulary {
	if len(prefix) == 0 {
		return NoSpace
	}
	if v, ok := XML().prefixes[string(prefix)]; ok {
		return v
	}
	return OtherSpace
}
