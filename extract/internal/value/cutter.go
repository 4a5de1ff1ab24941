package value

import (
	"absolink/extract/internal/css"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Part is one reference of a value.
type Part struct {
	text.Span              // in the value
	List      escape.List  // between which separators it stands
	Token     escape.Token // what it is written as
	Quote     byte         // around it, inside of the value; 0 = none
	Kind      place.Kind   // KindIdentifier where it names something
	Rel       []byte       // its link types, in a Link field
	ListOnly  bool         // it is listed only
	Doubtful  bool         // it may be no reference if it is relative
	UTF8      bool         // its query is written in UTF-8, whatever the charset of the document
	Joined    bool         // more may follow it in what it becomes a part of
	Prefix    bool         // it may be a part of more: when it moves, no more of it than its changed start is replaced
	Fixed     bool         // in the text of a script element it decides where that ends, and must stay as it is

	form form // what its bytes stand for
}

// form is what the bytes of a reference stand for.
type form uint8

const (
	asItStands     form = iota
	inCSS               // escapes of CSS
	inJSON              // escapes of JSON, and the line ends of the file
	inScript            // escapes of a literal
	percentEncoded      // percent-encoded, as in a javascript: URL
	percentEscaped      // escapes of a literal, percent-encoded
	spaced              // white space was put into it
	cleaned             // by the rules for Content-Base
)

// Cutter yields the references of one value after another. The zero value is ready for
// Reset. In steady state it allocates nothing but for what Link fields and scripts escape.
// It is not safe for concurrent use.
type Cutter struct {
	Part         // what Next found last
	Loaders bool // the pictures that filters of old browsers load are references in style sheets

	value    []byte
	typ      place.ValueType
	kind     place.Kind
	at       int    // from where on references are looked for; -1 = nowhere
	parts    []Part // found already, in their order
	css      css.Scanner
	json     json.Scanner
	literals json.Literals
	found    bool        // a literal of a javascript: URL was found, or the URL itself
	list     escape.List // of a reference that is the whole value
	hides    bool        // the value is a script or a data block with "<!--" in it
	loader   loader      // of pictures in a style sheet
	scratch  []byte
	clean    string // the value of a field, by its rules
}

// take makes the first of the parts that were found already the current one.
func (c *Cutter) take() bool {
	if len(c.parts) == 0 {
		return false
	}
	c.Part = c.parts[0]
	c.parts = append(c.parts[:0], c.parts[1:]...)
	return true
}
