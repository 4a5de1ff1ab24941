// Package reading holds what the formats of documents have in common while one is read.
//
// A [Document] collects the references, layers and problems of one document. It is read as
// one [Text], and each document inside of it, as that of a srcdoc, is another Text whose
// bytes map back onto the one around it. A Text decodes a piece of itself to a [Value]; a
// [Maker] cuts a Value and adds the references in it to the Document:
//
//	m := reading.Maker{Text: t, Row: row, Kind: row.Kind, Layer: t.Current}
//	m.Value = t.Value(start, end)
//	m.Cut(row.Type)
//
// What finds the pieces of a format, a finder, is in package page, xml or lines.
//
// Files in reading order: options.go, names.go (strings that come again), document.go,
// text.go, decode.go, begin.go (of documents, and of those inside), code.go (pieces of
// templates), maker.go.
package reading
