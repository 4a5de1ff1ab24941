package page

import (
	"bytes"
	"slices"

	"absolink/base"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// baseElement makes the href of a base element the base of the document. Only the first base
// element counts.
func (f *Finder) baseElement(href []byte) {
	if f.commented || !f.Scan.BaseCounts() || f.Other {
		return
	}
	if f.Outer == nil {
		f.Doc.Bases = append(f.Doc.Bases,
			reading.Base{Href: f.Doc.Refs.Last.Start, Tag: text.Span{Start: f.Scan.Start, End: f.Scan.End}})
	}
	if f.based >= 0 {
		if f.based != f.Scan.Start {
			f.doubt(ref.BaseRepeated, reading.BaseRepeated)
		}
		return
	}
	f.based = f.Scan.Start
	f.Doc.Layers.Set(f.Own, base.BaseElement, f.Doc.Intern(href))
	if f.Doc.Refs.Last.Template == ref.InXSLT {
		f.Doc.Layers.SetPattern(f.Own)
	}
	if f.Scan.NoScript > 0 {
		f.doubt(ref.BaseNoScript, reading.BaseInNoScript)
	}
	if f.Outer == nil && f.Doc.Refs.HasRelative(f.Own) {
		f.doubt(ref.BaseLate, reading.BaseLate)
	}
	if value := text.Stripped(href); text.HasPrefixFold(value, "data:") || text.HasPrefixFold(value, "javascript:") {
		f.doubt(ref.BaseData, reading.BaseData)
	}
}

// doubt records a reason why the BASE that was just read may not do what its author means. The href
// of this BASE is the last reference.
func (f *Finder) doubt(d ref.BaseDoubt, problem reading.Defect) {
	f.Doc.Refs.Last.Doubt |= d
	f.Problem(f.Scan.Start, problem)
}

// framed removes the base of a base element in a body that a frameset replaced.
func (f *Finder) framed() {
	if f.Scan.Frameset && f.based >= f.Scan.Head && f.based >= 0 {
		f.Doc.Layers.Set(f.Own, base.None, "")
	}
}

// BaseAt returns the index of the base element of d whose href begins at an offset. ok is false if
// d has no such element.
func BaseAt(d *reading.Document, href int) (i int, ok bool) {
	return slices.BinarySearchFunc(d.Bases, href, func(b reading.Base, href int) int { return b.Href - href })
}

// AppendHrefs appends the spans of all href attributes of base element n, as offsets in the
// document. HTML ignores a second href of the tag, but would use it if only the first were removed.
// In XML each href of a tag has an element of its own in d.Bases: the spans of all are returned for
// the first, and none for the others. t is the text of the document. exact reports whether case
// matters, as in XML.
func AppendHrefs(dst []text.Span, t *reading.Text, n int, exact bool) []text.Span {
	bases := t.Doc.Bases
	at := bases[n].Tag
	if n > 0 && bases[n-1].Tag == at {
		return dst
	}
	tag := t.Data[at.Start:at.End]
	for i := len("<base"); i < len(tag); {
		if c := tag[i]; ascii.Space.Has(c) || c == '/' || c == '>' {
			i++
			continue
		}
		name, end := attributeAt(tag, i)
		if string(tag[i:name]) == "href" || !exact && text.IsFold(tag[i:name], "href") {
			dst = append(dst, t.Source(text.Span{Start: at.Start + i, End: at.Start + end}))
		}
		i = end
	}
	return dst
}

// attributeAt returns the ends of the name and of the whole attribute that begins at tag[i] (HTML
// 13.2.5.33 to 39).
func attributeAt(tag []byte, i int) (name, end int) {
	for i++; i < len(tag) && !ascii.Space.Has(tag[i]) && tag[i] != '/' && tag[i] != '>' && tag[i] != '='; i++ {
	}
	name = i
	i = text.SkipBlank(tag, i)
	if i == len(tag) || tag[i] != '=' {
		return name, name
	}
	i = text.SkipBlank(tag, i+1)
	if i < len(tag) && (tag[i] == '"' || tag[i] == '\'') {
		if n := bytes.IndexByte(tag[i+1:], tag[i]); n >= 0 {
			return name, i + n + 2
		}
	}
	for i < len(tag) && !ascii.Space.Has(tag[i]) && tag[i] != '>' {
		i++
	}
	return name, i
}
