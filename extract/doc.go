package extract

import (
	"bytes"
	"iter"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/place"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
)

// Doc is one document. The caller owns Data, which must not change while
// references of the document are in use. A Doc may be used for one document
// after another, and then reading allocates nothing once its memory has grown:
// set the fields anew, or call Reset first. Not safe for concurrent use.
type Doc struct {
	Format  Format      // Unknown: found by Detect
	Data    []byte      // raw bytes
	Charset string      // by the transport (Content-Type, an option); "" = by BOM, declaration, content
	Layer   *base.Layer // the layers around the document; nil = none
	Part    string      // section number of the document inside a message
	Flow    Flow        // how lines of a Plain document go on
	Options Options     // what is read besides what is always read

	format   Format // of Data, by Format or by Detect
	read     bool   // refs, layers, charset and problems are those of Data
	refs     ref.List
	bases    []baseTag
	layers   ref.Layers
	named    *charset.Encoding // of Data; nil = nobody names it, and charset has not been asked
	charsets charset.Finder
	places   []*escape.Context // of documents inside this one; the first outers are in use
	outers   int
	strings  interned
	root     *finder
	cutter   value.Cutter
	switches charset.Switches // of the whole, in ISO-2022-JP
	whole    text.Text        // Data in UTF-8 with the map back, for charsets that cannot be scanned as they are
	found    []Problem
}

// baseTag is a base element that counts, or would count, and the start of its href.
type baseTag struct {
	href int       // in Doc.Data
	tag  text.Span // of the text that was scanned
}

// Problem is a defect of the input that an operator should know of.
type Problem struct {
	Offset int // in Doc.Data
	// Text is unknown-format or unsupported-charset (nothing was read),
	// unknown-charset (what the transport says is no charset), base-in-noscript,
	// srcdoc-too-deep, split-reference (one that is no whole part of a piece of text
	// or of an entity, or that a dropped tag stands in: it is left as it is), shifted-reference (one in
	// ISO-2022-JP that cannot be written without its escape sequences: it is left as it
	// is), or in XML
	// not-well-formed, unread-entity (one that is not declared, or holds markup: what it
	// stands for is not read) or xml-base-too-deep (references inside have no base).
	Text string
}

// Reset clears the exported fields and forgets the document, but keeps the memory.
func (d *Doc) Reset() {
	d.Format, d.Data, d.Charset, d.Layer, d.Part, d.Flow = Unknown, nil, "", nil, "", Fixed
	d.Options = Options{}
	d.read = false
}

// Refs yields every reference of the document in document order, each one a
// byte span. It is the only finder: listing and rewriting range over it. The
// document is read when the sequence is ranged over, and read to its end before
// the first reference is yielded, since a BASE governs what stands before it.
// What a Ref points to is valid until the next Refs or Reset of d.
func (d *Doc) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		d.find()
		var r Ref
		for i := range d.refs.Kept {
			if d.ref(&r, i); !yield(r) {
				return
			}
		}
	}
}

// ref makes r the reference i of d.
func (d *Doc) ref(r *Ref, i int) {
	k := &d.refs.Kept[i]
	s := &d.refs.Shapes[k.Shape]
	*r = Ref{k.Span, d.refs.Value(k), s.Kind, s.Element, s.Attr, s.Rel, s.Layer, s.Identifier, s.ListOnly, s.Form, s}
}

// Base returns the layers of the document: its BASE element if one counts,
// around it d.Layer. Like Encoding and Problems it speaks of the document that
// Refs read last, and reads it if that was not done since Reset.
func (d *Doc) Base() *base.Layer {
	d.once()
	return d.layers.Get(d.root.own)
}

// Encoding returns the name of the charset that the document is read in, in
// lower case as in the Encoding Standard.
func (d *Doc) Encoding() string {
	d.once()
	return d.charset().Name
}

// Scanned returns the bytes that the tags of the document were found in, with the
// map back to Data: Data itself where its charset keeps ASCII, else its text in UTF-8.
// It is valid until the next Refs or Reset.
func (d *Doc) Scanned() *text.Text {
	d.once()
	if d.whole.Identity() {
		return &text.Text{Data: d.Data}
	}
	return &d.whole
}

// Problems returns what is wrong with the document, in no order that means anything.
func (d *Doc) Problems() []Problem {
	d.once()
	return d.found
}

func (d *Doc) once() {
	if !d.read {
		d.find()
	}
}

// find reads the document.
func (d *Doc) find() {
	d.read = true
	d.trim()
	d.refs.Reset(d.Data)
	d.bases, d.found = d.bases[:0], d.found[:0]
	d.layers.Reset(d.Layer, d.Part)
	d.outers = 0
	if d.root == nil {
		d.root = &finder{doc: d}
	}
	if d.format = d.Format; d.format == Unknown {
		d.format = Detect(d.Data, "")
	}
	for f := d.root; f != nil; f = f.inner {
		f.text.Reset() // not with each document inside, whose values stay in use
	}
	data, mark := d.decode()
	f := d.root
	f.reset(data, ref.OuterLayer)
	if mark != nil {
		f.context = mark
	}
	if d.named == nil || d.named.Form != charset.Opaque {
		f.find(d.format)
	}
	d.layers.Finish()
	d.refs.Finish(&d.layers)
}

// What is kept from one document to the next is bounded, so that one of a million
// links does not occupy memory for good.
const maxKeptRefs = 1 << 15

// trim gives back the memory that an uncommonly large document took.
func (d *Doc) trim() {
	if d.refs.Large() {
		d.refs, d.layers = ref.List{}, ref.Layers{}
	}
	if len(d.places) > maxKeptRefs {
		d.places = nil
	}
	text.Trim(&d.whole)
	d.charsets.Trim()
	for f := d.root; f != nil; f = f.inner {
		text.Trim(&f.text)
	}
}

// newPlace returns the place of a document inside d, valid until the next find.
func (d *Doc) newPlace() *escape.Context {
	if d.outers == len(d.places) {
		d.places = append(d.places, new(escape.Context))
	}
	d.outers++
	return d.places[d.outers-1]
}

// problem records a defect once for each text.
func (d *Doc) problem(offset int, text string) {
	for _, p := range d.found {
		if p.Text == text {
			return
		}
	}
	d.found = append(d.found, Problem{offset, text})
}

// interned keeps strings that come again and again, so that bytes become
// strings without allocation.
type interned map[string]string

// What a Doc interns is bounded, for the sake of hostile documents.
const (
	maxInterned = 4096 // strings
	longestKept = 256  // bytes of one; longer ones do not come again
)

func (d *Doc) intern(b []byte) string {
	if len(b) > longestKept {
		return string(b)
	}
	if s, ok := d.strings[string(b)]; ok {
		return s
	}
	if d.strings == nil || len(d.strings) >= maxInterned {
		d.strings = make(interned)
	}
	s := string(b)
	d.strings[s] = s
	return s
}

// internLower is intern of the lower case of b, a name, in which NUL is U+FFFD (HTML
// 13.2.5.8 and 13.2.5.33).
func (d *Doc) internLower(b []byte) string {
	var buf [place.LongestName]byte
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, replacement)
	}
	return d.intern(text.AppendLower(buf[:0], b))
}

// replacement is what is read for bytes that are no character.
var replacement = []byte("\ufffd")
