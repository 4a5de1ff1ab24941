// Package dom finds the references of an HTML tree that the caller has parsed.
//
// It uses the same table of places as package extract. So a program that already has a tree, such
// as a crawler, finds the same references as absolink:
//
//	root, err := html.ParseWithOptions(response.Body, html.ParseOptionEnableScripting(false))
//	...
//	doc := goquery.NewDocumentFromNode(root)
//	around := &base.Layer{Source: base.URL, Value: "http://example.com/dir/"}
//	var r dom.Resolver
//	for ref := range dom.Selection(doc.Find("main"), around) {
//		if uri, err := r.Resolve(ref); err == nil {
//			ref.Set(uri)
//		}
//	}
//
// A tree has no byte offsets, so this package cannot edit the bytes of a page; package extract can.
// Both packages use the same functions to split attribute values into references. Parse trees with
// scripting off, as here. With scripting on, the content of noscript is text, and its references
// are not found.
//
// Files in reading order: dom.go, set.go, walk.go, resolve.go, scope.go.
package dom
