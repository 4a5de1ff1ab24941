package ref

import (
	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/text"
)

// Ref is a reference as it is made.
type Ref struct {
	text.Span        // in the document
	Value     []byte // decoded
	Shape
}

// Shape is what a reference is but for its span and value: the same for most references
// of a document.
type Shape struct {
	Kind       place.Kind
	Element    string      // lower case
	Attr       string      // lower case; "" for text
	Rel        string      // link types as written
	Layer      *base.Layer // what it is resolved against, when all are known
	Identifier bool        // names something, and is not a link
	ListOnly   bool        // listed, and left as it is unless an option says otherwise
	Doubtful   bool        // perhaps a name and no reference, if it is relative
	Unsafe     bool        // listed only, since an edit there would damage the document
	Form       bool        // a FORM action or formaction

	LayerNumber int // number of Layer
	Context     escape.Context
	Broken      bool      // the value held bytes that are not of the charset
	Relative    bool      // the table gives its place a base
	Hyphen      bool      // in running text, where a line ended in a hyphen that may not belong to it
	Unclear     bool      // in running text, where it cannot be told whether the letters at its end belong to it
	Doubt       BaseDoubt // of the href of a BASE
	Joined      bool      // more may follow it in the string that it becomes a part of
	Prefix      bool      // when it moves, no more of it than its changed start is replaced
	Template    bool      // it stands in or beside a piece of a template
	UTF8        bool      // its query is written in UTF-8, whatever the charset of the document
	Plain       bool      // see plain; set when the document was read
}

// BaseDoubt is what may keep a BASE from meaning what its author means, a set of bits.
type BaseDoubt uint8

const (
	BaseNoScript BaseDoubt = 1 << iota // it counts, and stands in a noscript element
	BaseLate                           // it counts, and a relative reference stands before it
	BaseData                           // it would count, but is a data: or javascript: URL
	BaseRepeated                       // it does not count, since another one stands before it
)

// plain reports whether nothing has to be known of the place of a shape but its quotes: it
// is the whole value of an attribute of HTML in quotes, which is rewritten by default, and
// holds whatever is written.
func (r *Shape) plain() bool {
	p := &r.Context
	attribute := p.Outer == nil && !p.XML && !p.Sheet && !p.Comment && p.Roman == 0
	whole := p.List == escape.Single && p.Token == escape.NoToken &&
		p.Bare == escape.InQuotes && p.Open == 0 && !p.Fixed
	return attribute && whole && !r.Identifier && !r.ListOnly && !r.Template
}
