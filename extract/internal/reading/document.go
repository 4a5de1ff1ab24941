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

// Document is one document while it is read, and what was found in it. It is used for one
// document after another, and keeps its memory.
type Document struct {
	Options   Options
	Transport string // charset by the transport; "" = none
	Conflict  bool   // the document names another charset, and is not ASCII
	Open      bool   // the document ends inside an element of XML: it is cut short
	Refs      ref.List
	Layers    ref.Layers
	Bases     []Base   // in their order
	Robots    []string // contents of the metas for robots, in their order
	RawEnds   []int    // where the texts of raw text elements end in the document, those of documents inside too
	Problems  []Problem
	Whole     text.Text // the document in UTF-8 with the map back, for charsets that cannot be scanned as they are

	names    names
	named    *charset.Encoding // nil = neither transport nor document names it, and Charset was not called
	charsets charset.Finder
	switches charset.Switches  // of Whole, in ISO-2022-JP
	contexts []*escape.Context // of documents inside; the first used are in use
	used     int
	cutter   value.Cutter
	code     []text.Span // pieces of templates in the document
}

// Base is a base element of the document itself that counts, or would count if those
// before it did not.
type Base struct {
	Href int       // where its value begins in the document
	Tag  text.Span // of the text that was scanned
}

// maxContexts is how many contexts are kept from one document to the next.
const maxContexts = 1 << 15

// Finish gives the references their layers. Nothing must be added after it.
func (d *Document) Finish() {
	d.Layers.Finish()
	d.Refs.Finish(&d.Layers)
}

// trim gives back the memory that an uncommonly large document took, so that one of a
// million links does not occupy it for good.
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

// Context returns the context of a document inside d, valid until the next Reset.
func (d *Document) Context() *escape.Context {
	if d.used == len(d.contexts) {
		d.contexts = append(d.contexts, new(escape.Context))
	}
	d.used++
	return d.contexts[d.used-1]
}

// Problem records a defect at an offset of the document, never a second one of its kind.
func (d *Document) Problem(offset int, kind Defect) {
	if !d.Has(kind) {
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

// Charset returns the charset of d, never nil. One that is named nowhere is what the bytes look
// like. They are all looked at only where it matters, for most documents after they were read: they
// are at hand then.
func (d *Document) Charset() *charset.Encoding {
	if d.named == nil {
		d.named = d.charsets.Guess(d.Refs.Data)
	}
	return d.named
}

// Unknown returns the name of the charset of d if it is not known, as in messages; else "".
func (d *Document) Unknown() string {
	if d.named == nil {
		return ""
	}
	return d.named.Label
}

// ReadOnly reports whether d is in a charset that is never written.
func (d *Document) ReadOnly() bool { return d.named != nil && d.named.Form == charset.Listed }

// Unsure reports whether bytes of d may be other characters than those of ASCII, of a charset
// that is not known.
func (d *Document) Unsure(s text.Span) bool {
	return d.named != nil && d.named.Unsure(d.Refs.Data[s.Start:s.End])
}

// settleShift notes what bytes of ISO-2022-JP the reference stands among. One that cannot
// be written there is left as it is.
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

// ShiftedBase reports whether an escape sequence stands in the tag of a base element, whose
// href then cannot be taken away without it. The problem is recorded.
func (d *Document) ShiftedBase() bool {
	for _, b := range d.Bases {
		if tag := d.Whole.Raw(b.Tag); d.switches.Inside(tag) {
			d.Problem(tag.Start, ShiftedReference)
			return true
		}
	}
	return false
}

// Intern returns b as a string, and keeps it: one that comes again allocates nothing.
func (d *Document) Intern(b []byte) string { return d.names.intern(b) }

// InternLower returns the lower case of b, a name, in which NUL is U+FFFD (HTML
// 13.2.5.8 and 13.2.5.33).
func (d *Document) InternLower(b []byte) string {
	var buf [place.LongestName]byte
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, Replacement)
	}
	return d.Intern(text.AppendLower(buf[:0], b))
}

// Replacement is what is read for bytes that are not a character. It must not be modified.
var Replacement = []byte("\ufffd")
