package report

import (
	"absolink/cmd/absolink/internal/record"
	"absolink/mime/rewrite"
)

// Edits are the counts of edits in a rewriting.
type Edits struct {
	N      int // references that are edited
	Old    int // places that still have an old address
	DKIM   int // 1 for a message with a signature that its edits break; in a sum, the number of such messages
	Signed int // parts that are left unchanged because they are signed or encrypted
	Broken int // signed parts that are edited
}

// Count sets e to the numbers of a plan, except for Old.
func (e *Edits) Count(p *rewrite.Plan) {
	e.N = p.References
	e.DKIM = 0
	if p.DKIM {
		e.DKIM = 1
	}
	e.Signed = p.Protected
	e.Broken = p.Broken
}

// Add adds o to e.
func (e *Edits) Add(o *Edits) {
	e.N += o.N
	e.Old += o.Old
	e.DKIM += o.DKIM
	e.Signed += o.Signed
	e.Broken += o.Broken
}

func (e *Edits) append(o record.Object) record.Object {
	o = o.Int("edits", int64(e.N)).Int("signed", int64(e.Signed))
	if e.Broken > 0 {
		o = o.Int("broken", int64(e.Broken))
	}
	if e.DKIM > 0 {
		o = o.Raw("dkim", []byte("true"))
	}
	return o
}
