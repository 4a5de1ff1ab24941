package reading

import (
	"bytes"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
)

// Document is the state and the result of reading one document. It is reused for one document after
// another, and keeps its memory.
type Document struct {
	Options   Options
	Transport string // charset by the transport, or ""
	Conflict  bool   // the document names another charset, and is not ASCII
	Open      bool   // the document ends inside an element of XML, so it is cut short
	Refs      ref.List
	Layers    ref.Layers
	Bases     []Base   // in their order
	Robots    []string // contents of the meta elements for robots, in their order
	RawEnds   []int    // ends of the texts of raw text elements in the document, also in documents inside
	Problems  []Problem
	Texts     []LinkText // texts of links that the document states, in their order
	Whole     text.Text  // the document in UTF-8 with the map back, for charsets that cannot be scanned directly

	names names
	encoded
	nested
	cutter value.Cutter
	code   []text.Span // pieces of templates in the document
}

// encoded is the charset of a document.
type encoded struct {
	named    *charset.Encoding // nil if neither the transport nor the document names it and Charset was not called
	charsets charset.Finder
	switches charset.Switches // of Document.Whole, in ISO-2022-JP
}

// nested holds the contexts of the documents inside a document.
type nested struct {
	contexts []*escape.Context // the first used contexts are in use
	used     int
}

// LinkText is the text of a link that the document itself states.
type LinkText struct {
	At   int // start of the reference in the document
	Text string
}

// Base is a base element of the document itself. Only the first one counts.
type Base struct {
	Href int       // start of its value in the document
	Tag  text.Span // of the text that was scanned
}

// maxContexts is the maximum number of contexts that are kept for the next document.
const maxContexts = 1 << 15

// Finish sets the layers of the references. Do not add anything after it.
func (d *Document) Finish() {
	d.Layers.Finish()
	d.Refs.Finish(&d.Layers)
}

// trim releases the memory that an unusually large document took, so that a document with a million
// links does not occupy it forever.
func (d *Document) trim() {
	if d.Refs.Large() {
		d.Refs, d.Layers = ref.List{}, ref.Layers{}
	}
	if len(d.contexts) > maxContexts {
		d.contexts = nil
	}
	if cap(d.RawEnds) > maxContexts {
		d.RawEnds = nil
	}
	text.Trim(&d.Whole)
	d.charsets.Trim()
}

// Context returns the context of a document inside d, which is valid until the next Reset.
func (d *Document) Context() *escape.Context {
	if d.used == len(d.contexts) {
		d.contexts = append(d.contexts, new(escape.Context))
	}
	d.used++
	return d.contexts[d.used-1]
}

// Problem records a defect at an offset of the document. It ignores a second defect of the same
// kind.
func (d *Document) Problem(offset int, kind Defect) {
	if !d.Has(kind) {
		d.Problems = append(d.Problems, Problem{Offset: offset, Kind: kind})
	}
}

// maxPlaces is the largest number of places at which EachProblem records a defect.
const maxPlaces = 100

// EachProblem records a defect at each of its places, up to maxPlaces.
func (d *Document) EachProblem(offset int, kind Defect) {
	n := 0
	for _, p := range d.Problems {
		if p.Kind == kind {
			n++
		}
	}
	if n < maxPlaces {
		d.Problems = append(d.Problems, Problem{Offset: offset, Kind: kind})
	}
}

// Has reports whether d has a defect.
func (d *Document) Has(kind Defect) bool {
	for _, p := range d.Problems {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

// Charset returns the charset of d, never nil. If no charset is declared, Charset guesses it from
// the bytes. It reads all bytes for that, so it is called only when the charset matters. For most
// documents this is after reading, when the bytes are still in the cache.
func (d *Document) Charset() *charset.Encoding {
	if d.named == nil {
		d.named = d.charsets.Guess(d.Refs.Data)
	}
	return d.named
}

// Unknown returns the name of the charset of d if it is unknown, which occurs in messages.
// Otherwise it returns "".
func (d *Document) Unknown() string {
	if d.named == nil {
		return ""
	}
	return d.named.Label
}

// ReadOnly reports whether d is in a charset that is never written.
func (d *Document) ReadOnly() bool { return d.named != nil && d.named.Form == charset.Listed }

// Unsure reports whether bytes of d may be other characters than in ASCII, because the charset is
// unknown.
func (d *Document) Unsure(s text.Span) bool {
	return d.named != nil && d.named.Unsure(d.Refs.Data[s.Start:s.End])
}

// settleShift notes the states of ISO-2022-JP around the reference. A reference that cannot be
// written there is only listed.
func (d *Document) settleShift(r *ref.Ref) {
	before, behind, ok := d.switches.Around(r.Span)
	r.Context.Roman = 0
	if before {
		r.Context.Roman = escape.RomanBefore
	}
	if behind {
		r.Context.Roman |= escape.RomanAfter
	}
	r.Unsafe = r.Unsafe || !ok
	if !ok && !r.ListOnly && !r.Identifier {
		r.ListOnly = true
		d.Problem(r.Start, ShiftedReference)
	}
}

// ShiftedBase reports whether the tag of a base element contains an escape sequence. Its href then
// cannot be removed without the sequence. ShiftedBase records the problem.
func (d *Document) ShiftedBase() bool {
	for _, b := range d.Bases {
		if tag := d.Whole.Raw(b.Tag); d.switches.Inside(tag) {
			d.Problem(tag.Start, ShiftedReference)
			return true
		}
	}
	return false
}

// Intern returns b as a string and keeps the string, so that a repeated string allocates nothing.
func (d *Document) Intern(b []byte) string { return d.names.intern(b) }

// InternLower returns the lower case of b, a name. NUL becomes U+FFFD (HTML 13.2.5.8 and
// 13.2.5.33).
func (d *Document) InternLower(b []byte) string {
	var buf [place.LongestName]byte
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, Replacement)
	}
	return d.Intern(text.AppendLower(buf[:0], b))
}

// Replacement replaces bytes that are not a character. It must not be modified.
var Replacement = []byte("\ufffd")
