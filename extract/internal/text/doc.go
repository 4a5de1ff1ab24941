// Package text defines spans of bytes, and decoded text with a map back to the raw bytes from which
// it was decoded.
//
// Callers of package extract also see [Span] and [Text]. Operations that only readers of documents
// need are functions instead of methods, so that a Text has no more methods than its users need.
//
// Files in reading order: span.go, space.go (white space), fold.go (names in any case), ascii.go
// (runs of ASCII), map.go (from decoded to raw bytes), text.go, build.go (functions for readers).
package text
