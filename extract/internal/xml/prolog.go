package xml

import (
	"bytes"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// The prolog comes before the first element: the XML declaration with the charset, instructions
// that name style sheets, and the document type declaration. Its references are resolved only
// against the URI of the document.

// instruction reads the instruction that was just scanned.
func (x *Reader) instruction() {
	f, s := x.f, &x.f.Scan
	const target = "xml-stylesheet"
	body := f.Data[s.TextStart:s.TextEnd]
	if x.first || !bytes.HasPrefix(body, []byte(target)) ||
		len(body) == len(target) || !ascii.Space.Has(body[len(target)]) {
		return
	}
	markup.PseudoAttributes(f.Data[:s.TextEnd], s.TextStart+len(target), func(a markup.Attr) {
		if string(f.Data[a.NameStart:a.NameEnd]) == "href" {
			f.Element, f.Rel = "?xml-stylesheet", ""
			m := reading.Maker{Text: &f.Text, Row: place.Stylesheet, Attr: "href",
				Kind: place.KindRes, Layer: f.Fallback, Raw: &a, Value: f.AttrValue(&a)}
			m.Add(text.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Single)
		}
	})
}

// doctype reads the document type declaration that was just scanned.
func (x *Reader) doctype() {
	f, s := x.f, &x.f.Scan
	if x.first {
		x.defect(s.Start)
		return
	}
	markup.Declarations(f.Data, s.TextStart, s.TextEnd, func(d markup.Declaration) {
		if d.What == markup.DocumentType {
			x.dtd.typed(f.Data[d.Public[0]:d.Public[1]])
		}
		if d.What == markup.Entity {
			literal := f.Text.Text(d.Literal[0], d.Literal[1]).Bytes
			x.dtd.declare(f.Data[d.Name[0]:d.Name[1]], literal, d.Literal[1] == 0)
		}
		if d.Quote != 0 {
			x.system(d)
		}
	})
}

// declarationNames are the names of the declarations with a system identifier.
var declarationNames = [...]string{markup.DocumentType: "!doctype", markup.Entity: "!entity",
	markup.ParameterEntity: "!entity", markup.Notation: "!notation"}

// system lists a system identifier.
func (x *Reader) system(d markup.Declaration) {
	f := x.f
	f.Element, f.Rel = declarationNames[d.What], ""
	m := reading.Maker{Text: &f.Text, Row: place.System, Attr: "system",
		Kind: place.KindIdentifier, Layer: f.Fallback, Value: f.Text.Text(d.System[0], d.System[1])}
	x.dtd.unread = false
	m.Add(text.Span{Start: 0, End: len(m.Value.Bytes)}, escape.Single)
}
