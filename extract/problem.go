package extract

import "absolink/extract/internal/reading"

// Problem is a defect of a document that an operator should know of. It is not an error: what could
// be read was read.
type Problem struct {
	Offset int // in Doc.Data
	Kind   Defect
	Detail string // for people, in English; "" if Kind says all
}

// Defect is the kind of a [Problem]. Its text is its name in records, and never "".
type Defect string

// The kinds of problems.
const (
	UnknownFormat      = Defect(reading.UnknownFormat)      // nothing was read
	UnsupportedCharset = Defect(reading.UnsupportedCharset) // nothing was read
	// the transport names a charset that does not exist, and another one is taken; in a message
	// none is if Detail is its name
	UnknownCharset = Defect(reading.UnknownCharset)
	BaseInNoScript = Defect(reading.BaseInNoScript) // browsers that run scripts have another base
	BaseRepeated   = Defect(reading.BaseRepeated)   // only the first BASE counts
	BaseLate       = Defect(reading.BaseLate)       // relative references stand before the BASE that governs them
	BaseData       = Defect(reading.BaseData)       // the BASE is a data: or javascript: URL, and gives no base
	// the document says another charset than the transport or its byte order mark, and holds more
	// than ASCII
	CharsetConflict = Defect(reading.CharsetConflict)
	SrcdocTooDeep   = Defect(reading.SrcdocTooDeep) // a srcdoc lies too deep inside others: it was not read
	// a reference begins or ends inside a piece of text or an entity, or a dropped tag stands in
	// it: it is left as it is
	SplitReference = Defect(reading.SplitReference)
	// a reference in ISO-2022-JP that cannot be written without its escape sequences: it is left as
	// it is
	ShiftedReference = Defect(reading.ShiftedReference)
	NotWellFormed    = Defect(reading.NotWellFormed) // the XML is not well-formed
	// an XML entity is not declared, or holds markup: its text is not read
	UnreadEntity   = Defect(reading.UnreadEntity)
	XMLBaseTooDeep = Defect(reading.XMLBaseTooDeep) // references inside have no base
)

// Options say which places that are not read by default are read. The zero value reads a web page
// as browsers do.
type Options struct {
	Lazy                bool   // attributes that scripts read, such as data-src
	Scripts             bool   // string literals that may be URLs, in scripts, on* attributes and javascript: URLs
	Comments            bool   // markup in comments
	ConditionalComments bool   // markup in conditional comments, as mail programs of an office suite show it
	BareHosts           bool   // www.example.org in running text, which is taken for http://www.example.org
	Robot               string // name of the metas that count beside those named robots, in any case; "" = none
	HTML5Objects        bool   // data, classid and archive of objects do not take the codebase, as in browsers
}
