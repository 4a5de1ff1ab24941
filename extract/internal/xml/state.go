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
	rows  []*place.Row // of the attributes of the tag being read; nil = that of the table of HTML, if any

	first  bool             // the first start tag was read
	bare   place.Vocabulary // of elements in no namespace
	silent int              // how many open elements hide their content
	bases  int              // how many xml:base attributes are in force
	marked bool             // a defect was reported
	loads  bool             // the XLink of the tag being read is loaded with the document
}

// element is an open element.
type element struct {
	nameStart, nameEnd int
	declared           int // how many declarations of namespaces stood around it
	layer              int // number of the layer around it
	role               role
	hides, based       bool // it hides its content; it has an xml:base
}

// maxXMLBase is how many xml:base attributes may be in force at once: each is
// resolved against the ones around it.
const maxXMLBase = 64

// maxSearch is how many open elements an end tag is looked for in.
const maxSearch = 64

// content collects the text of one element at a time.
type content struct {
	row    *place.Row // of the text; nil while none is collected
	depth  int        // of its element
	space  place.Vocabulary
	name   string
	layer  int
	refs   int  // how many references stood before it
	link   bool // it is the link of an item or of the channel
	guid   permalink
	at     int // where what was not looked at begins
	pieces []textPiece

	reading bool // the text is being read: references lie in pieces
}

// textPiece is a part of the text.
type textPiece struct {
	text.Span      // of the document
	cdata     bool // of a CDATA section
	at        int  // where it begins in the decoded text
}

// holdsHTML reports whether elements in no namespace, as the text around them is of
// a feed, are HTML.
func (t *content) holdsHTML() bool {
	return t.row != nil && t.row.Type == place.TypeDocument && t.space != place.AtomSpace
}

func (x *Reader) reset(bare place.Vocabulary) {
	x.open, x.bare = x.open[:0], bare
	x.first, x.silent, x.bases, x.marked = false, 0, 0, false
	x.names.reset()
	x.dtd.reset()
	x.text = content{pieces: x.text.pieces[:0]}
	x.feed = feed{}
}

// defect reports that the text is not well-formed. What is read of it is what a
// forgiving reader would take it for.
func (x *Reader) defect(offset int) {
	if !x.marked {
		x.marked = true
		x.f.Problem(offset, reading.NotWellFormed)
	}
}

// hides reports whether the content of an element is of another language, though
// it may look like elements.
func hides(v place.Vocabulary, local []byte) bool {
	return (v == place.HTMLSpace || v == place.SVGSpace) && string(local) == "script"
}
