package extract

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract/internal/json"
)

// Script elements hold data blocks beside scripts. What they hold is told by the
// type attribute of the tag, which comes before their text.

// texts are the rows of texts of elements.
var texts = []Place{
	{"style svg:style", "", TypeCSS, BaseDocument, KindRes, Rewrite, ""},
	{"script", "", TypeLinkedData, BaseDocument, KindMeta, ListOnly, "type=application/ld+json"},
	{"script", "", TypeImportMap, BaseDocument, KindScript, Rewrite, "type=importmap"},
	{"script", "", TypeSpeculation, BaseDocument, KindRes, ListOnly, "type=speculationrules"},
	{"script", "", TypeScript, BaseDocument, KindScript, Scripts, ""},
}

// Rows of texts.
var (
	textPlace   = texts[0]
	scriptPlace = &texts[len(texts)-1]
)

// scriptTag notes what the text of the script that begins will be.
func (f *finder) scriptTag() {
	f.blockAt, f.block = f.scan.NameStart, nil
	a := f.attribute(attrType)
	if a == nil {
		f.block = scriptPlace
		return
	}
	t := stripped(f.value(a.Start, a.End).bytes)
	for i := range scriptTypes {
		if isFold(t, scriptTypes[i].name) {
			f.block = scriptTypes[i].row
			return
		}
	}
}

// scriptTypes are the types of script elements that mean something: those of JavaScript,
// of JSON for a script, and of data blocks.
var scriptTypes = func() []scriptType {
	var list []scriptType
	for _, name := range strings.Fields("text/javascript application/javascript module application/json application/x-javascript " +
		"text/ecmascript application/ecmascript text/jscript") {
		list = append(list, scriptType{name, scriptPlace})
	}
	for i := range texts {
		if name, ok := strings.CutPrefix(texts[i].If, "type="); ok {
			list = append(list, scriptType{name, &texts[i]})
		}
	}
	return append(list, scriptType{"", scriptPlace})
}()

type scriptType struct {
	name string
	row  *Place // of the text
}

// scriptText looks at the text of a script element.
func (f *finder) scriptText() {
	s, row := &f.scan, f.block
	if f.blockAt != s.NameStart {
		row = scriptPlace // its tag has no attribute that matters
	}
	f.element, f.rel = "script", ""
	if row != nil && (row.Default != Scripts || f.doc.Options.Scripts) {
		m := maker{f: f, row: row, kind: row.Kind, layer: f.late, v: f.nulReplaced(s.TextStart, s.TextEnd), sheet: true}
		f.cut(row.Type, &m)
	}
	if row == nil || row == scriptPlace {
		f.namedMap(s.TextStart, s.TextEnd)
	}
}

// nulReplaced decodes text in which NUL is U+FFFD: that of raw text elements (HTML
// 13.2.5.3–4) and style sheets (CSS Syntax Level 3 section 3.3).
func (f *finder) nulReplaced(start, end int) value {
	if bytes.IndexByte(f.data[start:end], 0) < 0 {
		return f.sheetText(start, end)
	}
	f.text.runs = f.text.runs[:0]
	v := value{start: len(f.text.Data), mapped: true, raw: Span{start, end}}
	for i := start; i < end; i++ {
		n := bytes.IndexByte(f.data[i:end], 0)
		if n < 0 {
			n = end - i
		}
		v.broken = f.appendCharset(i, i+n) || v.broken
		if i += n; i < end {
			f.text.AppendToken(Span{i, i + 1}, replacement)
		}
	}
	v.bytes = f.text.Data[v.start:len(f.text.Data):len(f.text.Data)]
	return v
}

// namedMap adds the URL of the source map that the text of a script or style element
// names at its end.
func (f *finder) namedMap(start, end int) {
	if end-start < len("//# sourceMappingURL=") {
		return
	}
	from, to, ok := json.SourceMap(f.data[start:end])
	if !ok || f.doc.refs.end() > f.source(Span{start + from, start + to}).Start {
		return // also in what is no comment, but a part of a URL that is not closed
	}
	m := maker{f: f, row: &sourceMapPlace, kind: KindService, layer: f.late, v: f.nulReplaced(start+from, start+to), sheet: true}
	m.add(Span{0, len(m.v.bytes)}, blankList)
}

// dataBlock adds the strings of a block of JSON that are URLs by role.
func (m *maker) dataBlock(role func(*json.Scanner, []byte) json.Role) {
	s := &m.f.json
	for s.Reset(m.v.bytes); s.Next(); {
		v := m.literal(s)
		if s.Escaped {
			v = m.f.unescapedLiteral(v)
		}
		switch role(s, v) {
		case json.URL:
			m.addToken(Span{s.Start, s.End}, v, literalToken)
		case json.Identifier:
			r := m.addToken(Span{s.Start, s.End}, v, literalToken)
			r.Identifier, r.Kind = true, KindIdentifier
		}
	}
}

// literal returns the string that s found, with its escapes.
func (m *maker) literal(s *json.Scanner) []byte {
	v := m.v.bytes[s.Start:s.End:s.End]
	if m.sheet && bytes.IndexByte(v, '\r') >= 0 {
		v = lineFeeds(v)
	}
	return v
}

// lineFeeds returns v with the line ends that the preprocessing of HTML makes of
// it (13.2.3.5).
func lineFeeds(v []byte) []byte {
	v = bytes.ReplaceAll(v, []byte("\r\n"), []byte{'\n'})
	return bytes.ReplaceAll(v, []byte{'\r'}, []byte{'\n'})
}

// linkedData adds the URLs of JSON-LD. An @base in its context is the base of the
// block (JSON-LD 1.1 section 4.1.3).
func (m *maker) linkedData() {
	if s := &m.f.json; bytes.Contains(m.v.bytes, []byte("@base")) {
		for s.Reset(m.v.bytes); s.Next(); {
			v := json.AppendUnescaped(nil, m.literal(s))
			if s.LinkedData(v) == json.Base {
				m.layer = m.f.doc.layers.add(base.JSONBase, string(v), m.f.late)
				break
			}
		}
	}
	m.dataBlock((*json.Scanner).LinkedData)
}
