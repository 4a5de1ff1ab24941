// Package lines finds the references of documents that are made of lines: the heading of a
// message, calendars and cards, plain, flowed and enriched text.
//
// Lines are unfolded to values with a map back onto the document, and cut by the tables of
// package place; running text is searched for URIs. Its references are only listed, as
// ListOnly of their formats and rows says: an edit would have to fold anew.
//
// Files in reading order: unfold.go, heading.go, plain.go, enriched.go, contentline.go,
// calendar.go.
package lines
