package extract

import (
	"bytes"
	"errors"
	"iter"

	"absolink/base"
	"absolink/resolve"
)

// Resolver turns references into links. The zero value works as browsers do. Not
// safe for concurrent use: it keeps bases and scratch space from one document to
// the next.
type Resolver struct {
	Options resolve.Options // Document and AppendQuery are filled in per document
	Policy  base.Policy     // its Rules are set to Options
	// InMessage reports whether a reference names a part of the same message (RFC
	// 2557 8.2, 8.3); nil = never. value is the reference as written, decoded and
	// stripped, uri what it resolves to, "" if nothing.
	InMessage func(value, uri []byte) bool

	Fragments   bool        // same-document links are rewritten too, but not what names a part of a picture or map
	Normalize   bool        // absolute links are written anew, as the rules have it
	BaseElement BaseElement // what becomes of BASE

	doc      *Doc
	scopes   []scope
	uri      []byte
	warnings []string
	drops    bool                        // the BASE of the document is dropped
	dropped  *base.Layer                 // its layer
	bare     map[*base.Layer]*base.Layer // layers without it
}

// scope is what the references of one layer are resolved against.
type scope struct {
	layer *base.Layer
	utf8  bool // queries are written in UTF-8 rather than in the charset of the document
	base  *resolve.Base
	uri   string
	from  *base.Layer
}

// Link is a reference with what became of it.
type Link struct {
	Ref
	Status   Status
	URI      []byte      // absolute, with fragment; nil where there is none. Valid until the next link
	Base     string      // the base URI that counted; "" = none
	From     *base.Layer // the layer that gave it; nil = none
	Change   bool        // it is to be rewritten: see Resolver.AppendEdits
	Drop     bool        // it is taken away, and not listed again
	Err      error       // why Status is Unresolved or Invalid
	Warnings []string    // what a reader should know, by the names of records. Valid until the next link
}

// Links yields the links of d in document order.
func (r *Resolver) Links(d *Doc) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		r.start(d)
		for i := range d.refs.len() {
			var l Link
			d.refs.get(&l.Ref, i)
			r.link(&l)
			if !yield(l) {
				return
			}
		}
	}
}

// Edits appends the edits of all links of d that are to be rewritten, in document
// order: those that are Resolved, but for those that are ListOnly, and what the
// fields of r add.
func (r *Resolver) Edits(dst []Edit, d *Doc) []Edit {
	var text []byte // of many edits, so that not each one is an allocation
	first := len(dst)
	r.start(d)
	for i := range d.refs.len() {
		if r.leaves(d.refs.valueOf(i)) {
			continue
		}
		var l Link
		d.refs.get(&l.Ref, i)
		if r.judge(&l); l.Drop {
			dst = r.AppendEdits(dst, &l)
		} else if l.Change {
			if need := 2*len(l.URI) + 64; cap(text)-len(text) < need {
				text = make([]byte, 0, max(editChunk, need))
			}
			start := len(text)
			text = l.place.append(text, l.URI)
			dst = append(dst, Edit{l.Span, text[start:len(text):len(text)]})
		}
	}
	if r.drops {
		SortEdits(dst[first:])
	}
	return dst
}

// leaves reports whether a reference is surely left as it is, by a look at its
// beginning: it is absolute, as most are.
func (r *Resolver) leaves(value []byte) bool {
	return !r.drops && !r.Normalize && len(value) > len("https://") && value[0] == 'h' &&
		(string(value[:len("http://")]) == "http://" || string(value[:len("https://")]) == "https://")
}

// editChunk is how many bytes are allocated for the text of edits at once.
const editChunk = 8 << 10

// start reads d, and forgets what r knows of another document.
func (r *Resolver) start(d *Doc) {
	d.find()
	r.doc = d
	r.scopes = r.scopes[:0]
	if r.drops = false; r.BaseElement == DropBase {
		r.startDrop()
	}
}

// maxScopes is how many scopes are kept: the document and its BASE come again and
// again, a codebase is that of one element.
const maxScopes = 8

// scope returns what the references of a layer are resolved against, with their
// queries in UTF-8 or in the charset of the document.
func (r *Resolver) scope(layer *base.Layer, utf8 bool) *scope {
	utf8 = utf8 || r.doc.charset.query == nil
	if len(r.scopes) > maxScopes {
		r.scopes = r.scopes[:maxScopes/2]
	}
	for i := range r.scopes {
		if r.scopes[i].layer == layer && r.scopes[i].utf8 == utf8 {
			return &r.scopes[i]
		}
	}
	r.scopes = append(r.scopes, r.newScope(layer, utf8))
	return &r.scopes[len(r.scopes)-1]
}

func (r *Resolver) newScope(layer *base.Layer, utf8 bool) scope {
	policy := r.Policy
	policy.Rules = r.Options
	s := scope{layer: layer, utf8: utf8}
	s.uri, s.from = layer.Base(&policy)
	o := r.Options
	o.Document = r.doc.Layer.Retrieval(&policy)
	if o.Rules == resolve.WHATWG && !utf8 {
		o.AppendQuery = r.doc.charset.query
	}
	b, err := resolve.NewBase(s.uri, o)
	if err != nil {
		s.uri, s.from = "", nil
		b, _ = resolve.NewBase("", o)
	}
	s.base = b
	return s
}

// link fills in what becomes of the reference in l, and what a reader should know.
func (r *Resolver) link(l *Link) {
	s, v := r.decide(l, false)
	r.warn(l, s, v)
	l.Change = r.change(l, v) // last: s may not be that of l afterwards
	if l.Change && !l.Drop && !r.writable(l) {
		l.Change = false
		r.warnings = append(r.warnings, "unwritable") // its place would say something else
		l.Warnings = r.warnings
	}
}

// judge fills in what becomes of the reference in l.
func (r *Resolver) judge(l *Link) {
	_, v := r.decide(l, true)
	l.Change = r.change(l, v)
	l.Change = l.Change && (l.Drop || r.writable(l))
}

// decide fills in the status and URI of the reference in l. It returns the scope and
// the value without white space around it. Where only edits count, quick, one that is
// surely left as it is does without a URI.
func (r *Resolver) decide(l *Link, quick bool) (s *scope, v []byte) {
	s = r.scope(l.Layer, l.utf8)
	l.Base, l.From = s.uri, s.from
	v = stripped(l.Value)
	switch form := s.base.Form(v); {
	case l.Identifier:
		r.identifier(l, s, v, form)
	case quick && form == resolve.Absolute && !r.Normalize && !r.drops:
		l.Status = AbsoluteRef // if it is valid
	case form == resolve.Relative && l.suspect(v):
		l.Status = Suspect
	default:
		r.resolve(l, s, v, form)
	}
	return s, v
}

// writable reports whether the place of a link can hold its URI.
func (r *Resolver) writable(l *Link) bool {
	if r.doc.format.isXML() && l.place.commented() && bytes.Contains(l.URI, []byte("--")) {
		return false
	}
	return l.place.holds(l.URI)
}

// warn fills in the warnings of a link.
func (r *Resolver) warn(l *Link, s *scope, v []byte) {
	w := r.warnings[:0]
	if l.broken {
		w = append(w, "invalid-utf8")
	}
	if l.hyphen {
		w = append(w, "line-end-hyphen")
	}
	if l.noscript {
		w = append(w, "base-in-noscript")
	}
	if l.place.list == srcsetList && l.Status == Resolved && (l.URI[0] == ',' || l.URI[len(l.URI)-1] == ',') {
		w = append(w, "srcset-comma") // its parser would cut it off: it is percent-encoded
	}
	if l.Status != IdentifierRef && l.Status != Suspect {
		w = s.base.AppendWarnings(w, v, l.URI)
	}
	if r.warnings = w; len(w) > 0 {
		l.Warnings = w
	}
}

// identifier fills in what an identifier stands for, where that is sure.
func (r *Resolver) identifier(l *Link, s *scope, v []byte, form resolve.Form) {
	l.Status = IdentifierRef
	if form != resolve.Absolute && !l.relative {
		return
	}
	if uri, err := s.base.Append(r.uri[:0], v); err == nil {
		r.uri, l.URI = uri, uri
	}
}

// resolve fills in status and URI of a reference.
func (r *Resolver) resolve(l *Link, s *scope, v []byte, form resolve.Form) {
	uri, err := r.append(l, s, v)
	switch {
	case err == nil:
		r.uri, l.URI = uri, uri
		l.Status = [...]Status{resolve.Relative: Resolved, resolve.Absolute: AbsoluteRef, resolve.SameDocument: SameDocument}[form]
	case form == resolve.SameDocument && errors.Is(err, resolve.ErrNoBase):
		l.Status = SameDocument
	case errors.Is(err, resolve.ErrNoBase):
		l.Status, l.Err = Unresolved, err
	default:
		l.Status, l.Err = Invalid, err
	}
	if form != resolve.SameDocument && r.InMessage != nil && r.InMessage(v, l.URI) {
		l.Status, l.Err = InMessage, nil
	}
}

// append resolves v, as the target of a form where l is one.
func (r *Resolver) append(l *Link, s *scope, v []byte) ([]byte, error) {
	if l.Form && len(v) == 0 {
		return s.base.AppendForm(r.uri[:0], v)
	}
	return s.base.Append(r.uri[:0], v)
}

// stripped returns v without the white space at its ends.
func stripped(v []byte) []byte {
	s := trimmed(v, Span{0, len(v)})
	return v[s.Start:s.End]
}
