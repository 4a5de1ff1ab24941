package xml

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
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
var htmlTypes = [][]byte{[]byte("//DTD XHTML"), []byte("//DTD MathML"),
	[]byte("//DTD RSS 0.91"), []byte("//DTD HTML"), []byte("//ENTITIES Latin 1")}

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
		case !ascii.Alnum.Has(c) && c < 0x80 && c != '_' && c != ':' && c != '.' && c != '-':
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
		dst = out
		if !whole || !ok {
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
	i += 2
	if i < len(data) && data[i] == 'x' {
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
