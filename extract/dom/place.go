package dom

import (
	"strings"
	"sync"

	"golang.org/x/net/html"

	"absolink/extract"
)

// key is an element and an attribute as the table of places writes them.
type key struct{ element, attr string }

// places is the table of package extract, by element and attribute.
var places = sync.OnceValue(func() map[key]*extract.Place {
	m := make(map[key]*extract.Place)
	table := extract.Places()
	for i := range table {
		p := &table[i]
		for e := range strings.FieldsSeq(p.Elements) {
			for a := range strings.FieldsSeq(p.Attributes) {
				m[key{e, a}] = p
			}
		}
	}
	return m
})

// placeOf returns the row of the table for an attribute of n, nil if there is
// none. A row that names the element wins over rows for any.
func placeOf(n *html.Node, attr string) *extract.Place {
	for _, e := range elementsOf(n) {
		if p := places()[key{e, attr}]; p != nil {
			return p
		}
	}
	return nil
}

// elementsOf returns what the table may call the element n, the most particular first.
func elementsOf(n *html.Node) []string {
	name := lower(n.Data)
	switch {
	case n.Namespace == "svg":
		return []string{"svg:" + name, "svg:*", "*"}
	case n.Namespace == "math":
		return []string{"math:" + name, "math:*", "*"}
	case strings.IndexByte(name, '-') > 0:
		return []string{name, "-", "*"}
	}
	return []string{name, "*"}
}

// lower folds ASCII letters, as names of HTML are folded.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
