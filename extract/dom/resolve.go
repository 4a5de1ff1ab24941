package dom

import (
	"strings"

	"absolink/base"
	"absolink/resolve"
)

// Resolver makes references absolute. The zero value resolves references as browsers do. It keeps
// the bases of all layers that it has seen, so use one for each document. It is not safe for
// concurrent use.
type Resolver struct {
	// which layers give a base; its Rules decide how references are resolved, and Resolve sets
	// Rules.Document
	Policy base.Policy

	bases map[*base.Layer]*resolve.Base
}

// Resolve returns the absolute URI of a reference, with its fragment. The error is
// [resolve.ErrNoBase] if a relative reference has no usable base. Otherwise the error says why the
// reference cannot be parsed.
func (r *Resolver) Resolve(ref Ref) (string, error) {
	b := r.base(ref.Layer)
	value := strings.Trim(ref.Value, "\t\n\f\r ")
	if ref.Form && value == "" {
		uri, err := b.AppendForm(nil, nil)
		return string(uri), err
	}
	return b.Resolve(value)
}

// base returns the base of the references of a layer.
func (r *Resolver) base(layer *base.Layer) *resolve.Base {
	if b, ok := r.bases[layer]; ok {
		return b
	}
	uri, _ := layer.Base(&r.Policy)
	o := r.Policy.Rules
	o.Document = layer.Retrieval(&r.Policy)
	b, err := resolve.NewBase(uri, o)
	if err != nil {
		b, _ = resolve.NewBase("", o)
	}
	if r.bases == nil {
		r.bases = make(map[*base.Layer]*resolve.Base)
	}
	r.bases[layer] = b
	return b
}
