// Package extract finds every reference of a document as a byte span, and builds
// the edits that make references absolute.
//
// A [Doc] holds the bytes of a document and the layers around it. [Doc.Refs]
// yields its references: where each one stands, what it says, what it is for,
// and the layers that it is resolved against. A [Resolver] turns references
// into links, and into edits. Every byte outside an edit stays as it was:
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
// Files in reading order: kind.go, options.go, edit.go, tables.go; what a document is:
// format.go, namespace.go, root.go and fragment.go (its first tags), detect.go; one that is
// read: ref.go, doc.go; HTML: finder.go, charset.go, value.go (decoded), style.go, maker.go
// (references), repeat.go (attributes that come again), block.go (scripts), comment.go,
// page.go (tags); XML: xml.go, feed.go, entity.go, xmltext.go, xmlprolog.go; other formats:
// sheet.go, manifest.go, fields.go (header fields), plain.go, enriched.go, contentline.go
// and calendar.go; reader.go (which reader a format has); what becomes of references:
// status.go, policy.go, link.go, writer.go (edits).
package extract
