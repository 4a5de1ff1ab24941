package extract

import "absolink/extract/internal/reading"

// Problem is a defect of a document that an operator should know. It is not an error: the rest of
// the document was read.
type Problem struct {
	Offset int // in Doc.Data
	Kind   Defect
	Detail string // for people, in English, or ""
}

// Defect is the kind of a [Problem]. Its text is its name in records, and never "".
type Defect string

// The kinds of problems.
const (
	UnknownFormat      = Defect(reading.UnknownFormat)      // nothing was read
	UnsupportedCharset = Defect(reading.UnsupportedCharset) // nothing was read
	// the transport names a charset that does not exist. Detail is this name if no other charset is
	// used instead, which occurs only in messages.
	UnknownCharset = Defect(reading.UnknownCharset)
	BaseInNoScript = Defect(reading.BaseInNoScript) // browsers that run scripts have another base
	BaseRepeated   = Defect(reading.BaseRepeated)   // only the first BASE counts
	BaseLate       = Defect(reading.BaseLate)       // relative references precede the BASE that applies to them
	BaseData       = Defect(reading.BaseData)       // the BASE is a data: or javascript: URL, and gives no base
	// the document names another charset than the transport or its byte order mark, and has
	// characters outside of ASCII
	CharsetConflict = Defect(reading.CharsetConflict)
	SrcdocTooDeep   = Defect(reading.SrcdocTooDeep) // a srcdoc is nested too deep in others and was not read
	// a reference is only listed, because it begins or ends in the middle of bytes that were
	// decoded as a whole, such as an entity, or because an ignored tag is inside it
	SplitReference = Defect(reading.SplitReference)
	// a reference in ISO-2022-JP is only listed, because it cannot be written without its escape
	// sequences
	ShiftedReference = Defect(reading.ShiftedReference)
	NotWellFormed    = Defect(reading.NotWellFormed) // the XML is not well-formed
	InvalidJSON      = Defect(reading.InvalidJSON)   // the JSON of a WAT record is not valid
	// an XML entity has no declaration or contains markup, so its text is not read
	UnreadEntity   = Defect(reading.UnreadEntity)
	XMLBaseTooDeep = Defect(reading.XMLBaseTooDeep) // an xml:base is nested too deep; references inside have no base
	// the Markdown was not read, because its parser would need too much time or memory
	TooComplex = Defect(reading.TooComplex)
	// a reference in Markdown is only listed, because parsers do not agree where it begins and ends
	DisputedMarkdown = Defect(reading.DisputedMarkdown)
	OpenFrontMatter  = Defect(reading.OpenFrontMatter) // front matter has no end, and is read as Markdown
	// with Options.OwnImages, a link and an image share a definition; it is resolved as a link
	SharedDefinition = Defect(reading.SharedDefinition)
)

// Options select places that are not read by default, and rules for some places. The zero value
// reads a web page as browsers do, except for objects with a codebase: see HTML5Objects.
type Options struct {
	Lazy                bool   // attributes that scripts read, such as data-src
	Scripts             bool   // string literals that may be URLs, in scripts, on* attributes and javascript: URLs
	Comments            bool   // markup in comments
	ConditionalComments bool   // markup in conditional comments, which some mail programs show
	VisibleText         bool   // URLs in the text of HTML outside of code; they are ListOnly
	BareHosts           bool   // www.example.org in running text means http://www.example.org
	Robot               string // name of the meta elements that count besides "robots", in any case, or ""
	HTML5Objects        bool   // data, classid and archive of objects ignore the codebase, as in browsers
	CommonMark          bool   // Markdown is CommonMark, without GitHub's tables, footnotes and URLs in text
	LinkText            bool   // Doc.LinkText returns the texts of links of Markdown
	OwnImages           bool   // images of Markdown have another base than links, so a SharedDefinition is a problem
}
