// Package value cuts the value of a place into references: the URLs of a srcset, of a
// refresh, of a Link field, of a style sheet, of a block of JSON. Bytes of a document and
// attributes of a tree are cut by the same functions.
//
//	var c value.Cutter
//	for c.Reset(row.Type, row.Kind, v); c.Next(); {
//		fmt.Printf("%s %s\n", c.Kind, c.AppendValue(nil))
//	}
//
// A value is decoded already: no character reference stands in it. Each reference is a
// span of it; what stands between them is never touched. Only a document inside of a
// value, as a srcdoc, and running text are not cut here.
//
// Files in reading order: loader.go (filters of old browsers), cutter.go (what is found),
// list.go (tokens and items), srcset.go, refresh.go, param.go and angle.go (header fields in
// general), link.go (the Link field), suspect.go (what does not look like a URL), escape.go (what
// the bytes of a reference stand for), external.go (bodies that are elsewhere), field.go,
// scriptend.go and data.go (JSON and scripts), sheet.go (style sheets), lazy.go (what scripts
// read), cut.go (by types).
package value
