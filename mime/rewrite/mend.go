package rewrite

import (
	"errors"
	"slices"

	"absolink/base"
	"absolink/mime/document"
	"absolink/mime/mbox"
)

// If one reference is not read back as planned, the other references should still be rewritten. The
// faulty reference is found by bisection: each half of the references is edited alone, and then
// each half of a half that is not read back correctly.

// errUnsafe means that the plan itself says why its edits cannot be made.
var errUnsafe = errors.New("the edits cannot be made in the message")

// mostTries is the largest number of new plans that the bisection makes of one source.
const mostTries = 200

// Misread finds the references of p that are not read back as planned, and returns a value of Leave
// that leaves them unchanged. try must make another plan of the source of p with a value of Leave,
// and report whether its output is read back as planned. Misread returns nil if there are too many
// such references, or if single references are not the cause. The source must then stay unchanged.
// Misread itself edits nothing.
func (p *Plan) Misread(try func(leave func(n int) bool) bool) (leave func(n int) bool) {
	h := halves{try: try}
	h.find(1, p.n+1)
	leave = among(h.list)
	if h.tries > mostTries || len(h.list) == 0 || !try(leave) {
		return nil
	}
	return leave
}

// halves finds faulty references by bisection.
type halves struct {
	try   func(leave func(n int) bool) bool
	tries int
	list  []int
}

// find finds the faulty references with numbers from from up to, but not including, to.
func (h *halves) find(from, to int) {
	h.tries++
	if from == to || h.tries > mostTries || h.try(func(n int) bool { return n < from || n >= to }) {
		return
	}
	if to-from == 1 {
		h.list = append(h.list, from)
		return
	}
	middle := from + (to-from)/2
	h.find(from, middle)
	h.find(middle, to)
}

// among returns a function that reports whether a number is in list, which must be sorted.
func among(list []int) func(n int) bool {
	return func(n int) bool {
		_, found := slices.BinarySearch(list, n)
		return found
	}
}

// mended returns a plan like p without the references that were not read back correctly, or nil if
// they are not found. p did not pass. src is the content of m, if m is not nil.
func (r *Rewriter) mended(p *Plan, src *document.Source, outer *base.Layer, m *mbox.Message) *Plan {
	leave := p.Misread(func(leave func(n int) bool) bool {
		q, err := r.plan(src, outer, leave)
		return err == nil && r.passes(q, m) == nil
	})
	if leave == nil {
		return nil
	}
	q, err := r.plan(src, outer, leave)
	if err != nil || r.passes(q, m) != nil {
		return nil
	}
	return q
}

// passes returns the reason why p must not be carried out, or nil. p is the plan of the content of
// m, if m is not nil.
func (r *Rewriter) passes(p *Plan, m *mbox.Message) error {
	if p.Kept == Unsafe {
		return errUnsafe
	}
	if m != nil {
		if err := p.Fit(m); err != nil {
			return err
		}
	}
	if r.NoVerify || !p.Edited() {
		return nil
	}
	out, err := p.Result()
	if err != nil {
		return err
	}
	return r.Verify(p, out)
}
