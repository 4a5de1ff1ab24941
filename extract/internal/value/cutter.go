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
	List      escape.List  // the kind of list that contains it, which sets its separators
	Token     escape.Token // the kind of token that contains it
	Quote     byte         // the quote around it, inside the value, or 0
	Kind      place.Kind   // KindIdentifier if it names something
	Rel       []byte       // its link types, in a Link field
	ListOnly  bool         // it is only listed
	Doubtful  bool         // if it is relative, it may not be a reference
	UTF8      bool         // its query is written in UTF-8, whatever the charset of the document
	Joined    bool         // other strings may be joined to it
	Prefix    bool         // it may be the start of a longer URL, so a move replaces only its changed start
	Fixed     bool         // in a script element it decides where the script ends, and must not change

	form form // how its bytes are decoded
}

// form is the decoding that the bytes of a reference need.
type form uint8

const (
	asItStands     form = iota
	inCSS               // escapes of CSS
	inJSON              // escapes of JSON, and the line ends of the file
	inScript            // escapes of a literal
	percentEncoded      // percent-encoded, as in a javascript: URL
	percentEscaped      // escapes of a literal, percent-encoded
	spaced              // white space was inserted
	cleaned             // by the rules for Content-Base
)

// Cutter yields the references of one value after another. The zero value is ready for Reset. In
// steady state it allocates nothing, except for escapes in Link fields and scripts. It is not safe
// for concurrent use.
type Cutter struct {
	Part         // the reference that Next found last
	Loaders bool // in style sheets, the pictures that filters of old browsers load are references

	value    []byte
	typ      place.ValueType
	kind     place.Kind
	at       int    // offset at which the search for the next reference begins, or -1 at the end
	parts    []Part // already found, in order
	css      css.Scanner
	json     json.Scanner
	literals json.Literals
	found    bool        // a literal of a javascript: URL was found, or the URL itself
	list     escape.List // of a reference that is the whole value
	origin   bool        // the value is a configuration of amp-analytics with a requestOrigin
	hides    bool        // the value is a script or a data block that contains "<!--"
	loader   loader      // finds pictures in a style sheet
	scratch  []byte
	clean    string // the value of a field, cleaned by the rules for this field
}

// take makes the first of the parts that were already found the current one.
func (c *Cutter) take() bool {
	if len(c.parts) == 0 {
		return false
	}
	c.Part = c.parts[0]
	c.parts = append(c.parts[:0], c.parts[1:]...)
	return true
}
