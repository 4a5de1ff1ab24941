// Package place contains the tables of places. A place is where a document may have references: an
// attribute of an element, a property, a member, or a header field. The tables have the format, the
// purpose and the base of the references in each place.
//
// All tables consist of rows of the type [Row]. A table is compiled when the first document that
// needs it is read. All readers of documents share the rows, which never change. This package does
// not read documents.
//
// Files in reading order: kind.go and row.go (the format), names.go (names by number); the tables:
// html.go, text.go (texts of elements), xml.go, field.go (header fields), property.go (calendars
// and cards), member.go (manifests), markdown.go; the compiled tables: rel.go (kinds of links),
// filter.go (for the scanner), lookup.go and choice.go (HTML), xmllookup.go; for users: of.go (one
// place), tables.go (all tables as they are written).
package place
