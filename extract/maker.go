package extract

import (
	"bytes"

	"absolink/extract/internal/json"
	"absolink/extract/internal/markup"
)

// maker makes the references of one attribute or piece of text.
type maker struct {
	f     *finder
	row   *Place
	attr  string
	id    uint8
	kind  Kind
	layer int
	raw   *markup.Attr // nil for text
	v     value
	sheet bool // the text of a style element without character references
}

// cut finds the references in the value of m by its type.
func (f *finder) cut(t ValueType, m *maker) {
	all := Span{0, len(m.v.bytes)}
	switch t {
	case TypeURL:
		if !f.doc.Options.Scripts || !m.scriptURL() {
			m.add(all, single)
		}
	case TypeBlanks:
		m.blanks()
	case TypeCommas:
		m.commas()
	case TypeSrcset:
		m.srcset()
	case TypeRefresh:
		m.refresh()
	case TypeCSS:
		m.css(true)
	case TypeDocument:
		m.document()
	case TypeName:
		m.add(all, single)
	case TypeCURIE:
		if !compact(m.v.bytes) {
			m.add(all, single)
		}
	case TypeNames:
		m.names()
	case TypeSemicolons:
		m.semicolons()
	case TypeAngles:
		m.angles()
	case TypeQuoted:
		m.quotedURLs()
	case TypeReports:
		m.reports()
	case TypeURIs:
		m.uris()
	case TypeGuess:
		m.guess()
	case TypeNamed:
		if v := stripped(m.v.bytes); !json.IsName(v) {
			m.add(all, nameForm)
		}
	case TypeScript:
		m.script()
	case TypeLinkedData:
		m.linkedData()
	case TypeImportMap:
		m.dataBlock((*json.Scanner).ImportMap)
	case TypeSpeculation:
		m.dataBlock((*json.Scanner).Speculation)
	}
}

// add records the reference that the span of the value holds.
func (m *maker) add(s Span, form listForm) *Ref {
	r := m.f.doc.refs.add()
	m.fill(r, s, form)
	return r
}

// fill makes r, which may hold an earlier reference, the one that the span of the
// value holds. It sets each field by itself: a whole Ref is made too often.
func (m *maker) fill(r *Ref, s Span, form listForm) {
	f := m.f
	r.Span = f.source(f.span(&m.v, s))
	r.Value = m.v.bytes[s.Start:s.End:s.End]
	r.Kind = m.kind
	r.Element, r.Attr, r.Rel = f.name(), m.attr, f.rel
	r.Identifier = m.row.Default == Never || m.kind == KindIdentifier || m.id == attrClassID && m.id > 0 && opaqueClass(r.Value)
	r.ListOnly = f.doc.Options.listOnly(m.row)
	r.Form = m.id > 0 && (m.id == attrAction || m.id == attrFormAct)
	r.layer, r.broken, r.noscript, r.hyphen, r.unclear = m.layer, m.v.broken, false, false, false
	r.utf8 = f.outer != nil // the charset of a srcdoc is UTF-8
	r.relative = m.row.Base != BaseNone
	r.place = place{outer: f.place, list: form, sheet: m.sheet}
	m.quote(r, s)
	if m.v.mapped || f.outer != nil {
		r.place.open = f.openBefore(&m.v, s)
	}
	if f.xmlDoc != nil {
		f.xmlDoc.settle(f, &m.v, s, r)
	}
	if len(f.doc.shifts) > 0 {
		f.doc.settleShift(r)
	}
}

// name returns the name of the element of the tag being read.
func (f *finder) name() string {
	if f.element == "" {
		f.element = f.doc.internLower(f.data[f.scan.NameStart:f.scan.NameEnd])
	}
	return f.element
}

// quote notes the quotes of the attribute in the place of r.
func (m *maker) quote(r *Ref, s Span) {
	if m.raw == nil {
		r.place.quote = '"' // text: what an attribute escapes is more than enough
		return
	}
	r.place.quote = m.raw.Quote
	switch {
	case m.raw.Quote != 0:
	case !m.raw.HasValue:
		r.place.bare = bareAbsent
	case s.Start == 0 && s.End == len(m.v.bytes):
		r.place.bare = bareWhole
	default:
		r.place.bare = barePart
	}
}

// openBefore returns a bit for each document, from f outward, in which a
// character reference without its semicolon ends where s begins.
func (f *finder) openBefore(v *value, s Span) (open uint16) {
	if v.mapped && s.Start > 0 && f.text.openBefore(v.start+s.Start, f.data) {
		open = 1
	}
	at := f.span(v, s).Start
	for bit := uint16(2); f.outer != nil; bit <<= 1 {
		out := f.outer
		if at > 0 && out.text.openBefore(f.at+at, out.data) {
			open |= bit
		}
		at = out.text.Raw(Span{f.at + at, f.at + at}).Start
		f = out
	}
	return open
}

// openBefore reports whether what was decoded before i is a character reference
// in raw without its semicolon, or an '&' that may begin one.
func (t *Text) openBefore(i int, raw []byte) bool {
	r := t.find(i - 1)
	if r.form == same {
		return raw[r.raw.Start+i-1-r.at] == '&'
	}
	return r.form == token && raw[r.raw.Start] == '&' && raw[r.raw.End-1] != ';'
}

// opaqueClass reports whether a classid names a class rather than a file.
func opaqueClass(v []byte) bool {
	v = bytes.TrimLeft(v, "\t\n\f\r ")
	return hasPrefixFold(v, "clsid:") || hasPrefixFold(v, "java:")
}

// hasPrefixFold reports whether v begins with prefix, which is lower case, in any case.
func hasPrefixFold(v []byte, prefix string) bool {
	return len(v) >= len(prefix) && isFold(v[:len(prefix)], prefix)
}

// compact reports whether v is a compact URI or a blank node (RDFa 1.1 section 6).
func compact(v []byte) bool {
	v = bytes.TrimLeft(v, "\t\n\f\r ")
	return len(v) > 0 && v[0] == '[' || bytes.HasPrefix(v, []byte("_:"))
}

// document reads a srcdoc.
func (m *maker) document() {
	f := m.f
	if f.depth == maxSrcdoc {
		f.doc.problem(f.source(m.v.raw).Start, "srcdoc-too-deep")
		return
	}
	mapped := m.v
	if !mapped.mapped {
		mapped = f.copied(m.v)
	}
	in := f.inside(mapped, m.layer)
	m.fill(&f.frame, Span{}, single)
	in.place = f.doc.newPlace()
	if *in.place = f.frame.place; in.place.bare == bareWhole {
		in.place.bare = barePart
	}
	in.html()
}

// copied returns v as a part of f.text.
func (f *finder) copied(v value) value {
	f.text.runs = f.text.runs[:0]
	start := len(f.text.Data)
	f.text.mapped = true
	f.text.AppendSame(v.raw.Start, v.bytes)
	return value{bytes: f.text.Data[start:], start: start, mapped: true, raw: v.raw}
}
