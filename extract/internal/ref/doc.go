// Package ref keeps the references of a document while it is read.
//
// The packages that find references create a [Ref] here and do not import package extract. Callers
// of extract see its own type without the internal fields of [Shape]. Most references of a document
// differ only in their span and value. A [List] keeps the rest, the shape, only once, and copies it
// only when a caller asks for a reference.
//
// Files in reading order: layers.go, shape.go, list.go.
package ref
