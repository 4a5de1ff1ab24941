package xml

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/escape"
	"absolink/extract/internal/markup"
	"absolink/resolve/ascii"
)

// The known entities are the predefined ones of XML and the ones that the internal subset of the
// document declares. The names of HTML are known if the external subset of the document type
// declares them. The text of any other entity is unknown. A reference to it stays as written, and a
// value with such a reference is only listed. Entities may refer to entities; the depth and the
// total length of the text are limited.

// entities are the entities of a document.
type entities struct {
	texts   map[string][]byte // replacement texts by name; nil if the entity is external or contains markup
	html    bool              // the names of HTML are declared
	room    int               // number of bytes of replacement text that may still be used
	used    bool              // an entity was replaced by more than one character
	scratch []byte
	unread  bool // the value decoded last refers to an unknown entity
}

const (
	maxEntityDepth = 16
	maxExpansion   = 1 << 20 // bytes of replacement text per document
	maxEntityName  = 256
)

func (e *entities) reset() {
	clear(e.texts)
	*e = entities{texts: e.texts, scratch: e.scratch, room: maxExpansion}
}

// htmlTypes are parts of the public identifiers of document types whose external subset declares
// the names of HTML.
var htmlTypes = [][]byte{[]byte("//DTD XHTML"), []byte("//DTD MathML"),
	[]byte("//DTD RSS 0.91"), []byte("//DTD HTML"), []byte("//ENTITIES Latin 1")}

// typed notes the public identifier of the document type.
func (e *entities) typed(public []byte) {
	for _, t := range htmlTypes {
		e.html = e.html || bytes.Contains(public, t)
	}
}

// declare adds the declaration of an entity. The first declaration of a name counts. Only character
// references in its literal are replaced now (XML 1.0 section 4.4).
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

// reference decodes the reference at data[i], which is '&'. whole is false if it is not a
// reference. ok is false if the text of the entity is unknown.
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

// entityName returns the name at i and the offset after its ';'. The name is nil if no name ends
// with a ';' there.
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

// expand appends the text of an entity and replaces the references in it.
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

// appendHTMLName appends the characters of a name of HTML.
func appendHTMLName(dst, name []byte) (out []byte, ok bool) {
	ref := append(append(append(make([]byte, 0, len(name)+2), '&'), name...), ';')
	text, end, ok := markup.NextReference(ref, 0, false)
	if !ok || end < len(ref) {
		return dst, false
	}
	return append(dst, text...), true
}

// numericXML decodes the character reference at data[i] (production 66). ok is false if data[i]
// does not begin one.
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
