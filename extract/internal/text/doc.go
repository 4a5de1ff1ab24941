// Package text holds what a document is read as: spans of bytes, and decoded text with
// a map back onto the bytes that it was decoded from.
//
// Callers of package extract see [Span] and [Text] as well. What only those need who
// read documents are functions instead of methods, so that a Text has no more methods
// than its users need.
//
// Files in reading order: span.go, space.go (white space), fold.go (names in any case),
// ascii.go (plain runs), map.go (from decoded bytes to stored ones), text.go, build.go (functions
// for readers).
package text
