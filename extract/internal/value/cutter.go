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
	text.Span              // the span in the value
	List      escape.List  // the kind of list that contains it, which sets its separators
	Token     escape.Token // the kind of token that contains it
	Quote     byte         // the quote around it, inside the value, or 0
	Kind      place.Kind   // KindIdentifier if it only identifies something
	Rel       []byte       // its link types, in a Link field
	ListOnly  bool         // it is listed, but never edited
	Doubtful  bool         // if it is relative, it may not be a reference
	UTF8      bool         // its query is written in UTF-8, whatever the charset of the document
	Joined    bool         // it may be joined with other strings
	Prefix    bool         // a program may append to it, so an edit replaces only the part that changes
	Fixed     bool         // a change may move the end of its script element: see mayDecideEnd

	form form // how its bytes are decoded
}

// form says how the bytes of a reference are decoded.
type form uint8

const (
	verbatim       form = iota // the bytes are the reference
	inCSS                      // escapes of CSS
	inJSON                     // escapes of JSON, and line ends that HTML changes
	inScript                   // escapes of a string literal
	percentEncoded             // percent-encoded, as in a javascript: URL
	percentEscaped             // escapes of a string literal, percent-encoded
	spaced                     // white space inside the reference is removed
	cleaned                    // replaced by cleanedURI
)

// Cutter yields the references of one value after another. The zero value is ready for Reset. In
// steady state it allocates nothing, except for values with escapes, and header fields with
// parameters or comments. It is not safe for concurrent use.
type Cutter struct {
	Part // the reference that Next found last
	// If Loaders is set, Next also finds two kinds of references: in style sheets, the pictures
	// that filters of old browsers load; in attributes that scripts read, the strings of
	// javascript: URLs.
	Loaders bool

	value      []byte
	typ        place.ValueType
	kind       place.Kind
	at         int    // offset at which the search for the next reference begins, or -1 at the end
	parts      []Part // references that were found, but not yet returned, in their order
	css        css.Scanner
	json       json.Scanner
	literals   json.Literals
	found      bool        // the first reference of a javascript: URL was returned
	list       escape.List // List of a reference that is the whole value
	hasOrigin  bool        // the value is a configuration of amp-analytics with a requestOrigin
	hasComment bool        // the value is a script or a data block that contains "<!--"
	loader     loader      // finds pictures in a style sheet
	scratch    []byte
	cleanedURI string // URI that was made from the value of a field
}

// popPart removes the first of c.parts, and makes it the current part. It returns false if there is
// none.
func (c *Cutter) popPart() bool {
	if len(c.parts) == 0 {
		return false
	}
	c.Part = c.parts[0]
	c.parts = append(c.parts[:0], c.parts[1:]...)
	return true
}
