package dom

import (
	"golang.org/x/net/html"

	"absolink/extract"
)

// placeOf returns the row of the table for an attribute of n, nil if there is
// none that extract reads by default.
func placeOf(n *html.Node, attr string) *extract.Place {
	p := extract.PlaceOf(n.Namespace, n.Data, attr, func(name string) string { return attribute(n, name) })
	if p == nil || p.Default == extract.Lazy || p.Default == extract.Scripts {
		return nil
	}
	return p
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
