package place

import (
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// If several rows have the same place, the first row whose condition holds counts. All rows of a
// place are compiled into one choice. The choice looks up each attribute of the conditions once,
// however many values the conditions name.

// choice decides which of the rows of a place applies to an element.
type choice struct {
	Rows  []*Row
	Tests []test
}

// test finds the row for the value of one attribute.
type test struct {
	Attr       uint8
	mayBeExact markup.Names   // filter: a value that it does not have is not in exact
	exact      map[string]int // by lower-case value: index into the rows
	patterns   []pattern
	firstBytes [256]bool // bytes with which a value of patterns may begin
}

// pattern is a value with a '*' in it.
type pattern struct {
	prefix, suffix string
	row            int
}

// choices are the choices of the table, by the index of their first row. They are compiled when the
// first one is needed.
var choices = sync.OnceValue(func() []*choice {
	list := make([]*choice, len(htmlRows))
	for i := range htmlRows {
		list[i] = newChoice(i)
	}
	return list
})

// ChoiceOf returns the choice for a number in the matrix, or nil if the number means one row.
func ChoiceOf(n uint8) *choice {
	if htmlRows[n-1].If == "" {
		return nil
	}
	return choices()[n-1]
}

// RowAt returns the row for a number in the matrix. For a choice it is the first row.
func RowAt(n uint8) *Row { return &htmlRows[n-1] }

// newChoice returns the choice that begins with a row of the table, or nil.
func newChoice(first int) *choice {
	p := &htmlRows[first]
	if p.If == "" || slices.ContainsFunc(htmlRows[:first], p.sharesPlace) {
		return nil
	}
	c := &choice{}
	for i := first; i < len(htmlRows); i++ {
		if p.sharesPlace(htmlRows[i]) {
			c.addRow(&htmlRows[i])
		}
	}
	return c
}

// addRow adds a row to a choice.
func (c *choice) addRow(p *Row) {
	row := len(c.Rows)
	c.Rows = append(c.Rows, p)
	attrs, values := p.condition()
	for a := range strings.FieldsSeq(attrs) {
		t := c.testFor(HTML().attrs.find([]byte(a)))
		for v := range strings.FieldsSeq(values) {
			t.addValue(v, row)
		}
	}
}

// testFor returns the test of an attribute, and adds it if it is missing.
func (c *choice) testFor(attr uint8) *test {
	for i := range c.Tests {
		if c.Tests[i].Attr == attr {
			return &c.Tests[i]
		}
	}
	c.Tests = append(c.Tests, test{Attr: attr, exact: make(map[string]int)})
	return &c.Tests[len(c.Tests)-1]
}

// addValue adds a value of a condition, for the row with an index.
func (t *test) addValue(value string, row int) {
	if prefix, suffix, hasStar := strings.Cut(value, "*"); hasStar {
		t.patterns = append(t.patterns, pattern{prefix, suffix, row})
		for c := range t.firstBytes {
			t.firstBytes[c] = t.firstBytes[c] || prefix == "" || text.Lower[c] == prefix[0]
		}
	} else if _, taken := t.exact[value]; !taken {
		t.exact[value] = row
		t.mayBeExact.Add(value)
	}
}

// maxValue is the length of the longest value that a condition can name.
const maxValue = 64

// Find returns the index of the first row with a condition that names the value, in any case. It
// returns noRow if there is no such row before noRow.
func (t *test) Find(value []byte, noRow int) int {
	var buf [maxValue]byte
	if len(value) == 0 || len(value) > len(buf) || !t.firstBytes[value[0]] && !t.mayBeExact.Has(value) {
		return noRow
	}
	for i, c := range value {
		buf[i] = text.Lower[c]
	}
	folded := buf[:len(value)]
	best := noRow
	if row, ok := t.exact[string(folded)]; ok {
		best = min(best, row)
	}
	for _, p := range t.patterns {
		if p.row < best && p.matches(folded) {
			best = p.row
		}
	}
	return best
}

// matches reports whether v, in lower case, matches the pattern.
func (p *pattern) matches(v []byte) bool {
	n := len(v) - len(p.suffix)
	return n >= len(p.prefix) && string(v[:len(p.prefix)]) == p.prefix && string(v[n:]) == p.suffix
}

// Row returns the row with index n, as Find returns it, or nil if no condition held.
func (c *choice) Row(n int) *Row {
	if n == len(c.Rows) {
		return nil
	}
	return c.Rows[n]
}
