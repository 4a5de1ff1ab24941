// Package ref keeps the references of a document while it is read.
//
// The rooms that find references make a [Ref] here, without package extract, whose
// callers see it as their own type without what [Shape] holds besides. Most references of
// a document differ in nothing but their span and value: a [List] keeps the rest, the
// shape, once, so that nothing of it is copied before a reference is asked for.
//
// Files in reading order: layers.go, shape.go, list.go.
package ref
