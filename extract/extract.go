// Package extract finds every reference of a document as a byte span, and builds
// the edits that make references absolute.
//
// A [Doc] holds the bytes of a document and the layers around it. [Doc.Refs]
// yields its references: where each one stands, what it says, what it is for,
// and the layers that it is resolved against. A [Resolver] turns references
// into links, and into edits. Every byte outside an edit stays as it was.
//
// For a page at a URL there is [Links]; the examples named tour show what programs do with
// it and with the packages around it: a step of a crawler, a message, a tree of files and an
// archive, in ten lines each.
//
//	for link := range extract.Links(page, "http://example.com/dir/") {
//		fmt.Printf("%s %s\n", link.Status, link.URI)
//	}
//
// With layers, options and edits:
//
//	d := &extract.Doc{
//		Format: extract.HTML,
//		Data:   page,
//		Layer:  &base.Layer{Source: base.URL, Value: "http://example.com/dir/"},
//	}
//	var r extract.Resolver
//	for link := range r.Links(d) {
//		fmt.Printf("%s %s\n", link.Status, link.URI)
//	}
//	page = extract.Apply(nil, page, r.Edits(nil, d))
//
// The table of places, see [Tables], says which attributes of which elements
// hold references, and how.
//
// What finds references in a format is a package of its own: internal/page, internal/xml
// and internal/lines, over internal/reading, which holds what they share.
//
// Files in reading order: kind.go, edit.go, tables.go; what a document is: format.go,
// detect.go; one that is read: ref.go, doc.go; what becomes of references: status.go,
// resolver.go (what they are resolved against), policy.go (which are rewritten), settle.go,
// links.go, edits.go.
package extract
