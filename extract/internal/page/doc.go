// Package page finds the references of web pages and of their style sheets and manifests.
//
// A [Finder] walks the tags of one HTML text. The scanner returns only tags with an attribute whose
// name may be in the table. The finder looks up the names, decodes values with a '&' or a byte
// above ASCII, and cuts them into references. Another finder reads a srcdoc or the markup in a
// comment; its text is mapped back to the bytes of the outer text. Package xml reads the tags of
// XML. It uses a Finder for the attributes of XHTML, SVG and MathML, and for HTML in feeds.
//
// Files in reading order: sniff.go (how pages begin), gaps.go (in tags), additions.go (of web
// archives), finder.go, anchors.go (ids), base.go (base elements), robots.go (meta elements),
// repeat.go (attributes that repeat), style.go, script.go, comment.go, visible.go (text), html.go
// (tags, and documents inside), sheet.go (style sheets), manifest.go, linkset.go, feed.go,
// markdown.go, wat.go (WAT records).
package page
