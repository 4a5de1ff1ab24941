package xml

import (
	"absolink/extract/internal/page"
	"absolink/extract/internal/place"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/text"
)

// Reader reads XML texts, one after the other. The zero value is ready for Read.
type Reader struct {
	f     *page.Finder
	open  []element
	names namespaces
	dtd   entities
	text  content
	feed  feed
	rows  []*place.Row // rows of the attributes of the current tag; nil means the row in the table of HTML, if any

	first        bool             // the first start tag was read
	defaultSpace place.Vocabulary // vocabulary of elements without a namespace
	silent       int              // number of open elements that hide their content
	bases        int              // number of xml:base attributes in force
	marked       bool             // a defect was reported
	loads        bool             // the XLink of the current tag is loaded with the document
}

// element is an open element.
type element struct {
	nameStart, nameEnd int
	declared           int // number of namespace declarations in force around it
	layer              int // number of the layer around it
	role               role
	hides, based       bool // it hides its content; it has an xml:base
}

// maxXMLBase is the maximum number of xml:base attributes in force. Each one is resolved against
// the ones around it.
const maxXMLBase = 64

// maxSearch is the number of open elements that an end tag is compared with.
const maxSearch = 64

// content collects the text of one element at a time.
type content struct {
	row    *place.Row // row of the text; nil if no text is collected
	depth  int        // depth of the element
	space  place.Vocabulary
	name   string
	layer  int
	refs   int  // number of references before the text
	link   bool // it is the link of an item or of the channel
	guid   permalink
	at     int // start of the part that was not read yet
	pieces []textPiece

	reading bool // the text is being cut into references, which are in pieces
}

// textPiece is a part of the text.
type textPiece struct {
	text.Span      // in the document
	cdata     bool // it is a CDATA section
	at        int  // its offset in the decoded text
}

// holdsHTML reports whether elements without a namespace are HTML, because the text around them
// belongs to a feed.
func (t *content) holdsHTML() bool {
	return t.row != nil && t.row.Type == place.TypeDocument && t.space != place.AtomSpace
}

func (x *Reader) reset(defaultSpace place.Vocabulary) {
	x.open, x.defaultSpace = x.open[:0], defaultSpace
	x.first, x.silent, x.bases, x.marked = false, 0, 0, false
	x.names.reset()
	x.dtd.reset()
	x.text = content{pieces: x.text.pieces[:0]}
	x.feed = feed{}
}

// defect reports that the text is not well-formed. A forgiving reader would still find the same
// references.
func (x *Reader) defect(offset int) {
	if !x.marked {
		x.marked = true
		x.f.Problem(offset, reading.NotWellFormed)
	}
}

// hides reports whether the content of an element is another language, even if it looks like
// elements.
func hides(v place.Vocabulary, local []byte) bool {
	return (v == place.HTMLSpace || v == place.SVGSpace) && string(local) == "script"
}
