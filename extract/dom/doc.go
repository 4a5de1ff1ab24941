// Package dom finds the references of an HTML tree that the caller has parsed.
//
// It reads the same table of places as package extract, so that a program with a
// tree in hand, as a crawler has, sees what absolink sees:
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
// A tree has no byte offsets, so nothing here can edit the bytes of a page: package extract does
// that. Attribute values are split into references by the same functions as in extract. Trees
// should be parsed with scripting off, as here; in others the content of noscript is text, and
// its references are not found.
//
// Files in reading order: dom.go, set.go, walk.go, resolve.go, scope.go.
package dom
