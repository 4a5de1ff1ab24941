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
// Files in reading order: plain.go (literal bytes), class.go (classes of bytes), fold.go (names in
// any case), category.go (elements by name), filter.go (wanted tags), tree.go (open elements),
// markup.go (the scanner and its tokens), names.go and reference.go (character references),
// duplicate.go, tag.go; the tree builder: foreign.go, whole.go, formatting.go, inside.go (start
// tags), endtag.go, frameset.go, apply.go (effects of a tag); HTML: rawtext.go, comment.go, skim.go
// (the fast loop), scanner.go (the loop); XML: xml.go, xmlsubset.go, instruction.go.
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

// Set returns the set of the given kinds.
func Set(kinds ...Kind) Kinds {
	var set Kinds
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// has reports whether tokens of a kind are returned.
func (k Kinds) has(kind Kind) bool { return k == 0 || k&(1<<kind) != 0 }

// Attr is one attribute of a start tag. All offsets count bytes of the input.
type Attr struct {
	NameStart, NameEnd int  // the name as written, not case folded
	Start, End         int  // the value as written, without its quotes; if there is none, both are NameEnd
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
	Start, End         int    // the whole token; for the first EOF the unfinished tag at the end of the input, or empty
	NameStart, NameEnd int    // the tag name; for RawText the name in the element's start tag
	TextStart, TextEnd int    // the content of RawText, Comment, CDATA
	SelfClosing        bool   // the start tag ends in "/>"
	Space              Space  // namespace of the element (start tags)
	Template           int    // number of open template elements around the token
	NoScript           int    // number of open noscript elements around the token
	Head               int    // with Frameset: the end of the head; content between it and the frameset is dropped
	Frameset           bool   // inside a frameset, where the tree builder drops all but frame, frameset and noframes
}

// Reset makes s scan data from its first byte. Filter and Only are kept. The scanner keeps data
// until the next Reset and never writes to it.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{
		Filter: s.Filter, Only: s.Only,
		Token: Token{Attrs: s.Attrs[:0]},
		data:  data, seen: s.seen,
		tree:   tree{stack: s.stack[:0], formatting: s.formatting[:0]},
		second: s.second,
	}
}

// Offset returns the offset at which the search for the next token begins.
func (s *Scanner) Offset() int { return s.pos }

// BaseCounts reports whether a base element at this start tag becomes a base element of the
// document. It must be in the HTML namespace, outside template and frameset.
func (s *Scanner) BaseCounts() bool { return s.Space == HTML && s.Template == 0 && !s.Frameset }

// skipped is the kind of a token that is not returned.
const skipped Kind = 255

// emit sets the span of the token that was just read. It returns its kind, or skipped if the caller
// does not want the kind.
func (s *Scanner) emit(kind Kind, start, end int) Kind {
	if !s.Only.has(kind) {
		return skipped
	}
	s.Start, s.End = start, end
	s.Template, s.NoScript, s.Frameset = s.templates, s.noscripts, s.frameset
	return kind
}

// eof ends the scan. rest is the offset of an unfinished tag, or the end of the input.
func (s *Scanner) eof(rest int) Kind {
	s.pos = len(s.data)
	s.Start, s.End = rest, s.pos
	s.Template, s.NoScript, s.Frameset = s.templates, s.noscripts, s.frameset
	s.Attrs = s.Attrs[:0]
	return EOF
}

// other returns a scanner that reads the same input a second time, for the rare questions that the
// state of s cannot answer.
func (s *Scanner) other() *Scanner {
	if s.second == nil {
		s.second = new(Scanner)
	}
	return s.second
}
