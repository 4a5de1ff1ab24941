// Package markup cuts HTML and XML into tags and attributes with exact byte spans, at memory speed
// and without allocation in steady state.
//
// A [Scanner] yields start tags, end tags, raw text, comments, doctypes and CDATA sections as
// offsets into the caller's bytes. It decodes, folds and copies nothing, and skips text between
// tags. It follows the tokenizer of the HTML Standard (section 13.2.5) with scripting off, and the
// parts of the tree builder (13.2.6) that decide how bytes are cut: foreign content, raw text
// elements, templates and framesets. It follows no other insertion modes. One difference is known:
// in a template whose first child is a col, the tree builder can drop the start tag of a raw text
// element. The scanner still takes the content of this element for text.
//
// Files in reading order: plain.go (literal bytes), filter.go (wanted tags), markup.go, tag.go,
// names.go and reference.go (character references), limits.go, duplicate.go, instruction.go; the
// tree builder: foreign.go, inside.go, frameset.go, whole.go, endtag.go, formatting.go, element.go,
// rawtext.go; scanner.go, xml.go, skim.go, xmlsubset.go, comment.go, every.go.
package markup

// Kind is the kind of a token.
type Kind uint8

const (
	EOF         Kind = iota // the end of the input
	StartTag                // a start tag, complete up to its '>'
	EndTag                  // an end tag, complete up to its '>'
	RawText                 // the content of a style, script, textarea … element
	Comment                 // <!-- … -->, <! … >, <? … >, </ … > without a name
	Doctype                 // <!doctype … >
	CDATA                   // <![CDATA[ … ]]>, in foreign content only
	Instruction             // <? … ?>, by NextXML only
)

// Kinds is a set of token kinds. The zero value means all kinds.
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
	Start, End         int  // the value as written, without its quotes; both NameEnd without a value
	Quote              byte // '"', '\'', or 0 if the value is unquoted or missing
	HasValue           bool // a '=' follows the name
	Plain              bool // the value is literal (see PlainEnd); may be false for a literal value too
}

// Scanner cuts one document into tokens. Call Reset with a document, then Next until it returns
// EOF. The zero value is ready for Reset. A Scanner can be reused for the next document, and then
// does not allocate. It is not safe for concurrent use.
type Scanner struct {
	// Filter limits the start tags that are returned, and the attributes in Attrs.
	Filter *Filter
	// Only limits the kinds that are returned; 0 means all.
	Only Kinds

	Token // the token that Next found last

	data []byte
	pos  int     // the offset at which the search for the next token begins
	raw  role    // the raw text element whose start tag was read last
	seen []int32 // slots of attribute names (duplicate.go)

	xml   bool // all attributes are kept (xml.go)
	typed bool // a document type declaration was read by NextXML

	tree
	second *Scanner // reads the input a second time
}

// Token is a token, with the elements around it. Attrs is valid until the next call of Next.
type Token struct {
	Attrs              []Attr // attributes of the start tag in document order; only the first of equal names
	Start, End         int    // the whole token; at the first EOF the rest: an unfinished tag, or empty
	NameStart, NameEnd int    // the tag name; for RawText the name in the element's start tag
	TextStart, TextEnd int    // the content of RawText, Comment, CDATA
	SelfClosing        bool   // the start tag ends in "/>"
	Space              Space  // namespace of the element (start tags)
	Template           int    // number of open template elements around the token
	NoScript           int    // number of open noscript elements around the token
	Head               int    // with Frameset: the end of the head; content between it and the frameset is dropped
	Frameset           bool   // inside a frameset, where the tree builder drops all but frame, frameset and noframes
}

// tree is the state of the tree builder at the offset of the scanner.
type tree struct {
	templates, noscripts int
	frameset             bool
	noFrameset           bool // a frameset can no longer replace the body

	stack      []element // open elements from the outermost svg or math inwards; all open elements if whole
	deeper     int       // number of open elements beyond the stack
	formatting []format  // active formatting elements, as far as the stack goes
	whole      bool      // all elements are kept (whole.go)
	body       bool      // the head has ended; known only if whole
	form       bool      // a form is open, so another form is ignored; known only if whole
	unsure     bool      // the elements around the stack decide
}

// Offset returns the offset at which the search for the next token begins.
func (s *Scanner) Offset() int { return s.pos }

// BaseCounts reports whether a base element at this start tag becomes a base element of the
// document. It must be in the HTML namespace, outside template and frameset.
func (s *Scanner) BaseCounts() bool { return s.Space == HTML && s.Template == 0 && !s.Frameset }
