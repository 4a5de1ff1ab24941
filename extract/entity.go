package extract

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Entities are those of XML itself, those that the internal subset of the document
// declares, and the names of HTML where the document type is one whose external
// subset declares them. What a reference to another one stands for cannot be
// known: it stays as it is written, and a value with it is listed and left alone.
// Entities may refer to entities; how deep, and to how much text in all, is bounded.

// entities are those that a document declares.
type entities struct {
	texts   map[string][]byte // replacement texts by name; nil = external, or holds markup
	html    bool              // the names of HTML are declared
	room    int               // how many bytes may still be replaced
	used    bool              // one stood for more than one character
	scratch []byte
	unread  bool // the value decoded last refers to one that is not known
}

const (
	maxEntityDepth = 16
	maxExpansion   = 1 << 20 // bytes of replacement text of a document
	maxEntityName  = 256
)

func (e *entities) reset() {
	clear(e.texts)
	*e = entities{texts: e.texts, scratch: e.scratch, room: maxExpansion}
}

// htmlTypes are parts of the public identifiers of document types whose external
// subset declares the names of HTML.
var htmlTypes = [][]byte{[]byte("//DTD XHTML"), []byte("//DTD MathML"), []byte("//DTD RSS 0.91"), []byte("//DTD HTML"), []byte("//ENTITIES Latin 1")}

// typed notes the public identifier of the document type.
func (e *entities) typed(public []byte) {
	for _, t := range htmlTypes {
		e.html = e.html || bytes.Contains(public, t)
	}
}

// declare takes the declaration of an entity. The first of one name counts. In its
// literal only character references are replaced now (XML 1.0 section 4.4).
func (e *entities) declare(name, literal []byte, external bool) {
	if _, ok := e.texts[string(name)]; ok || len(name) > maxEntityName {
		return
	}
	if e.texts == nil {
		e.texts = make(map[string][]byte)
	}
	if external {
		e.texts[string(name)] = nil
		return
	}
	text := make([]byte, 0, len(literal))
	for i := 0; i < len(literal); {
		if r, next, ok := numericXML(literal, i); ok {
			text, i = utf8.AppendRune(text, r), next
			continue
		}
		text = append(text, literal[i])
		i++
	}
	if bytes.IndexByte(text, '<') >= 0 && !onlyAngle(literal) {
		text = nil
	}
	e.texts[string(name)] = text
}

// onlyAngle reports whether the literal declares the '<' itself.
func onlyAngle(literal []byte) bool { return string(literal) == "&#38;#60;" }

// predefined are the entities of XML itself (section 4.6).
var predefined = [...]struct{ name, text string }{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", `"`}, {"apos", "'"}}

// reference decodes the reference at data[i], which is '&'. whole is false where
// none stands there; ok is false where it is one whose text is not known.
func (e *entities) reference(dst, data []byte, i, depth int) (out []byte, next int, whole, ok bool) {
	if r, next, ok := numericXML(data, i); ok {
		return utf8.AppendRune(dst, r), next, true, true
	}
	name, next := entityName(data, i+1)
	if name == nil {
		return dst, i, false, false
	}
	for _, p := range predefined {
		if string(name) == p.name {
			return append(dst, p.text...), next, true, true
		}
	}
	out, ok = e.expand(dst, name, depth)
	return out, next, true, ok
}

// entityName returns the name at i with the offset after its ';', nil if none stands there.
func entityName(data []byte, i int) (name []byte, next int) {
	for j := i; j < len(data) && j-i <= maxEntityName; j++ {
		switch c := data[j]; {
		case c == ';' && j > i:
			return data[i:j], j + 1
		case !ascii.IsAlnum(c) && c < 0x80 && c != '_' && c != ':' && c != '.' && c != '-':
			return nil, i
		}
	}
	return nil, i
}

// expand appends the text of an entity, with the references in it replaced.
func (e *entities) expand(dst, name []byte, depth int) (out []byte, ok bool) {
	text, declared := e.texts[string(name)]
	switch {
	case !declared && e.html:
		return appendHTMLName(dst, name)
	case text == nil && (declared || len(e.texts) == 0), !declared, depth == maxEntityDepth, len(text) > e.room:
		return dst, false
	}
	e.room -= len(text)
	start := len(dst)
	for i := 0; i < len(text); {
		if text[i] != '&' {
			dst = append(dst, text[i])
			i++
			continue
		}
		out, next, whole, ok := e.reference(dst, text, i, depth+1)
		if dst = out; !whole || !ok {
			return dst[:start], false
		}
		i = next
	}
	return dst, true
}

// appendHTMLName appends what a name of HTML stands for.
func appendHTMLName(dst, name []byte) (out []byte, ok bool) {
	ref := append(append(append(make([]byte, 0, len(name)+2), '&'), name...), ';')
	text, end, ok := markup.NextReference(ref, 0, false)
	if !ok || end < len(ref) {
		return dst, false
	}
	return append(dst, text...), true
}

// numericXML decodes the character reference at data[i] (production 66); ok is
// false where none stands there.
func numericXML(data []byte, i int) (r rune, next int, ok bool) {
	if !bytes.HasPrefix(data[i:], []byte("&#")) {
		return 0, i, false
	}
	radix := rune(10)
	if i += 2; i < len(data) && data[i] == 'x' {
		radix = 16
		i++
	}
	start := i
	for ; i < len(data) && r <= utf8.MaxRune; i++ {
		d := rune(ascii.Hex(data[i]))
		if d < 0 || d >= radix {
			break
		}
		r = r*radix + d
	}
	if i == start || i == len(data) || data[i] != ';' || !escape.IsXML(r) {
		return 0, i, false
	}
	return r, i + 1, true
}

// decode decodes references, line ends and the charset between two offsets of the
// XML text. In an attribute value a tab and a line end are blanks (section 3.3.3).
func (x *xmlReader) decode(start, end int, attr bool) decoded {
	f := x.f
	x.dtd.unread = false
	v := decoded{bytes: f.data[start:end], start: start, raw: text.Span{Start: start, End: end}}
	n := markup.PlainEnd(v.bytes, 0)
	special := n < len(v.bytes) && !(v.bytes[n] >= 0x80 && f.charset() == nil && isClean(v.bytes[n:]))
	if !special && !(attr && bytes.ContainsAny(v.bytes, "\t\n")) {
		return v
	}
	v = f.begin(v.raw)
	v.broken = x.appendDecoded(start, end, attr)
	return f.taken(v)
}

// appendDecoded appends the bytes between two offsets to the text of the finder,
// decoded, and reports whether some were not of the charset.
func (x *xmlReader) appendDecoded(start, end int, attr bool) (broken bool) {
	f := x.f
	data, t := f.data[:end], &f.text
	for i := start; i < end; {
		n := 0
		for i+n < end && !specialXML(data[i+n], attr) {
			n++
		}
		if n > 0 {
			t.AppendSame(i, data[i:i+n])
			i += n
			continue
		}
		var buf [8]byte
		next := i + 1
		switch c := data[i]; {
		case c == '&':
			next = x.appendReference(data, i)
		case c == '\r' && next < end && data[next] == '\n':
			next++
			t.AppendToken(text.Span{Start: i, End: next}, breakXML(attr))
		case c == '\r', c == '\n', c == '\t':
			t.AppendToken(text.Span{Start: i, End: next}, breakXML(attr))
		case c == 0:
			t.AppendToken(text.Span{Start: i, End: next}, replacement)
		default:
			var char []byte
			var ok bool
			char, next, ok = f.char(buf[:0], data, i)
			broken = broken || !ok
			t.AppendToken(text.Span{Start: i, End: next}, char)
		}
		i = next
	}
	return broken
}

// specialXML reports whether c does not stand for itself. A tab does not in attributes.
func specialXML(c byte, attr bool) bool {
	return c == '&' || c >= 0x80 || c == '\r' || c == 0 || attr && (c == '\n' || c == '\t')
}

func breakXML(attr bool) []byte {
	if attr {
		return []byte(" ")
	}
	return []byte("\n")
}

// appendReference appends what the '&' at i begins, and returns the offset after it.
func (x *xmlReader) appendReference(data []byte, i int) (next int) {
	t := &x.f.text
	out, next, whole, ok := x.dtd.reference(x.dtd.scratch[:0], data, i, 0)
	x.dtd.scratch = out
	switch {
	case !whole:
		x.defect(i)
		t.AppendSame(i, data[i:i+1])
		return i + 1
	case !ok:
		x.dtd.unread, x.dtd.used = true, true
		x.problem(i, "unread-entity")
		t.AppendToken(text.Span{Start: i, End: next}, data[i:next])
		return next
	}
	if _, n := utf8.DecodeRune(out); n < len(out) {
		x.dtd.used = true
	}
	t.AppendToken(text.Span{Start: i, End: next}, out)
	return next
}
