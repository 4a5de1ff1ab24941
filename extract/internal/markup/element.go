package markup

import "encoding/binary"

// role is the effect of a start tag in the HTML namespace on the scan.
type role uint8

const (
	plain    role = iota
	rawText       // its content is text up to its end tag
	script        // the same by the rules of script data
	forever       // its content is text up to the end of the input
	svgRoot       // opens SVG content
	mathRoot      // opens MathML content
	template      // its content is not part of the document
	noscript      // its content is markup, but only without scripting
	frameset      // replaces the body
)

// roles are the elements with a role.
var roles = []string{
	"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext",
	"svg", "math", "template", "noscript", "frameset",
}

// withRole filters the names of roles.
var withRole = newNames(roles...)

// roleOf returns the role of an element by its folded name.
func roleOf(name string) role {
	switch name {
	case "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes":
		return rawText
	case "script":
		return script
	case "plaintext":
		return forever
	case "svg":
		return svgRoot
	case "math":
		return mathRoot
	case "template":
		return template
	case "noscript":
		return noscript
	case "frameset":
		return frameset
	}
	return plain
}

// word is a buffer for a folded name of an element of the standard. The longest name is
// annotation-xml.
type word [16]byte

// fold returns the name in lower case, or nil if it is longer than all known names.
func (w *word) fold(name []byte) []byte {
	if len(name) > len(w) {
		return nil
	}
	if cap(name) >= 8 && len(name) <= 8 {
		binary.LittleEndian.PutUint64(w[:], lowerWord(binary.LittleEndian.Uint64(name[:8])))
		return w[:len(name)]
	}
	for i, c := range name {
		w[i] = lower(c)
	}
	return w[:len(name)]
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// lowerWord returns eight bytes with their ASCII letters in lower case.
func lowerWord(w uint64) uint64 {
	low := w &^ highs
	upper := (low + ones*(0x80-'A')) &^ (low + ones*(0x7f-'Z')) &^ w & highs
	return w | upper>>2
}

// open applies the start tag that was just read. It sets s.Space.
func (s *Scanner) open(name []byte) {
	s.apply(name)
	s.settle()
}

func (s *Scanner) apply(name []byte) {
	var w word
	folded := w.fold(name)
	if len(s.stack) > 0 && !s.htmlRules(folded) {
		if !s.breaksOut(folded) {
			s.openForeign(folded)
			return
		}
		s.breakOut()
	}
	s.Space = HTML
	s.openHTML(folded)
}

// openHTML applies the rules of HTML content to a start tag.
func (s *Scanner) openHTML(name []byte) {
	r := roleOf(string(name))
	if s.whole {
		s.begin(string(name))
	}
	if s.frameset && string(name) != "noframes" {
		return
	}
	s.beginContent(string(name))
	switch r {
	case svgRoot, mathRoot:
		s.Space = SVG
		if r == mathRoot {
			s.Space = MathML
		}
		s.reconstruct()
		s.push(name, s.Space)
		return
	case template:
		s.templates++
	case noscript:
		s.noscripts++
	case frameset:
		s.frameset = s.framesetCounts()
	case rawText, script, forever:
		s.raw = r
	}
	if len(s.stack) > 0 || s.whole {
		s.openInside(string(name))
	}
}

// close applies the end tag that was just read.
func (s *Scanner) close(name []byte) {
	var w word
	folded := w.fold(name)
	switch {
	case len(s.stack) > 0 || s.whole:
		s.closeElement(name, string(folded))
		s.settle()
	case s.templates > 0 && string(folded) == "template":
		s.templates--
	}
	if s.noscripts > 0 && string(folded) == "noscript" {
		s.noscripts--
	}
}
