// Package value cuts the value of a place into references: the URLs of a srcset, a refresh, a Link
// field, a style sheet, a JSON block. The same functions cut the bytes of a document and the
// attributes of a tree.
//
//	var c value.Cutter
//	for c.Reset(row.Type, row.Kind, v); c.Next(); {
//		fmt.Printf("%s %s\n", c.Kind, c.AppendValue(nil))
//	}
//
// A value is already decoded and contains no character references. Each reference is a span of the
// value; an edit never changes the text between the references. This package does not cut running
// text, nor documents inside a value such as a srcdoc.
//
// Files in reading order: loader.go (filters of old browsers), cutter.go (the result), list.go
// (tokens and items), srcset.go, refresh.go, param.go and angle.go (header fields in general),
// link.go (the Link field), suspect.go (values that do not look like URLs), escape.go (decoding),
// pieces.go (parameters in pieces), external.go (bodies that are elsewhere), field.go, scriptend.go
// and data.go (JSON and scripts), sheet.go (style sheets), lazy.go (attributes for scripts), cut.go
// (by types).
package value
