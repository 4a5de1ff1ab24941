package extract

import (
	"bytes"
	"errors"

	"absolink/extract/internal/ref"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
	"absolink/resolve"
)

// What becomes of a reference is settled in one way for links and for edits. Nearly all
// references are plain ones (resolve.Base.Plain) in plain places (ref.Shape): their URI is
// put together from two pieces, and there is nothing to warn of but what Plain says.

// settle fills in what becomes of the reference k of a document.
func (r *Resolver) settle(o *result, k *ref.Kept) {
	if len(r.scopes) > maxScopes {
		r.scopes = r.scopes[:maxScopes/2]
	}
	refs := &r.doc.in.Refs
	shape := &refs.Shapes[k.Shape]
	s := r.scope(shape.Layer, shape.UTF8)
	o.kept, o.value, o.shape, o.scope = k, text.Stripped(refs.Value(k)), shape, s
	o.uri, o.err, o.drop, o.unwritable = nil, nil, false, false
	p, plain := s.base.Plain(o.value)
	if o.plain, o.warning = plain && r.plain(o, &p), p.Warning; !o.plain {
		r.decide(o)
	}
	if s.within && o.status != AbsoluteRef {
		return
	}
	if r.standard && o.shape.Plain {
		o.change = o.status == Resolved
		return
	}
	if o.change = r.change(o); o.change && !o.drop && !r.writable(o) {
		o.change, o.unwritable = false, true
	}
}

// plain fills in status and URI of a plain reference, and reports false where it is
// suspect.
func (r *Resolver) plain(o *result, p *resolve.Plain) bool {
	switch {
	case o.shape.Identifier:
		if o.status = IdentifierRef; !stands(o.shape, p.Form) {
			return true
		}
	case p.Form == resolve.Relative && value.SuspectPlain(o.value, mailbox(o.shape)):
		return false
	default:
		o.status = statuses[p.Form]
	}
	if o.uri = o.value; p.Prefix != "" || p.Suffix != "" {
		r.uri = append(append(append(r.uri[:0], p.Prefix...), o.value...), p.Suffix...)
		o.uri = r.uri
	}
	if o.status != IdentifierRef {
		r.named(o, p.Form)
	}
	return true
}

// mailbox reports whether r is where people forget the "mailto:".
func mailbox(r *ref.Shape) bool {
	return r.Attr == "href" && (r.Element == "a" || r.Element == "area")
}

// statuses are those of references that resolve.
var statuses = [...]Status{resolve.Relative: Resolved, resolve.Absolute: AbsoluteRef, resolve.SameDocument: SameDocument}

// named looks whether a reference names a part of the same message.
func (r *Resolver) named(o *result, form resolve.Form) {
	if form != resolve.SameDocument && r.InMessage != nil && r.InMessage(o.value, o.uri) {
		o.status, o.err = InMessage, nil
	}
}

// decide fills in the status and URI of a reference.
func (r *Resolver) decide(o *result) {
	switch form := o.scope.base.Form(o.value); {
	case o.shape.Identifier:
		r.identifier(o, form)
	case form == resolve.Relative && value.Suspect(o.value, mailbox(o.shape)):
		o.status = Suspect
	default:
		r.resolve(o, form)
	}
}

// stands reports whether it is sure what an identifier stands for.
func stands(r *ref.Shape, form resolve.Form) bool { return form == resolve.Absolute || r.Relative }

// identifier fills in what an identifier stands for, where that is sure.
func (r *Resolver) identifier(o *result, form resolve.Form) {
	if o.status = IdentifierRef; !stands(o.shape, form) {
		return
	}
	if uri, err := o.scope.base.Append(r.uri[:0], o.value); err == nil {
		r.uri, o.uri = uri, uri
	}
}

// resolve fills in status and URI of a reference.
func (r *Resolver) resolve(o *result, form resolve.Form) {
	uri, err := r.append(o)
	switch {
	case err == nil:
		r.uri, o.uri = uri, uri
		o.status = statuses[form]
	case form == resolve.SameDocument && errors.Is(err, resolve.ErrNoBase):
		o.status = SameDocument
	case errors.Is(err, resolve.ErrNoBase):
		o.status, o.err = Unresolved, err
	default:
		o.status, o.err = Invalid, err
	}
	r.named(o, form)
}

// append resolves a reference, as the target of a form where it is one.
func (r *Resolver) append(o *result) ([]byte, error) {
	if o.shape.Form && len(o.value) == 0 {
		return o.scope.base.AppendForm(r.uri[:0], o.value)
	}
	return o.scope.base.Append(r.uri[:0], o.value)
}

// writable reports whether the place of a reference can hold its URI.
func (r *Resolver) writable(o *result) bool {
	if r.doc.format.isXML() && o.shape.Context.Commented() && bytes.Contains(o.uri, []byte("--")) {
		return false
	}
	return o.shape.Context.Holds(o.uri)
}
