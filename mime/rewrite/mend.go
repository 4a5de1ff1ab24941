package rewrite

import (
	"errors"
	"slices"

	"absolink/mime/mbox"
)

// If one reference is not read back as planned, the other references should still be rewritten. The
// faulty reference is found by bisection: each half of the references is edited alone, and then
// each half of a half that is not read back correctly.

// errUnsafe means that the plan itself says why its edits cannot be made.
var errUnsafe = errors.New("the edits cannot be made in the message")

// mostTries is the largest number of new plans that the bisection makes of one source.
const mostTries = 200

// Mend makes a plan like p in which the references that are not read back as planned stay as they
// are written, each with a problem of the kind Misread. check reports whether a plan may be carried
// out. Mend makes many plans of the source of p, of which it calls check, and visits the documents
// of each as [Rewriter.Visit] did for p. The last one is the result. The result is nil if there are
// too many such references, or if single references are not the cause. The source must then stay
// unchanged.
func (p *Plan) Mend(check func(q *Plan) bool) *Plan {
	var q *Plan
	leave := misread(p.n, func(leave func(n int) bool) bool {
		j := p.job
		j.leave = leave
		var err error
		q, err = j.plan()
		return err == nil && check(q)
	})
	if leave == nil {
		return nil
	}
	return q
}

// misread finds the faulty ones of n references, and returns a function that reports whether the
// reference with a number is one of them. try reports whether all is well if the references that
// leave names stay as they are written. Its last call has the result. The result is nil if there
// are too many faulty references, or if single references are not the cause.
func misread(n int, try func(leave func(n int) bool) bool) (leave func(n int) bool) {
	h := halves{try: try}
	h.find(1, n+1)
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
