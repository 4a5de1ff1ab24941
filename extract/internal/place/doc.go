// Package place is the tables of the places where references stand: which attributes of
// which elements, properties, members and header fields hold references, how, for what,
// and against what base they are resolved.
//
// All tables are written in one dialect, a [Row] being a line of seven columns. They are
// compiled when the first document that needs them is read. Rows are shared by all who
// read documents, and never changed. Nothing here reads a document.
//
// Files in reading order: kind.go and row.go (the dialect), names.go (names by number);
// the tables: html.go, text.go (texts of elements), xml.go, field.go (header fields),
// property.go (calendars and cards), member.go (manifests); what is made of them:
// rel.go (kinds of links), filter.go (what the scanner keeps), lookup.go and choice.go
// (HTML), xmllookup.go; for users: of.go (one place), tables.go (all as they are written).
package place
