package dom

import (
	"golang.org/x/net/html"

	"absolink/extract/internal/place"
)

// placeOf returns the row of the table for an attribute of n, nil if there is
// none that extract reads by default.
func placeOf(n *html.Node, attr string) *place.Row {
	p := place.Of(n.Namespace, n.Data, attr, func(name string) string { return attribute(n, name) })
	if p == nil || p.Default == place.Lazy || p.Default == place.Scripts {
		return nil
	}
	return p
}
