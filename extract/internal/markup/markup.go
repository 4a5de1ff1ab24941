// Package markup cuts HTML bytes, and those of XML, into tags and attributes with exact byte
// spans, at memory speed and without allocation in steady state.
//
// A [Scanner] yields start tags, end tags, raw text, comments, doctypes and
// CDATA sections as offsets into the caller's bytes. Nothing is decoded, folded
// or copied; text between tags is skipped. The scanner follows the tokenizer of
// the HTML Standard (section 13.2.5) with scripting off, and as much of the
// tree builder (13.2.6) as decides how bytes are cut: foreign content, raw text
// elements, templates and framesets. It follows no other insertion modes: where
// the tree builder drops the start tag of a raw text element, which besides framesets
// happens only in a template whose first child is a col, the scanner takes its
// content for text.
//
// Files in reading order: plain.go (bytes that stand for themselves), filter.go (what is
// looked for), markup.go, tag.go, names.go and reference.go (character references), limits.go,
// duplicate.go, instruction.go; the tree builder: foreign.go, inside.go, frameset.go, whole.go,
// endtag.go, formatting.go, element.go, rawtext.go; scanner.go, xml.go, skim.go, xmlsubset.go,
// comment.go, every.go.
package markup

// Kind is the kind of a token.
type Kind uint8

const (
	EOF         Kind = iota // the end of the input
	StartTag                // a start tag, complete up to its '>'
	EndTag                  // an end tag, complete up to its '>'
	RawText                 // what stands in a style, script, textarea … element
	Comment                 // <!-- … -->, <! … >, <? … >, </ … > with no name
	Doctype                 // <!doctype … >
	CDATA                   // <![CDATA[ … ]]>, in foreign content only
	Instruction             // <? … ?>, by NextXML only
)

// Kinds is a set of token kinds. The zero value is the empty set, which means all kinds.
type Kinds uint16

// Space is the namespace of an element.
type Space uint8

const (
	HTML Space = iota
	SVG
	MathML
)

// Attr is one attribute of a start tag. All offsets count bytes of the input.
type Attr struct {
	NameStart, NameEnd int  // the name as written, not case folded
	Start, End         int  // the value without its quotes, as written; both NameEnd where there is none
	Quote              byte // '"', '\'' or 0: unquoted, or no value
	HasValue           bool // a '=' follows the name
	Plain              bool // the value stands for itself (see PlainEnd); false also where that was not looked at
}

// Scanner cuts one document into tokens. Set Data by Reset, then call Next
// until it returns EOF. The zero value is ready for Reset. A Scanner may be
// used again for the next document, and then does not allocate. It is not safe
// for concurrent use.
type Scanner struct {
	// Filter limits which start tags are returned, and which attributes go into Attrs.
	Filter *Filter
	// Only limits which kinds are returned; 0 is all.
	Only Kinds

	// What Next found last. Attrs is valid until the next call of Next.

	Attrs              []Attr // attributes of the start tag in document order, the first of equal names only
	Start, End         int    // the whole token; at the first EOF what is left: an unfinished tag or nothing
	NameStart, NameEnd int    // the tag name; with RawText the name in the element's start tag
	TextStart, TextEnd int    // the content of RawText, Comment, CDATA
	SelfClosing        bool   // the start tag ends in "/>"
	Space              Space  // namespace of the element (start tags)
	Template           int    // how many template elements are open around the token
	NoScript           int    // how many noscript elements are open around the token
	Head               int    // with Frameset, where the head ends: what stands between it and the frameset is gone
	Frameset           bool   // inside a frameset: the tree builder drops all but frame, frameset and noframes

	data []byte
	pos  int     // where the next token is looked for
	raw  role    // the raw text element whose start tag was read last
	seen []int32 // slots of attribute names (duplicate.go)

	xml   bool // all attributes are kept (xml.go)
	typed bool // a document type declaration was read by NextXML

	templates, noscripts int
	frameset             bool
	noFrameset           bool // a frameset can no longer take the place of the body

	stack      []element // open elements from the outermost svg or math inwards, all of them if whole
	deeper     int       // how many more are open than the stack holds
	formatting []format  // active formatting elements, as far as the stack goes
	whole      bool      // all elements are kept (whole.go)
	body       bool      // the head is over; told only if whole
	form       bool      // a form is open, in which another is ignored; told only if whole
	unsure     bool      // what is open around the stack decides

	second *Scanner // for a second look at the input
}

// Offset returns where the next token will be looked for.
func (s *Scanner) Offset() int { return s.pos }

// BaseCounts reports whether a base element at this start tag becomes a base
// element of the document: one in the HTML namespace, outside template and frameset.
func (s *Scanner) BaseCounts() bool { return s.Space == HTML && s.Template == 0 && !s.Frameset }
