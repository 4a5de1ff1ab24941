package dom

import (
	"strings"

	"absolink/base"
	"absolink/resolve"
)

// Resolver makes references absolute. The zero value works as browsers do. It
// keeps the bases that it has seen, so use one for each document; it is not safe
// for concurrent use.
type Resolver struct {
	Options resolve.Options // Document is filled in per document
	Policy  base.Policy     // its Rules are set to Options

	bases map[*base.Layer]*resolve.Base
}

// Resolve returns the absolute URI of a reference, with its fragment. The error
// is resolve.ErrNoBase where a relative reference has no usable base, or says why it
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
	policy := r.Policy
	policy.Rules = r.Options
	uri, _ := layer.Base(&policy)
	o := r.Options
	o.Document = layer.Retrieval(&policy)
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
