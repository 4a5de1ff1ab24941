package extract

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// What stands before the first element: the XML declaration with the charset,
// instructions that name style sheets, the document type declaration. What they
// refer to is resolved against the URI of the document alone.

// instruction looks at the instruction that was scanned.
func (x *xmlReader) instruction() {
	f, s := x.f, &x.f.scan
	const target = "xml-stylesheet"
	body := f.data[s.TextStart:s.TextEnd]
	if x.first || !bytes.HasPrefix(body, []byte(target)) || len(body) == len(target) || !text.IsBlank(body[len(target)]) {
		return
	}
	markup.PseudoAttributes(f.data[:s.TextEnd], s.TextStart+len(target), func(a markup.Attr) {
		if string(f.data[a.NameStart:a.NameEnd]) == "href" {
			f.element, f.rel = "?xml-stylesheet", ""
			m := maker{f: f, row: place.Stylesheet, attr: "href", kind: place.KindRes, layer: f.early, raw: &a, v: f.value(&a)}
			m.add(text.Span{Start: 0, End: len(m.v.bytes)}, escape.Single)
		}
	})
}

// doctype reads the document type declaration that was scanned.
func (x *xmlReader) doctype() {
	f, s := x.f, &x.f.scan
	if x.first {
		x.defect(s.Start)
		return
	}
	markup.Declarations(f.data, s.TextStart, s.TextEnd, func(d markup.Declaration) {
		if d.What == markup.DocumentType {
			x.dtd.typed(f.data[d.Public[0]:d.Public[1]])
		}
		if d.What == markup.Entity {
			literal := f.sheetText(d.Literal[0], d.Literal[1]).bytes
			x.dtd.declare(f.data[d.Name[0]:d.Name[1]], literal, d.Literal[1] == 0)
		}
		if d.Quote != 0 {
			x.system(d)
		}
	})
}

// declarations are the names of what declares a system identifier.
var declarationNames = [...]string{markup.DocumentType: "!doctype", markup.Entity: "!entity", markup.ParameterEntity: "!entity", markup.Notation: "!notation"}

// system lists a system identifier.
func (x *xmlReader) system(d markup.Declaration) {
	f := x.f
	f.element, f.rel = declarationNames[d.What], ""
	m := maker{f: f, row: place.System, attr: "system", kind: place.KindIdentifier, layer: f.early, v: f.sheetText(d.System[0], d.System[1])}
	x.dtd.unread = false
	m.add(text.Span{Start: 0, End: len(m.v.bytes)}, escape.Single)
}
