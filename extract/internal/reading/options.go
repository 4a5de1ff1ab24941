package reading

// Options say which of the places that are not read by default are read, and by
// which of two rules. The zero value reads a web page as browsers do.
type Options struct {
	Lazy                bool   // attributes that scripts read: rows of the treatments Lazy and LazyRewrite
	Scripts             bool   // string literals that may be URLs, in scripts, on* attributes and javascript: URLs
	Comments            bool   // markup in comments
	ConditionalComments bool   // markup in conditional comments, as mail programs of an office suite show it
	BareHosts           bool   // www.example.org in running text, which is taken for http://www.example.org
	Robot               string // name of the metas that count beside those named robots, in any case; "" = none
	HTML5Objects        bool   // data, classid and archive of objects do not take the codebase, as in browsers
}

// Defect is what is wrong with a document. Its text is its name in records.
type Defect string

// The defects of documents.
const (
	UnknownFormat      Defect = "unknown-format"      // nothing was read
	UnsupportedCharset Defect = "unsupported-charset" // nothing was read
	// the transport names a charset that does not exist; in a message Detail is its name if no
	// other one is taken
	UnknownCharset Defect = "unknown-charset"
	BaseInNoScript Defect = "base-in-noscript" // browsers that run scripts have another base
	BaseRepeated   Defect = "base-repeated"    // only the first BASE counts
	BaseLate       Defect = "base-late"        // relative references stand before the BASE that governs them
	BaseData       Defect = "base-data"        // the BASE is a data: or javascript: URL, and gives no base
	// the document says another charset than the transport or its byte order mark, and holds more
	// than ASCII
	CharsetConflict Defect = "charset-conflict"
	SrcdocTooDeep   Defect = "srcdoc-too-deep" // what is inside was not read
	// a reference begins or ends inside a piece of text or an entity, or a dropped tag stands in
	// it: it is left as it is
	SplitReference Defect = "split-reference"
	// one in ISO-2022-JP that cannot be written without its escape sequences: it is left as it is
	ShiftedReference Defect = "shifted-reference"
	NotWellFormed    Defect = "not-well-formed" // XML
	// one of XML that is not declared, or holds markup: what it stands for is not read
	UnreadEntity   Defect = "unread-entity"
	XMLBaseTooDeep Defect = "xml-base-too-deep" // references inside have no base
)

// Problem is a defect of the input that an operator should know of, not an error.
type Problem struct {
	Offset int // in the bytes of the document
	Kind   Defect
	Detail string // for people, in English; "" where Kind says all
}
