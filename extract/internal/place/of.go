package place

import (
	"bytes"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
)

// spaces are the namespaces by the names that Of takes.
var spaces = map[string]markup.Space{"": markup.HTML, "svg": markup.SVG, "math": markup.MathML}

// Of returns the row of the table for an attribute of an element, or nil. space is the namespace:
// "", "svg" or "math". Names are in any case; attr includes its prefix, as in xlink:href. value
// returns the value of another attribute of the element, or "".
func Of(space, element, attr string, value func(attr string) string) *Row {
	table := HTML()
	row, _ := table.Element(spaces[space], []byte(element))
	n := table.Matrix[row][table.Attr([]byte(attr))]
	if n == 0 {
		return nil
	}
	c := ChoiceOf(n)
	if c == nil {
		return RowAt(n)
	}
	best := len(c.Rows)
	for i := range c.Tests {
		t := &c.Tests[i]
		best = t.Find(text.Stripped([]byte(value(table.attrs.list[t.Attr-1]))), best)
	}
	return c.Row(best)
}

// OpaqueClass reports whether a classid names a class, and not a file.
func OpaqueClass(v []byte) bool {
	v = bytes.TrimLeft(v, "\t\n\f\r ")
	return text.HasPrefixFold(v, "clsid:") || text.HasPrefixFold(v, "java:")
}
