package extract

import (
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/markup"
)

// Of the rows for one place the first whose condition holds counts. All rows of a
// place are compiled into one choice, which looks each attribute of their conditions up
// once, however many values they name.

// choice tells which of the rows of a place applies to an element.
type choice struct {
	rows  []*Place
	tests []test
}

// test is what the value of one attribute decides.
type test struct {
	attr     uint8
	maybe    markup.Names   // values that exact may hold
	exact    map[string]int // by lower-case value: index into the rows
	patterns []pattern
	open     [256]bool // bytes that values of patterns begin with
}

// pattern is a value with a '*' in it.
type pattern struct {
	prefix, suffix string
	row            int
}

// condition takes If apart into names of attributes and values.
func (p *Place) condition() (attrs, values string) {
	attrs, values, _ = strings.Cut(p.If, "=")
	return attrs, values
}

// choices are those of the table, by the row that they begin with. They are compiled when
// the first is to be made.
var choices = sync.OnceValue(func() []*choice {
	list := make([]*choice, len(places))
	for i := range places {
		list[i] = newChoice(i)
	}
	return list
})

// choiceOf returns the choice that a number from the matrix stands for, nil if it stands
// for one row.
func choiceOf(n uint8) *choice {
	if places[n-1].If == "" {
		return nil
	}
	return choices()[n-1]
}

// newChoice returns the choice that begins with a row of the table, nil if none does.
func newChoice(first int) *choice {
	p := &places[first]
	if p.If == "" || slices.ContainsFunc(places[:first], p.shares) {
		return nil
	}
	c := &choice{}
	for i := first; i < len(places); i++ {
		if p.shares(places[i]) {
			c.addRow(&places[i])
		}
	}
	return c
}

// shares reports whether two rows are of one place.
func (p *Place) shares(q Place) bool { return q.Elements == p.Elements && q.Attributes == p.Attributes }

// addRow adds a row to a choice.
func (c *choice) addRow(p *Place) {
	row := len(c.rows)
	c.rows = append(c.rows, p)
	attrs, values := p.condition()
	for a := range strings.FieldsSeq(attrs) {
		t := c.test(table().attrs.find([]byte(a)))
		for v := range strings.FieldsSeq(values) {
			t.add(v, row)
		}
	}
}

// test returns the test of an attribute.
func (c *choice) test(attr uint8) *test {
	for i := range c.tests {
		if c.tests[i].attr == attr {
			return &c.tests[i]
		}
	}
	c.tests = append(c.tests, test{attr: attr, exact: make(map[string]int)})
	return &c.tests[len(c.tests)-1]
}

func (t *test) add(value string, row int) {
	if prefix, suffix, open := strings.Cut(value, "*"); open {
		t.patterns = append(t.patterns, pattern{prefix, suffix, row})
		for c := range t.open {
			t.open[c] = t.open[c] || prefix == "" || lower[c] == prefix[0]
		}
	} else if _, taken := t.exact[value]; !taken {
		t.exact[value] = row
		t.maybe.Add(value)
	}
}

// longestValue is the length of the longest value that a condition can name.
const longestValue = 64

// find returns the row for a value, in any case; none if no condition names it.
func (t *test) find(value []byte, none int) int {
	var buf [longestValue]byte
	if len(value) == 0 || len(value) > len(buf) || !t.open[value[0]] && !t.maybe.Has(value) {
		return none
	}
	for i, c := range value {
		buf[i] = lower[c]
	}
	folded := buf[:len(value)]
	best := none
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

func (p *pattern) matches(v []byte) bool {
	n := len(v) - len(p.suffix)
	return n >= len(p.prefix) && string(v[:len(p.prefix)]) == p.prefix && string(v[n:]) == p.suffix
}

// row returns the row with a number, nil if no condition held.
func (c *choice) row(n int) *Place {
	if n == len(c.rows) {
		return nil
	}
	return c.rows[n]
}

var spaces = map[string]markup.Space{"": markup.HTML, "svg": markup.SVG, "math": markup.MathML}

// PlaceOf returns the row of the table for an attribute of an element, nil if there
// is none. space is the namespace: "", "svg" or "math". Names are in any case, that
// of the attribute with its prefix, as xlink:href. value returns the value of another
// attribute of the element, "" if it has none.
func PlaceOf(space, element, attr string, value func(attr string) string) *Place {
	table := table()
	row, _ := table.element(spaces[space], []byte(element))
	n := table.matrix[row][table.attr([]byte(attr))]
	if n == 0 {
		return nil
	}
	c := choiceOf(n)
	if c == nil {
		return &places[n-1]
	}
	best := len(c.rows)
	for i := range c.tests {
		t := &c.tests[i]
		best = t.find(stripped([]byte(value(table.attrs.list[t.attr-1]))), best)
	}
	return c.row(best)
}
