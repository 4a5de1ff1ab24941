package reading

import (
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
)

// Text is one text that is read: a document, or a document inside it. [Document.Reset] and
// [Text.Inside] create it. It must not be copied while it is read.
type Text struct {
	Doc     *Document
	Data    []byte          // UTF-8, or a charset that can be scanned directly
	Decoded text.Text       // values of Data, one after the other
	Context *escape.Context // of Data in the text around it; nil at the top
	Outer   *Text           // the text whose decoded value is Data; nil at the top
	Depth   int             // number of outer texts
	Rules   Rules           // of XML, for this text or the text around it; nil for HTML

	LayerNumbers

	Element string // the current element, for references that are added; "" means the lower case of Name
	Name    []byte
	Rel     string // its link types

	XSLT     bool // the text is a style sheet of XSLT: braces in attributes are pieces of a template
	NoScript bool // the current text is in a noscript element, for browsers that run scripts

	Dropped []text.Span // tags of Data that are left out of a value around them, sorted

	at    int   // start of Data in Outer.Decoded
	inner *Text // kept for the next document inside
}

// LayerNumbers are the numbers of the layers of a Text in Document.Layers.
type LayerNumbers struct {
	Fallback int // the layer around the text
	Own      int // the layer of its base element; without one the layer has no source
	Current  int // the innermost layer: Own, or an xml:base inside it
}

// Value is a decoded attribute value or piece of text. Its bytes are valid until the document is
// read to its end. Its map is valid until the next value of the same Text begins.
type Value struct {
	Bytes  []byte
	Raw    text.Span // in Text.Data
	Broken bool      // some bytes were invalid in the charset

	start  int // offset of Bytes in Text.Data, or in Text.Decoded if mapped
	mapped bool
}

// Whole returns the span of all of v.
func (v *Value) Whole() text.Span { return text.Span{Start: 0, End: len(v.Bytes)} }

// Rules are the rules of a text that is not HTML. They do not keep their arguments.
type Rules interface {
	// Decode decodes the value of an attribute, or text, between two offsets.
	Decode(start, end int, attr bool) Value
	// Settle completes a reference in a span of a value of t. t is a text with these rules, or
	// inside one.
	Settle(t *Text, v Value, s text.Span, r *ref.Ref)
}

// MaxDepth is the maximum depth of nested documents that are read.
const MaxDepth = 8

// Source returns the span of the document's bytes for a span of t.Data.
func (t *Text) Source(s text.Span) text.Span {
	for ; t.Outer != nil; t = t.Outer {
		s = t.Outer.Decoded.Raw(text.Span{Start: s.Start + t.at, End: s.End + t.at})
	}
	return t.Doc.Whole.Raw(s)
}

// Problem records a defect at an offset of t.Data.
func (t *Text) Problem(offset int, kind Defect) {
	t.Doc.Problem(t.Source(text.Span{Start: offset, End: offset}).Start, kind)
}

// EachProblem records a defect at an offset of t.Data. See [Document.EachProblem].
func (t *Text) EachProblem(offset int, kind Defect) {
	t.Doc.EachProblem(t.Source(text.Span{Start: offset, End: offset}).Start, kind)
}

// Charset returns the charset of t.Data, or nil if it is UTF-8.
func (t *Text) Charset() *charset.Encoding {
	if t.Outer != nil || t.Doc.Charset().Form == charset.UTF8 || !t.Doc.Whole.Identity() {
		return nil
	}
	return t.Doc.Charset()
}

// Start returns the offset after the byte order mark, or 0.
func (t *Text) Start() int {
	if form, n := charset.Mark(t.Data); form == charset.UTF8 {
		return n
	}
	return 0
}
