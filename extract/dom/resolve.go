package dom

import (
	"strings"

	"absolink/base"
	"absolink/resolve"
)

// Resolver makes references absolute. The zero value works as browsers do. It
// keeps the bases of the layers that it was asked for, so use one for each document; it is
// not safe for concurrent use.
type Resolver struct {
	Policy base.Policy // what gives a base, and by its Rules how references are resolved; Rules.Document is filled in

	bases map[*base.Layer]*resolve.Base
}

// Resolve returns the absolute URI of a reference, with its fragment. The error
// is [resolve.ErrNoBase] where a relative reference has no usable base, or says why it
// cannot be parsed.
func (r *Resolver) Resolve(ref Ref) (string, error) {
	b := r.base(ref.Layer)
	value := strings.Trim(ref.Value, "\t\n\f\r ")
	if ref.Form && value == "" {
		uri, err := b.AppendForm(nil, nil)
		return string(uri), err
	}
	return b.Resolve(value)
}

// base returns what the references of a layer are resolved against.
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
