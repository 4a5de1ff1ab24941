package extract

import (
	"errors"

	"absolink/base"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/template"
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
	o.kept = k
	o.value = text.Stripped(refs.Value(k))
	o.shape = shape
	o.scope = s
	o.uri, o.err, o.change, o.drop, o.unwritable = nil, nil, false, false, false
	if r.unknown != "" && r.unsure(k) {
		r.settleUnsure(o)
		return
	}
	p, plain := s.base.Plain(o.value)
	o.plain = plain && r.plain(o, &p)
	o.warning = p.Warning
	if !o.plain {
		r.resolve(o, p.Form)
	}
	if s.within && o.status != AbsoluteRef || r.readOnly {
		return
	}
	if r.standard && o.shape.Plain {
		o.change = o.status == Resolved
		return
	}
	o.change = r.change(o)
	if o.change && !o.drop && !o.shape.Context.Holds(o.uri) {
		o.change, o.unwritable = false, true
	}
}

// settleUnsure is settle for a reference that nobody knows.
func (r *Resolver) settleUnsure(o *result) {
	o.plain = false
	switch {
	case o.shape.Identifier:
		o.status = IdentifierRef
	case r.suspect(o, o.scope.base.Form(o.value)):
		o.status = Suspect
	default:
		o.status = Unresolved
		o.err = unknownCharset(r.unknown)
	}
}

// unknownCharset is the error of a reference in a charset that is not known: its name.
type unknownCharset string

func (name unknownCharset) Error() string {
	return base.UnknownCharset(string(name))
}

// Unsure reports whether l is Unresolved because it is written in a charset that is not known.
func (l *Link) Unsure() bool {
	_, ok := l.Err.(unknownCharset)
	return ok
}

// plain fills in status and URI of a plain reference, and reports false where it is
// suspect.
func (r *Resolver) plain(o *result, p *resolve.Plain) bool {
	switch {
	case o.shape.Identifier:
		o.status = IdentifierRef
		if !stands(o.shape, p.Form) {
			return true
		}
	case p.Form == resolve.Relative && value.SuspectPlain(o.value, mailbox(o.shape)),
		o.shape.Template && p.Form != resolve.Absolute:
		return false
	default:
		o.status = statuses[p.Form]
	}
	o.uri = o.value
	if p.Prefix != "" || p.Suffix != "" {
		r.uri = append(append(append(r.uri[:0], p.Prefix...), o.value[p.Skip:]...), p.Suffix...)
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
var statuses = [...]Status{resolve.Relative: Resolved,
	resolve.Absolute: AbsoluteRef, resolve.SameDocument: SameDocument}

// named looks whether a reference names a part of the same message: by the rules for that, or
// else by the name of its file, where nothing in the document says what it is relative to.
func (r *Resolver) named(o *result, form resolve.Form) {
	switch {
	case form == resolve.SameDocument:
	case r.InMessage != nil && r.InMessage(o.value, o.uri):
		o.status, o.err = InMessage, nil
	case form == resolve.Relative && r.PartName != nil && o.shape.Layer == r.doc.Layer && r.PartName(o.value):
		o.status, o.uri, o.err = Suspect, nil, nil
	}
}

// stands reports whether it is sure what an identifier stands for.
func stands(r *ref.Shape, form resolve.Form) bool { return form == resolve.Absolute || r.Relative }

// resolve fills in status and URI of a reference that is not plain, or suspect.
func (r *Resolver) resolve(o *result, form resolve.Form) {
	switch {
	case o.shape.Identifier:
		o.status = IdentifierRef
		if !stands(o.shape, form) {
			return
		}
	case r.suspect(o, form):
		o.status = Suspect
		return
	}
	absolute := (*resolve.Base).Append
	if o.shape.Form && len(o.value) == 0 {
		absolute = (*resolve.Base).AppendForm
	}
	uri, err := absolute(o.scope.base, r.uri[:0], o.value)
	if err == nil {
		r.uri, o.uri = uri, uri
	}
	switch {
	case o.shape.Identifier:
		return
	case err == nil:
		o.status = statuses[form]
	case form == resolve.Absolute && templateIn(o.value, o.shape) >= 0:
		o.status = Suspect // nobody knows its host yet
		return
	case !errors.Is(err, resolve.ErrNoBase):
		o.status, o.err = Invalid, err
	case form == resolve.SameDocument:
		o.status = SameDocument
	default:
		o.status, o.err = Unresolved, err
	}
	r.named(o, form)
}

// suspect reports whether a reference without a scheme is surely none.
func (r *Resolver) suspect(o *result, form resolve.Form) bool {
	switch {
	case form == resolve.Absolute:
		return false
	case o.shape.Template:
		return true
	case form == resolve.Relative:
		return value.Suspect(o.value, mailbox(o.shape))
	}
	_, ok := template.First(o.value)
	return ok
}
