package extract

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
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
	memo     base.Memo
	setting  setting // that scopes were made in
	uri      []byte
	room     []byte // for the text of edits: what is left of the last chunk
	warnings []string
	calm     bool                        // links that are resolved are those that are rewritten, but for what is ListOnly
	drops    bool                        // the BASE of the document is dropped
	dropped  *base.Layer                 // its layer
	bare     map[*base.Layer]*base.Layer // layers without it
}

// scope is what the references of one layer are resolved against.
type scope struct {
	layer   *base.Layer
	charset *charset.Encoding // that queries are written in; nil = UTF-8
	base    *resolve.Base
	uri     string
	free    bool // see isFree
	from    *base.Layer
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
		for i := range d.in.Refs.Len() {
			var l Link
			d.ref(&l.Ref, i)
			r.link(&l)
			if !yield(l) {
				return
			}
		}
	}
}

// start reads d, and forgets what r knows of another document.
func (r *Resolver) start(d *Doc) {
	d.find()
	d.markEasy()
	r.doc = d
	r.keepScopes()
	if r.drops = false; r.BaseElement == DropBase {
		r.startDrop()
	}
	r.calm = !r.drops && !r.Normalize && !r.Fragments && r.InMessage == nil
}

// isEasy reports whether references of a shape are edited by Resolver.easy where they are plain
// and relative. There is nothing to warn of in their places.
func isEasy(r *ref.Shape) bool {
	p := &r.Context
	attribute := p.Outer == nil && !p.XML && !p.Sheet && !p.Comment && p.Roman == 0
	whole := p.List == escape.Single && p.Token == escape.NoToken && p.Bare == escape.InQuotes && p.Open == 0
	return attribute && whole && !r.Identifier && !r.ListOnly && !isObject(r)
}

// markEasy notes which references of d are edited like that.
func (d *Doc) markEasy() {
	for i := range d.in.Refs.Shapes {
		s := &d.in.Refs.Shapes[i]
		s.Easy = isEasy(s)
	}
}

// maxScopes is how many scopes are kept: the document and its BASE come again and
// again, a codebase is that of one element.
const maxScopes = 8

// setting is what scopes depend on besides their layers.
type setting struct {
	layer        *base.Layer // around the document
	rules        resolve.Rules
	dots         resolve.Dots
	compat, bare bool
	mime         base.MIMEBase
	across, file bool
	trust        base.Trust
	force        string
}

// keepScopes forgets the scopes of the document before, but for the one that the next
// document has too: the layers around it are the very same, as in the messages of a
// mailbox.
func (r *Resolver) keepScopes() {
	o, p := &r.Options, &r.Policy
	now := setting{r.doc.Layer, o.Rules, o.ExcessDots, o.CompatScheme, o.Bare, p.MIME, p.NoInheritAcrossMessages, p.FileBase, p.Trust, p.Force}
	was := r.setting
	if was.layer = now.layer; was != now {
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
// queries in UTF-8 or in the charset of the document.
func (r *Resolver) scope(layer *base.Layer, utf8 bool) *scope {
	var cs *charset.Encoding
	if !utf8 && r.doc.in.Charset().Writes() {
		cs = r.doc.in.Charset()
	}
	if len(r.scopes) > maxScopes {
		r.scopes = r.scopes[:maxScopes/2]
	}
	for i := range r.scopes {
		if r.scopes[i].layer == layer && r.scopes[i].charset == cs {
			return &r.scopes[i]
		}
	}
	n := len(r.scopes)
	r.scopes = slices.Grow(r.scopes, 1)[:n+1]
	r.fill(&r.scopes[n], layer, cs)
	return &r.scopes[n]
}

// fill makes s, whose memory is used again, the scope of a layer.
func (r *Resolver) fill(s *scope, layer *base.Layer, cs *charset.Encoding) {
	policy := r.Policy
	policy.Rules = r.Options
	s.layer, s.charset = layer, cs
	s.uri, s.from = r.memo.Base(layer, &policy)
	o := r.Options
	if o.Document = s.uri; s.from == nil || s.from.Source.Layer() != "retrieval" {
		o.Document = r.doc.Layer.Retrieval(&policy)
	}
	if o.Rules == resolve.WHATWG && cs != nil {
		o.AppendQuery = cs.AppendQuery
	}
	if s.base == nil {
		s.base = new(resolve.Base)
	}
	if s.base.Reset(s.uri, o) != nil {
		s.uri, s.from = "", nil
		s.base.Reset("", o)
	}
	s.free = isFree(s.base.String())
}

// link fills in what becomes of the reference in l, and what a reader should know.
func (r *Resolver) link(l *Link) {
	s, v := r.enter(l)
	p, plain := s.base.Plain(v)
	if plain = plain && r.plain(l, &p, v); plain && r.calm && l.shape.Easy {
		if l.Change = p.Form == resolve.Relative; p.Warning != "" {
			r.warnings = append(r.warnings[:0], p.Warning)
			l.Warnings = r.warnings
		}
		return
	}
	if !plain {
		r.decide(l, s, v, false)
	}
	r.warn(l)
	switch {
	case l.Status == IdentifierRef || l.Status == Suspect:
	case !plain:
		r.warnings = s.base.AppendWarnings(r.warnings, v, l.URI)
	case p.Warning != "":
		r.warnings = append(r.warnings, p.Warning)
	}
	if len(r.warnings) > 0 {
		l.Warnings = r.warnings
	}
	l.Change = r.change(l, v) // last: s may not be that of l afterwards
	if l.Change && !l.Drop && !r.writable(l) {
		l.Change = false
		r.warnings = append(r.warnings, "unwritable") // its place would say something else
		l.Warnings = r.warnings
	}
	if isObject(l.shape) && r.readsOtherwise(l) {
		r.warnings = append(r.warnings, "codebase")
		l.Warnings = r.warnings
	}
}

// isObject reports whether r is what an object shows. HTML 4 resolves that against the
// codebase of the element, browsers do not.
func isObject(r *ref.Shape) bool { return r.Element == "object" && r.Attr == "data" }

// readsOtherwise reports whether browsers resolve a link with a codebase to another URI.
func (r *Resolver) readsOtherwise(l *Link) bool {
	if l.Status != Resolved || l.Layer == nil || l.Layer.Source != base.Codebase {
		return false
	}
	uri, err := r.scope(l.Layer.Outer, l.shape.UTF8).base.Append(nil, text.Stripped(l.Value))
	return err != nil || !bytes.Equal(uri, l.URI)
}

// judge fills in what becomes of the reference in l, for edits only.
func (r *Resolver) judge(l *Link) {
	s, v := r.enter(l)
	if p, plain := s.base.Plain(v); !plain || !r.plain(l, &p, v) {
		r.decide(l, s, v, true)
	}
	l.Change = r.change(l, v)
	l.Change = l.Change && (l.Drop || r.writable(l))
}

// enter returns what the reference in l is resolved against, and its value without white
// space around it.
func (r *Resolver) enter(l *Link) (s *scope, v []byte) {
	s = r.scope(l.Layer, l.shape.UTF8)
	l.Base, l.From = s.uri, s.from
	return s, text.Stripped(l.Value)
}

// decide fills in the status and URI of the reference in l, with a value and a scope.
// Where only edits count, quick, one that is surely left as it is does without a URI.
func (r *Resolver) decide(l *Link, s *scope, v []byte, quick bool) {
	switch form := s.base.Form(v); {
	case l.Identifier:
		r.identifier(l, s, v, form)
	case quick && form == resolve.Absolute && !r.Normalize && !r.drops:
		l.Status = AbsoluteRef // if it is valid
	case form == resolve.Relative && suspect(l.shape, v):
		l.Status = Suspect
	default:
		r.resolve(l, s, v, form)
	}
}

// plain fills in status and URI of a plain reference, and reports false where it is
// suspect.
func (r *Resolver) plain(l *Link, p *resolve.Plain, v []byte) bool {
	switch {
	case l.Identifier:
		if l.Status = IdentifierRef; stands(l.shape, p.Form) {
			r.join(l, p, v)
		}
	case p.Form == resolve.Relative && suspectPlain(l.shape, v):
		return false
	default:
		r.join(l, p, v)
		l.Status = statuses[p.Form]
		r.named(l, v, p.Form)
	}
	return true
}

// join fills in the URI of a plain reference.
func (r *Resolver) join(l *Link, p *resolve.Plain, v []byte) {
	if l.URI = v; p.Prefix != "" || p.Suffix != "" {
		r.uri = append(append(append(r.uri[:0], p.Prefix...), v...), p.Suffix...)
		l.URI = r.uri
	}
}

// statuses are those of references that resolve.
var statuses = [...]Status{resolve.Relative: Resolved, resolve.Absolute: AbsoluteRef, resolve.SameDocument: SameDocument}

// named looks whether a reference names a part of the same message.
func (r *Resolver) named(l *Link, v []byte, form resolve.Form) {
	if form != resolve.SameDocument && r.InMessage != nil && r.InMessage(v, l.URI) {
		l.Status, l.Err = InMessage, nil
	}
}

// writable reports whether the place of a link can hold its URI.
func (r *Resolver) writable(l *Link) bool {
	if r.doc.format.isXML() && l.context().Commented() && bytes.Contains(l.URI, []byte("--")) {
		return false
	}
	return l.context().Holds(l.URI)
}

// warn sets r.warnings to what is to be known of the place and the value of a link.
func (r *Resolver) warn(l *Link) {
	w := r.warnings[:0]
	if l.shape.Broken {
		w = append(w, "invalid-utf8")
	}
	if l.shape.Hyphen {
		w = append(w, "line-end-hyphen")
	}
	if l.shape.Unclear {
		w = append(w, "unclear-end")
	}
	if l.shape.NoScript {
		w = append(w, "base-in-noscript")
	}
	if r.writes(l) && l.context().CutsComma(l.URI) {
		w = append(w, "srcset-comma") // its parser would cut it off: it is percent-encoded
	}
	r.warnings = w
}

// writes reports whether the URI of a link with that status may be written.
func (r *Resolver) writes(l *Link) bool {
	return l.Status == Resolved || l.Status == AbsoluteRef && r.Normalize
}

// stands reports whether it is sure what an identifier stands for.
func stands(r *ref.Shape, form resolve.Form) bool { return form == resolve.Absolute || r.Relative }

// identifier fills in what an identifier stands for, where that is sure.
func (r *Resolver) identifier(l *Link, s *scope, v []byte, form resolve.Form) {
	if l.Status = IdentifierRef; !stands(l.shape, form) {
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
		l.Status = statuses[form]
	case form == resolve.SameDocument && errors.Is(err, resolve.ErrNoBase):
		l.Status = SameDocument
	case errors.Is(err, resolve.ErrNoBase):
		l.Status, l.Err = Unresolved, err
	default:
		l.Status, l.Err = Invalid, err
	}
	r.named(l, v, form)
}

// append resolves v, as the target of a form where l is one.
func (r *Resolver) append(l *Link, s *scope, v []byte) ([]byte, error) {
	if l.Form && len(v) == 0 {
		return s.base.AppendForm(r.uri[:0], v)
	}
	return s.base.Append(r.uri[:0], v)
}

// isFree reports whether each byte of uri stands for itself in an attribute in quotes.
func isFree(uri string) bool { return !strings.ContainsAny(uri, "\"'&<>`") }
