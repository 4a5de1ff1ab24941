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

// Resolver turns references into links. The zero value works as browsers do. Not
// safe for concurrent use: it keeps bases and scratch space from one document to
// the next.
type Resolver struct {
	// Policy says what gives a base, and by Rules how references are resolved. Document and
	// Charset of the Rules are filled in per document.
	Policy base.Policy
	// InMessage reports whether a reference names a part of the same message (RFC
	// 2557 8.2, 8.3); nil = never. value is the reference as written, decoded and
	// stripped, uri what it resolves to, "" if nothing.
	InMessage func(value, uri []byte) bool
	// PartName reports whether a relative reference, decoded and stripped, is the name of a part
	// of the same message, and means that; nil = never. Such a reference is Suspect, unless the
	// document has a BASE.
	PartName func(value []byte) bool

	Fragments   bool        // same-document links are rewritten too, but not what names a part of a picture or map
	Normalize   bool        // absolute links are rewritten, too, as the rule set serialises them
	BaseElement BaseElement // what becomes of BASE

	doc      *Doc
	unknown  string // the charset of doc, if it is not known; "" else
	readOnly bool   // the charset of doc is never written
	standard bool   // no option changes which links of doc are rewritten
	dropping dropping

	scopes  []scope
	setting setting // that scopes were made in
	memo    base.Memo
	chunks  chunks
}

// dropping says what becomes of references of a document whose BASE is removed.
type dropping struct {
	on      bool                        // the BASE is removed
	layer   *base.Layer                 // that of the BASE
	outside map[*base.Layer]*base.Layer // layers as they are without it
}

// chunks are memory for many links, allocated at once. Each slice begins with the bytes or strings
// of the link at hand; behind them is room for the next one.
type chunks struct {
	uri      []byte
	edits    []byte // the text of edits; empty
	warnings []string
}

// Link is a reference with what became of it. It is valid as long as its [Ref], and its URI
// and Warnings must not be modified.
type Link struct {
	Ref
	Status   Status
	URI      []byte      // absolute, with fragment; nil where there is none
	Base     string      // the base URI that counted; "" = none
	From     *base.Layer // the layer that gave it; nil = none
	Change   bool        // it must be rewritten: see [Resolver.AppendEdits]
	Drop     bool        // the edit removes the href of a BASE: the rewritten document has no such reference
	Err      error       // why Status is Unresolved or Invalid
	Warnings []string    // what a reader should know, by the names of records
}

// BaseElement says what rewriting does to the BASE of a document. The zero value keeps it.
type BaseElement uint8

const (
	KeepBase BaseElement = iota // leaves it as it is
	// removes its href; references that would change their meaning without it are made absolute,
	// but not what names a part of a picture or map
	DropBase
	AbsolutizeBase // makes its href absolute
)

var baseElementNames = [...]string{KeepBase: "keep", DropBase: "drop", AbsolutizeBase: "absolutize"}

// String returns keep, drop or absolutize.
func (b BaseElement) String() string { return baseElementNames[b] }

// scope is what the references of one layer are resolved against.
type scope struct {
	layer   *base.Layer
	charset *charset.Encoding // that queries are written in; nil = UTF-8
	base    *resolve.Base
	uri     string
	from    *base.Layer
	within  bool // uri means nothing outside of the message: what it gives is listed, and never written
}

// result is what becomes of a reference.
type result struct {
	kept  *ref.Kept
	value []byte // its value, stripped
	shape *ref.Shape
	scope *scope // what it is resolved against

	status Status
	uri    []byte // nil where there is none
	err    error  // why status is Unresolved or Invalid

	change, drop bool   // see Link
	plain        bool   // the reference is plain
	warning      string // of a plain one; "" = none
	unwritable   bool   // it is not rewritten because its place would say something else
}

// written returns the value of a reference, which is not stripped.
func (r *Resolver) written(res *result) []byte { return r.doc.in.Refs.Value(res.kept) }

// maxScopes is how many scopes are kept: the document and its BASE come again and
// again, a codebase is that of one element.
const maxScopes = 8

// setting is what scopes depend on besides their layers.
type setting struct {
	layer  *base.Layer // around the document
	policy base.Policy
}

// keepScopes forgets the scopes of the document before, but for the one that the next
// document has too: the layers around it are the very same, as in the messages of a
// mailbox.
func (r *Resolver) keepScopes() {
	now := setting{r.doc.Layer, r.Policy}
	now.policy.Rules.Document = "" // both are those of a document: see set
	now.policy.Rules.Charset = nil
	if r.setting.policy != now.policy {
		r.memo.Forget()
	}
	kept := 0
	for i := range r.scopes {
		if s := &r.scopes[i]; now == r.setting && s.layer == now.layer {
			r.scopes[kept], *s = *s, r.scopes[kept] // each scope has a base of its own
			kept++
		}
	}
	r.scopes, r.setting = r.scopes[:kept], now
}

// scope returns what the references of a layer are resolved against, with their
// queries in UTF-8 or in the charset of the document. It is valid until the
// next reference is settled.
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
	r.set(&r.scopes[n], layer, cs)
	return &r.scopes[n]
}

// set makes s, whose memory is used again, the scope of a layer.
func (r *Resolver) set(s *scope, layer *base.Layer, cs *charset.Encoding) {
	s.layer, s.charset = layer, cs
	s.uri, s.from = r.memo.Base(layer, &r.Policy)
	o := r.Policy.Rules
	o.Document = s.uri
	if s.from == nil || s.from.Source.Layer() != "retrieval" {
		o.Document = r.doc.Layer.Retrieval(&r.Policy)
	}
	if o.Rules == resolve.WHATWG && cs != nil {
		o.Charset = cs
	}
	s.within = strings.HasPrefix(s.uri, "thismessage:")
	if s.base == nil {
		s.base = new(resolve.Base)
	}
	if s.base.Reset(s.uri, o) != nil {
		s.uri, s.from = "", nil
		s.base.Reset("", o)
	}
}

// unsure reports whether nobody knows what k is, a reference of a document in a charset that is
// not known. The charset decides about the bytes of a reference that are not ASCII, and about
// how its query is written.
func (r *Resolver) unsure(k *ref.Kept) bool {
	refs := &r.doc.in.Refs
	v := refs.Value(k)
	if r.doc.in.Unsure(k.Span) || bytes.Contains(v, reading.Replacement) {
		return true
	}
	_, query, _ := bytes.Cut(v, []byte("?"))
	return !text.IsASCII(query) && !refs.Shapes[k.Shape].UTF8 && r.Policy.Rules.Rules == resolve.WHATWG
}
