package ref

import (
	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Ref is a reference that is being made.
type Ref struct {
	text.Span        // in the document
	Value     []byte // decoded
	Shape
}

// Shape is a reference without its span and value. Most references of a document have one of a few
// shapes, so a list compares and stores a Shape as one value.
type Shape struct {
	Kind       place.Kind
	Element    string      // in lower case
	Attr       string      // in lower case; "" for text
	Rel        string      // link types as written
	Layer      *base.Layer // its base, when all layers are known
	Identifier bool        // names something, and is not a link
	ListOnly   bool        // listed, and left unchanged unless an option says otherwise
	Doubtful   bool        // perhaps a name and not a reference, if it is relative
	Unsafe     bool        // only listed, since an edit there would damage the document
	Form       bool        // a FORM action or formaction

	LayerNumber int // number of Layer
	Context     escape.Context
	InCharset
	InText
	Relative bool      // the table gives its place a base
	Doubt    BaseDoubt // of the href of a BASE
	Joined   bool      // other strings may be joined to it
	Prefix   bool      // it may be the start of a longer URL: see extract.Ref.Known
	Template Template  // how it depends on a template
	Plain    bool      // see plain; set when the document was read
}

// Template says how a reference depends on a template.
type Template uint8

const (
	NoTemplate Template = iota
	NearPiece           // it overlaps or touches a piece of a template
	InXSLT              // it contains a part of an expression in braces, in an attribute of a style sheet of XSLT
)

// InCharset tells how a reference is written in the charset of its document.
type InCharset struct {
	Broken bool // the value contained bytes that are invalid in the charset
	UTF8   bool // its query is written in UTF-8, whatever the charset of the document
}

// InText tells where a reference in running text begins and ends.
type InText struct {
	Text    bool // a URI in running text
	Hyphen  bool // a line ends in a hyphen that may not belong to it
	Unclear bool // the letters at its end may not belong to it
}

// BaseDoubt is a set of reasons why a BASE may not do what its author means.
type BaseDoubt uint8

const (
	BaseNoScript BaseDoubt = 1 << iota // it counts, and is in a noscript element
	BaseLate                           // it counts, and a relative reference precedes it
	BaseData                           // it would count, but is a data: or javascript: URL
	BaseRepeated                       // it does not count, since another one precedes it
)

// plain reports whether an edit needs to know only the quotes of the place. The reference must be
// the whole quoted value of an HTML attribute, must be rewritten by default, and its place must
// hold any URI.
func (r *Shape) plain() bool {
	p := &r.Context
	attribute := p.Outer == nil && !p.XML && !p.Sheet && !p.Comment && p.Roman == 0
	whole := p.List == escape.Single && p.Token == escape.NoToken &&
		p.Bare == escape.InQuotes && p.Open == 0 && !p.Fixed
	return attribute && whole && !r.Identifier && !r.ListOnly && r.Template == NoTemplate
}
