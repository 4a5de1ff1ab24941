package rewrite

import (
	"errors"
	"slices"

	"absolink/mime/mbox"
)

// If one reference is not read back as planned, the other references should still be rewritten.
// Bisection finds the faulty reference: each half of the references is edited alone. A half that is
// not read back as planned is divided again.

// errUnsafe means that the edits of a plan cannot be made. A problem of the plan says why.
var errUnsafe = errors.New("the edits cannot be made in the message")

// maxTries is the largest number of plans that the bisection makes of one source.
const maxTries = 200

// Mend returns a plan like p in which the references that are not read back as planned stay as they
// are written. Each has a problem of the kind Misread. The result is nil if there are too many such
// references, or if no single reference is the cause. That happens, for instance, if
// [Rewriter.Verify] could not read the output of p because it is too large or too complex. The
// source must then stay unchanged.
//
// Mend makes many plans of the source of p, and visits their documents as [Rewriter.Visit] did for
// p. For each of these plans it calls check, which reports whether the plan may be carried out. The
// last of the plans is the result.
func (p *Plan) Mend(check func(q *Plan) bool) *Plan {
	if p.unread {
		return nil
	}
	var q *Plan
	faulty := misread(p.n, func(stays func(n int) bool) bool {
		j := p.job
		j.staysAsWritten = stays
		var err error
		q, err = j.plan()
		return err == nil && check(q)
	})
	if faulty == nil {
		return nil
	}
	return q
}

// misread finds the faulty references among the numbers 1 to n. isFaulty reports whether the
// reference with a number is faulty. isFaulty is nil if too many references are faulty, or if no
// single reference is the cause. try makes a plan in which the references with stays(n) are left as
// written, and reports whether the output is as planned. If isFaulty is not nil, the last call was
// try(isFaulty).
func misread(n int, try func(stays func(n int) bool) bool) (isFaulty func(n int) bool) {
	b := bisection{try: try}
	b.find(1, n+1)
	isFaulty = among(b.faulty)
	if b.tries > maxTries || len(b.faulty) == 0 || !try(isFaulty) {
		return nil
	}
	return isFaulty
}

// bisection finds faulty references.
type bisection struct {
	try    func(stays func(n int) bool) bool // see misread
	tries  int                               // number of calls of find
	faulty []int                             // numbers of the references found so far, in order
}

// find finds the faulty references with numbers from start up to, but not including, end.
func (b *bisection) find(start, end int) {
	b.tries++
	outside := func(n int) bool { return n < start || n >= end }
	if start == end || b.tries > maxTries || b.try(outside) {
		return
	}
	if end-start == 1 {
		b.faulty = append(b.faulty, start)
		return
	}
	middle := start + (end-start)/2
	b.find(start, middle)
	b.find(middle, end)
}

// among returns a function that reports whether a number is in list, which must be sorted.
func among(list []int) func(n int) bool {
	return func(n int) bool {
		_, found := slices.BinarySearch(list, n)
		return found
	}
}

// check returns the reason why p must not be carried out, or nil. If m is not nil, p is the plan of
// the content of m, and check adapts p to the mailbox: see [Plan.Fit].
func (r *Rewriter) check(p *Plan, m *mbox.Message) error {
	if p.WhyUnchanged == Unsafe {
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
	out, err := p.Output()
	if err != nil {
		return err
	}
	return r.Verify(p, out)
}
