// Package xml finds the references of XML documents: XHTML, SVG, feeds, sitemaps, outlines
// and any other vocabulary that the tables have.
//
// A [Reader] makes one walk over the tags of a text, which keeps a stack
// of open elements for three things: the namespaces of prefixes, the layers of
// xml:base, and whose text is read. What an element or an attribute means depends
// on its namespace and local name alone; the format of the document decides only
// for elements that are in no namespace. Elements of XHTML, SVG and MathML are
// looked up in the table of HTML, all others in that of XML.
//
// The text of an element is read when it ends, since it may come in pieces,
// between comments and CDATA sections. HTML in the text of a feed
// is read by a finder of its own, as a srcdoc is.
//
// Files in reading order: namespace.go, root.go (the first element), entity.go, feed.go,
// state.go (Reader), decode.go, text.go, tag.go (attributes), prolog.go, reader.go (the
// walk).
package xml
