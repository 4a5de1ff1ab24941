package write

import (
	"context"
	"errors"
	"fmt"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// A reference that is not read back as planned stays as written and is reported. The other
// references are still rewritten (see [rewrite.Plan.Misread]).

// misread reports whether err means that an output is not read back as planned.
func misread(err error) bool {
	return errors.Is(err, rewrite.ErrReferences) || errors.Is(err, rewrite.ErrEnds)
}

// plan plans all edits of in. If something prevents the editing of a document, plan records it in
// e, and the document stays as it is.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.planWithout(ctx, in, nil, e)
	if err == nil && p.Kept == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// mend replaces p, the plan of in, by a plan without the references that are not read back, and
// records them in e. It reports whether it found such a plan. fits reports whether a plan fits the
// container of in; nil accepts all plans.
func (w *worker) mend(ctx context.Context, in *input.Document, p *plan, e *report.Entry, fits func(p *plan) bool) bool {
	before := p.before
	leave := p.Misread(func(leave func(n int) bool) bool {
		account := before
		q, err := w.planWithout(ctx, in, leave, &account)
		return err == nil && q.Kept != rewrite.Unsafe && (fits == nil || fits(q)) && w.readsBack(ctx, in, q)
	})
	if leave == nil || ctx.Err() != nil {
		return false
	}
	account := before
	q, err := w.planWithout(ctx, in, leave, &account)
	if err != nil || fits != nil && !fits(q) {
		return false
	}
	*p = *q
	*e = account
	e.Result.Set(p.outcome(e))
	return true
}

// readsBack reports whether the output of p, the plan of in, is read back as planned.
func (w *worker) readsBack(ctx context.Context, in *input.Document, p *plan) bool {
	if !w.c.verifies(in) || !p.Edited() {
		return true
	}
	out, err := p.Result()
	return err == nil && w.compare(ctx, out, p) == nil
}

// compare reads the output and compares its links with the plan. If they differ, the error is one
// that [misread] reports.
func (w *worker) compare(ctx context.Context, out *document.Source, p *plan) error {
	return errors.Join(w.rewriter.Verify(&p.Plan, out), ctx.Err())
}

// staysAsWritten returns the refusal of an output that could not be verified.
func staysAsWritten(err error) *files.Refusal {
	return &files.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}
