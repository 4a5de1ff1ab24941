// Package reading contains the common part of reading a document of any format.
//
// A [Document] collects the references, layers and problems of one document. The document is read
// as one [Text]. Each document inside it, such as a srcdoc, is another Text, whose bytes map back
// to the outer Text. A Text decodes a piece of itself to a [Value]. A [Maker] cuts a Value and adds
// the references in it to the Document:
//
//	m := reading.Maker{Text: t, Row: row, Kind: row.Kind, Layer: t.Current}
//	m.Value = t.Value(start, end)
//	m.Cut(row.Type)
//
// A finder finds the pieces of a format. The finders are in the packages page, xml and lines.
//
// Files in reading order: options.go, names.go (repeated strings), document.go, text.go, decode.go,
// begin.go (start of documents, also inside others), code.go (pieces of templates), maker.go,
// prose.go (running text).
package reading
