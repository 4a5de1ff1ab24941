package extract

import (
	"bytes"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
)

// What stands before the first element: the XML declaration with the charset,
// instructions that name style sheets, the document type declaration. What they
// refer to is resolved against the URI of the document alone.

// xmlCharset returns the charset of an XML document by its first bytes and its XML
// declaration (XML 1.0 Appendix F), UTF-8 where nothing is said.
func (d *Doc) xmlCharset() *charset.Encoding {
	switch {
	case bytes.HasPrefix(d.Data, []byte("<\x00?\x00")):
		return d.sets.get(labelUTF16LE)
	case bytes.HasPrefix(d.Data, []byte("\x00<\x00?")):
		return d.sets.get(labelUTF16BE)
	}
	cs := d.sets.get(declaredEncoding(d.Data))
	if cs == nil || wideForm(cs) != narrow {
		return d.sets.get(labelUTF8)
	}
	return cs
}

// declaredEncoding returns the label in the XML declaration that data begins with,
// nil if there is none.
func declaredEncoding(data []byte) []byte {
	rest, ok := bytes.CutPrefix(data, []byte("<?xml"))
	n := bytes.Index(rest, []byte("?>"))
	if !ok || n < 0 {
		return nil
	}
	var label []byte
	pseudoAttributes(data, Span{len("<?xml"), len("<?xml") + n}, func(a markup.Attr) {
		if string(data[a.NameStart:a.NameEnd]) == "encoding" {
			label = data[a.Start:a.End]
		}
	})
	return label
}

// pseudoAttributes calls yield with each name="value" of an instruction (Associating
// Style Sheets with XML documents, section 3), up to the first thing that is none.
func pseudoAttributes(data []byte, s Span, yield func(markup.Attr)) {
	for i := skipBlank(data[:s.End], s.Start); i < s.End; i = skipBlank(data[:s.End], i) {
		a := markup.Attr{NameStart: i, HasValue: true}
		for i < s.End && data[i] != '=' && !blank(data[i]) {
			i++
		}
		a.NameEnd = i
		if i = skipBlank(data[:s.End], i); i == s.End || data[i] != '=' {
			return
		}
		if i = skipBlank(data[:s.End], i+1); i == s.End || data[i] != '"' && data[i] != '\'' {
			return
		}
		n := bytes.IndexByte(data[i+1:s.End], data[i])
		if n < 0 {
			return
		}
		a.Quote, a.Start, a.End = data[i], i+1, i+1+n
		i += n + 2
		yield(a)
	}
}

// instruction looks at the instruction that was scanned.
func (x *xmlReader) instruction() {
	f, s := x.f, &x.f.scan
	const target = "xml-stylesheet"
	text := f.data[s.TextStart:s.TextEnd]
	if x.first || !bytes.HasPrefix(text, []byte(target)) || len(text) == len(target) || !blank(text[len(target)]) {
		return
	}
	pseudoAttributes(f.data, Span{s.TextStart + len(target), s.TextEnd}, func(a markup.Attr) {
		if string(f.data[a.NameStart:a.NameEnd]) == "href" {
			f.element, f.rel = "?xml-stylesheet", ""
			m := maker{f: f, row: &stylesheetPlace, attr: "href", kind: KindRes, layer: f.early, raw: &a, v: f.value(a.Start, a.End)}
			m.add(Span{0, len(m.v.bytes)}, single)
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
	m := maker{f: f, row: &systemPlace, attr: "system", kind: KindIdentifier, layer: f.early, v: f.sheetText(d.System[0], d.System[1])}
	x.dtd.unread = false
	m.add(Span{0, len(m.v.bytes)}, single)
}
