package extract

import (
	"bytes"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/resolve"
)

// Resolver turns references into links. The zero value resolves references as browsers do. It is
// not safe for concurrent use, because it keeps bases and scratch space for the next document.
type Resolver struct {
	// Policy decides which layers give a base. Its Rules decide how references are resolved;
	// Document and Charset of the Rules are set for each document.
	Policy base.Policy
	// InMessage reports whether a reference names a part of the same message (RFC 2557 8.2, 8.3). A
	// nil func means never. value is the reference, decoded and stripped; uri is the URI to which
	// it resolves, or "".
	InMessage func(value, uri []byte) bool
	// PartName reports whether a relative reference, decoded and stripped, is meant as the name of
	// a part of the same message. A nil func means never. Such a reference is Suspect, unless the
	// document has a BASE.
	PartName func(value []byte) bool

	// ImageBase is the absolute URI against which images are resolved, instead of the layers around
	// the document; "" means these layers. A BASE of the document still counts. Images are the
	// images of Markdown, and img and source elements.
	ImageBase string
	// RootBase is the absolute URI of a directory. A reference that begins with one slash is
	// resolved below it. "" means that such a reference begins at the root of the host.
	RootBase string

	Fragments   bool        // same-document links are rewritten too, except names of parts of a picture or map
	Normalize   bool        // absolute links are rewritten too, as the rule set serialises them
	BaseElement BaseElement // the treatment of BASE

	doc      *Doc
	unknown  string // the charset of doc if it is unknown, or ""
	readOnly bool   // the charset of doc is never written
	standard bool   // no option changes which links of doc are rewritten
	dropping dropping
	detours  detours
	lastPart lastPart

	scopes  []scope
	setting setting // the setting for which scopes were made
	memo    base.Memo
	chunks  chunks
}

// dropping is the state of a document whose BASE is removed.
type dropping struct {
	on      bool                        // the BASE is removed
	layer   *base.Layer                 // the layer of the BASE
	outside map[*base.Layer]*base.Layer // by layer: the same layer without the BASE
}

// chunks are memory for many links, allocated at once. Each slice begins with the bytes or strings
// of the current link; the room after them is for the next one.
type chunks struct {
	uri      []byte
	edits    []byte // room for the text of edits
	warnings []string
}

// Link is a reference and its result. It is valid as long as its [Ref]. Its URI and Warnings must
// not be modified.
type Link struct {
	Ref
	Status   Status
	URI      []byte      // absolute, with fragment, or nil
	Base     string      // the base URI that was used, or ""
	From     *base.Layer // the layer that gave this base, or nil
	Change   bool        // it must be rewritten: see [Resolver.AppendEdits]
	Drop     bool        // the edit removes the href of a BASE, so the rewritten document does not have this reference
	Err      error       // the reason why Status is Unresolved or Invalid
	Warnings []string    // facts that a reader should know, by their names in records
}

// BaseElement is the treatment of the BASE of a document that is rewritten. The zero value keeps
// it.
type BaseElement uint8

const (
	KeepBase BaseElement = iota // leaves it unchanged
	// removes its href; references that would change their meaning without the BASE are made
	// absolute, except names of parts of a picture or map
	DropBase
	AbsolutizeBase // makes its href absolute
)

var baseElementNames = [...]string{KeepBase: "keep", DropBase: "drop", AbsolutizeBase: "absolutize"}

// String returns keep, drop or absolutize.
func (b BaseElement) String() string { return baseElementNames[b] }

// scope is the base of the references of one layer.
type scope struct {
	layer   *base.Layer
	charset *charset.Encoding // the charset of queries; nil means UTF-8
	base    *resolve.Base
	uri     string
	from    *base.Layer
	within  bool // uri has no meaning outside of the message, so references with this base are only listed
}

// result is the result of a reference.
type result struct {
	kept  *ref.Kept
	value []byte // its value, stripped
	shape *ref.Shape
	scope *scope // its base

	status Status
	uri    []byte // or nil
	err    error  // the reason why status is Unresolved or Invalid

	change, drop bool   // see Link
	plain        bool   // the reference is plain
	warning      string // of a plain reference, or ""
	unwritable   bool   // the reference is not rewritten, because its place cannot hold the URI
}

// written returns the value of a reference, not stripped.
func (r *Resolver) written(res *result) []byte { return r.doc.in.Refs.Value(res.kept) }

// maxScopes is the maximum number of scopes. Most references have the layer of the document or of
// its BASE. A codebase gives a layer to one element only.
const maxScopes = 8

// setting holds the data on which scopes depend besides their layers.
type setting struct {
	layer  *base.Layer // around the document
	policy base.Policy
}

// keepScopes drops the scopes of the previous document. It keeps the scope for the layers around
// the document if the next document has the same layers, as in the messages of a mailbox.
func (r *Resolver) keepScopes() {
	now := setting{r.doc.Layer, r.Policy}
	now.policy.Rules.Document = "" // setScope sets these for each document
	now.policy.Rules.Charset = nil
	if r.setting != now {
		if r.setting.policy != now.policy {
			r.memo.Forget()
		}
		r.scopes, r.setting = r.scopes[:0], now
		return
	}
	kept := 0
	for i := range r.scopes {
		s := &r.scopes[i]
		if s.layer != now.layer {
			continue
		}
		if i > kept {
			r.scopes[kept], *s = *s, r.scopes[kept] // each scope has a base of its own
		}
		kept++
	}
	r.scopes = r.scopes[:kept]
}

// scope returns the base of the references of a layer. Their queries are in UTF-8 if utf8 is set,
// otherwise in the charset of the document. The scope is valid until the next reference is settled.
func (r *Resolver) scope(layer *base.Layer, utf8 bool) *scope {
	var cs *charset.Encoding
	if !utf8 && r.doc.in.Charset().Writes() {
		cs = r.doc.in.Charset()
	}
	for i := range r.scopes {
		if r.scopes[i].layer == layer && r.scopes[i].charset == cs {
			return &r.scopes[i]
		}
	}
	n := len(r.scopes)
	r.scopes = slices.Grow(r.scopes, 1)[:n+1]
	r.setScope(&r.scopes[n], layer, cs)
	return &r.scopes[n]
}

// setScope makes s the scope of a layer. It reuses the memory of s.
func (r *Resolver) setScope(s *scope, layer *base.Layer, cs *charset.Encoding) {
	s.layer, s.charset = layer, cs
	s.uri, s.from = r.memo.Base(layer, &r.Policy)
	o := r.Policy.Rules
	o.Document = s.uri
	if s.from == nil || s.from.Source.Box() != "retrieval" || isDetour(s.from.Source) {
		o.Document = r.doc.Layer.Retrieval(&r.Policy)
	}
	if o.Rules == resolve.WHATWG && cs != nil {
		o.Charset = cs
	}
	s.within = strings.HasPrefix(s.uri, "thismessage:")
	if s.base == nil {
		s.base = new(resolve.Base)
	}
	s.base.Reset(s.uri, o) // no error: a URI from the resolver is a base
}

// unsure reports whether the characters of k are uncertain, because the charset of its document is
// unknown. The charset matters for bytes that are not ASCII and for the encoding of a query.
func (r *Resolver) unsure(k *ref.Kept) bool {
	refs := &r.doc.in.Refs
	v := refs.Value(k)
	if r.doc.in.Unsure(k.Span) || bytes.Contains(v, reading.Replacement) {
		return true
	}
	_, query, _ := bytes.Cut(v, []byte("?"))
	return !text.IsASCII(query) && !refs.Shapes[k.Shape].UTF8 && r.Policy.Rules.Rules == resolve.WHATWG
}
