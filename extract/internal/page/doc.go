// Package page finds the references of web pages, and of the style sheets and manifests
// that belong to them.
//
// A [Finder] walks the tags of one HTML text. The scanner hands it only tags
// with an attribute whose name may be in the table; the finder looks the names
// up, decodes the values where a '&' or a byte above ASCII stands in them, and has them
// cut. A srcdoc, or markup in a comment, is read by a finder of its own, whose
// text is mapped back onto the bytes of the outer one. Package xml reads the tags of XML,
// and uses a Finder for the attributes of XHTML, SVG and MathML and for HTML in feeds.
//
// Files in reading order: sniff.go (what begins as a page), gaps.go (in tags), finder.go,
// base.go (base elements), robots.go (metas), repeat.go (attributes that come again), style.go,
// script.go, comment.go, html.go (tags, and documents inside), sheet.go (style sheets),
// manifest.go.
package page
