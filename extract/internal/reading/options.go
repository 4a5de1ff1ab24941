package reading

// Options select the places that are not read by default, and rules for some places. The zero value
// reads a web page as browsers do, except for objects with a codebase: see HTML5Objects.
type Options struct {
	Lazy                bool   // attributes that scripts read: rows with the treatments Lazy and LazyRewrite
	Scripts             bool   // string literals that may be URLs, in scripts, on* attributes and javascript: URLs
	Comments            bool   // markup in comments
	ConditionalComments bool   // markup in conditional comments, which some mail programs show
	VisibleText         bool   // URLs in the text of HTML, only listed
	BareHosts           bool   // www.example.org in running text means http://www.example.org
	Robot               string // name of the meta elements that count besides "robots", in any case, or ""
	HTML5Objects        bool   // data, classid and archive of objects ignore the codebase, as in browsers
	CommonMark          bool   // Markdown has no tables, footnotes and URLs in text
	LinkText            bool   // Document.Texts has the texts of links of Markdown
	OwnImages           bool   // images of Markdown have another base than links, so a SharedDefinition is a defect
}

// Defect is the kind of a problem in a document. Its text is its name in records.
type Defect string

// The defects of documents.
const (
	UnknownFormat      Defect = "unknown-format"      // nothing was read
	UnsupportedCharset Defect = "unsupported-charset" // nothing was read
	// the transport names a charset that does not exist. Detail is this name if no other charset is
	// used instead, which occurs only in messages.
	UnknownCharset Defect = "unknown-charset"
	BaseInNoScript Defect = "base-in-noscript" // browsers that run scripts have another base
	BaseRepeated   Defect = "base-repeated"    // only the first BASE counts
	BaseLate       Defect = "base-late"        // relative references precede the BASE that applies to them
	BaseData       Defect = "base-data"        // the BASE is a data: or javascript: URL, and sets no base
	// the document or its byte order mark names another charset than the transport, and the
	// document is not ASCII. Detail is empty if the transport counts.
	CharsetConflict Defect = "charset-conflict"
	SrcdocTooDeep   Defect = "srcdoc-too-deep" // the inner document was not read
	// a reference is only listed, because it begins or ends in the middle of bytes that were
	// decoded as a whole, such as an entity, or because an ignored tag is inside it
	SplitReference Defect = "split-reference"
	// a reference in ISO-2022-JP is only listed, because it cannot be written without its escape
	// sequences
	ShiftedReference Defect = "shifted-reference"
	NotWellFormed    Defect = "not-well-formed" // the XML is not well-formed
	InvalidJSON      Defect = "invalid-json"
	// an entity of XML has no declaration or contains markup, so its text is not read
	UnreadEntity   Defect = "unread-entity"
	XMLBaseTooDeep Defect = "xml-base-too-deep" // references inside have no base
	// nothing was read, because the parser of Markdown would need too much time or memory
	TooComplex Defect = "too-complex"
	// a reference in Markdown is only listed, because parsers do not agree where it begins and ends
	DisputedMarkdown Defect = "disputed-markdown"
	OpenFrontMatter  Defect = "open-front-matter" // front matter has no end, and is read as Markdown
	SharedDefinition Defect = "shared-definition" // a link and an image share a definition of Markdown
)

// Problem is a defect of the input that an operator should know, not an error.
type Problem struct {
	Offset int // in the bytes of the document
	Kind   Defect
	Detail string // for people, in English, or ""
}
