// Package xml finds the references of XML documents: XHTML, SVG, feeds, sitemaps, outlines and all
// other vocabularies in the tables.
//
// A [Reader] walks the tags of a text once. It keeps a stack of open elements for three purposes:
// the namespaces of prefixes, the layers of xml:base, and the element whose text is read. The
// meaning of an element or attribute depends only on its namespace and local name. The format of
// the document decides only for elements without a namespace. Elements of XHTML, SVG and MathML are
// in the table of HTML, all others in the table of XML.
//
// The text of an element is read when the element ends, since it may come in pieces between
// comments and CDATA sections. Another finder reads HTML in the text of a feed, as for a srcdoc.
//
// Files in reading order: namespace.go, root.go (the first element), entity.go, feed.go, state.go
// (Reader), decode.go, text.go, tag.go (attributes), prolog.go, reader.go (the walk).
package xml
