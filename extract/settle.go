package extract

import (
	"bytes"
	"errors"

	"absolink/base"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/json"
	"absolink/extract/internal/ref"
	"absolink/extract/internal/template"
	"absolink/extract/internal/text"
	"absolink/extract/internal/value"
	"absolink/resolve"
)

// The result of a reference is determined in the same way for links and for edits. Nearly all
// references are plain (resolve.Base.Plain) and in plain places (ref.Shape). The URI of such a
// reference is a part of the base followed by the reference, and Plain returns its only warning.

// settle sets res to the result of the reference k of a document.
func (r *Resolver) settle(res *result, k *ref.Kept) {
	if len(r.scopes) > maxScopes {
		r.scopes = r.scopes[:maxScopes/2]
	}
	refs := &r.doc.in.Refs
	shape := &refs.Shapes[k.Shape]
	res.kept = k
	res.value = text.Stripped(refs.Value(k))
	res.shape = shape
	s := r.scope(r.detour(res), shape.UTF8)
	res.scope = s
	res.uri, res.err, res.change, res.drop, res.unwritable = nil, nil, false, false, false
	if r.unknown != "" && r.unsure(k) {
		r.settleUnsure(res)
		return
	}
	p, plain := s.base.Plain(res.value)
	res.plain = plain && r.settlePlain(res, &p)
	res.warning = p.Warning
	if !res.plain {
		r.resolve(res, p.Form)
	}
	if s.within && res.status != AbsoluteRef || r.readOnly {
		return
	}
	if r.standard && res.shape.Plain {
		res.change = res.status == Resolved
		return
	}
	res.change = r.decideChange(res)
	if res.change && !res.drop && !res.shape.Context.Holds(res.uri) {
		res.change, res.unwritable = false, true
	}
}

// settleUnsure does the work of settle for a reference in an unknown charset.
func (r *Resolver) settleUnsure(res *result) {
	res.plain = false
	switch {
	case res.shape.Identifier:
		res.status = IdentifierRef
	case r.suspect(res, res.scope.base.Form(res.value)):
		res.status = Suspect
	default:
		res.status = Unresolved
		res.err = unknownCharset(r.unknown)
	}
}

// unknownCharset is the error of a reference in an unknown charset. Its value is the name of the
// charset.
type unknownCharset string

// Error returns the reason that is also given for a base in this charset.
func (name unknownCharset) Error() string {
	l := base.Layer{Source: base.BaseElement, UnknownCharset: string(name)}
	return l.Explain(nil)[0].Reason
}

// Unsure reports whether l is Unresolved because its charset is unknown.
func (l *Link) Unsure() bool {
	_, ok := l.Err.(unknownCharset)
	return ok
}

// settlePlain sets status and URI of a plain reference. It returns false if the reference may be
// suspect.
func (r *Resolver) settlePlain(res *result, p *resolve.Plain) bool {
	switch {
	case res.shape.Identifier:
		res.status = IdentifierRef
		if !namesURI(res.shape, p.Form) {
			return true
		}
	case p.Form == resolve.Relative && value.SuspectPlain(res.value, mayBeMailbox(res.shape)),
		res.shape.Template != ref.NoTemplate && p.Form != resolve.Absolute:
		return false
	default:
		res.status = statuses[p.Form]
	}
	res.uri = res.value
	if p.Prefix != "" || p.Suffix != "" {
		r.chunks.uri = append(append(append(r.chunks.uri[:0], p.Prefix...), res.value[p.Skip:]...), p.Suffix...)
		res.uri = r.chunks.uri
	}
	if res.status != IdentifierRef {
		r.markNamed(res, p.Form)
	}
	return true
}

// mayBeMailbox reports whether a reference is in a place where people write the address of a
// mailbox and forget "mailto:".
func mayBeMailbox(r *ref.Shape) bool {
	return r.Attr == "href" && (r.Element == "a" || r.Element == "area")
}

// statuses are the statuses of references that resolve.
var statuses = [...]Status{resolve.Relative: Resolved,
	resolve.Absolute: AbsoluteRef, resolve.SameDocument: SameDocument}

// markNamed changes the status of a reference that names a part of the same message: InMessage
// reports this, or the reference is the file name of a part and has no base from the document
// itself.
func (r *Resolver) markNamed(res *result, form resolve.Form) {
	switch {
	case form == resolve.SameDocument:
	case r.InMessage != nil && r.InMessage(res.value, res.uri):
		res.status, res.err = InMessage, nil
	case form == resolve.Relative && r.PartName != nil && res.shape.Layer == r.doc.Layer && r.PartName(res.value):
		res.status, res.uri, res.err = Suspect, nil, nil
	}
}

// namesURI reports whether an identifier names a URI that can be resolved.
func namesURI(r *ref.Shape, form resolve.Form) bool { return form == resolve.Absolute || r.Relative }

// resolve sets status and URI of a reference that is not plain, or is suspect.
func (r *Resolver) resolve(res *result, form resolve.Form) {
	switch {
	case res.shape.Identifier:
		res.status = IdentifierRef
		if !namesURI(res.shape, form) {
			return
		}
	case r.suspect(res, form):
		res.status = Suspect
		return
	}
	uri, err := r.absolute(res)
	if err == nil {
		r.chunks.uri, res.uri = uri, uri
	}
	switch {
	case res.shape.Identifier:
		return
	case err == nil:
		res.status = statuses[form]
	case form == resolve.Absolute && templateIn(res.value, res.shape) >= 0:
		res.status = Suspect // its host is not known yet
		return
	case !errors.Is(err, resolve.ErrNoBase):
		res.status, res.err = Invalid, err
	case form == resolve.SameDocument:
		res.status = SameDocument
	default:
		res.status, res.err = Unresolved, err
	}
	r.markNamed(res, form)
}

// absolute returns the URI of a reference, in the current chunk. Names in braces that a program
// replaces are not encoded, nor is anything after them.
func (r *Resolver) absolute(res *result) ([]byte, error) {
	dst, b := r.chunks.uri[:0], res.scope.base
	switch {
	case res.shape.Form && len(res.value) == 0:
		return b.AppendForm(dst, res.value)
	case res.shape.Context.List == escape.Variables:
		n := json.VariablesLiteral(res.value)
		uri, err := b.Append(dst, res.value[:n])
		if err != nil {
			return uri, err
		}
		return append(uri, res.value[n:]...), nil
	}
	return b.Append(dst, res.value)
}

// suspect reports whether a text without a scheme is certainly not meant as a reference.
func (r *Resolver) suspect(res *result, form resolve.Form) bool {
	switch {
	case res.shape.Context.List == escape.Variables:
		return json.VariablesLiteral(res.value) == 0 || res.shape.Template == ref.NearPiece && form != resolve.Absolute
	case form == resolve.Absolute:
		return false
	case res.shape.Template != ref.NoTemplate:
		return true
	case res.shape.Context.List == escape.Pattern && bytes.HasPrefix(res.value, []byte("{")):
		_, ok := template.Next(res.value, 0) // a name in braces is a group
		return ok
	case form == resolve.Relative:
		return value.Suspect(res.value, mayBeMailbox(res.shape))
	}
	_, ok := template.First(res.value)
	return ok
}
