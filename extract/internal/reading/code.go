package reading

import (
	"absolink/extract/internal/place"
	"absolink/extract/internal/template"
	"absolink/extract/internal/text"
)

// MarkCode marks the references that overlap or touch a template piece in t, the text of the
// document. The program in the piece may do anything with them. MarkCode looks for pieces only if
// there are references.
func (d *Document) MarkCode(t *Text) {
	if d.Refs.Len() == 0 {
		return
	}
	d.code = template.Code(d.code[:0], t.Data)
	if len(d.code) == 0 {
		return
	}
	for i, s := range d.code {
		d.code[i] = d.Whole.Raw(s)
	}
	d.Refs.MarkTemplate(d.code)
}

// pieces are the template pieces of a value that is a list. Such a piece may be cut into several
// references. The zero value has no pieces.
type pieces struct {
	value []byte
	text.Span
	ok bool // there is another piece
}

// isList reports whether the values of a type are lists.
func isList(t place.ValueType) bool {
	switch t {
	case place.TypeBlanks, place.TypeCommas, place.TypeSrcset, place.TypeSemicolons, place.TypeURIs:
		return true
	}
	return false
}

// begin finds the first piece of a value.
func (p *pieces) begin(value []byte) {
	p.value = value
	p.Span, p.ok = template.Next(value, 0)
}

// hold reports whether a piece overlaps or touches a span. The span must not begin before the span
// of the previous call.
func (p *pieces) hold(s text.Span) bool {
	for p.ok && p.End < s.Start {
		p.Span, p.ok = template.Next(p.value, p.End)
	}
	return p.ok && p.Start <= s.End
}
