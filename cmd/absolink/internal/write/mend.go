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
// references are still rewritten (see [rewrite.Plan.Mend]).

// misread reports whether err means that an output is not read back as planned.
func misread(err error) bool {
	return errors.Is(err, rewrite.ErrReferences) || errors.Is(err, rewrite.ErrEnds)
}

// plan plans all edits of in. If something prevents the editing of a document, plan records it in
// e, and the document stays as it is.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.planAll(ctx, in, e)
	if err == nil && p.WhyUnchanged == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// mend replaces p, the plan of in, by a plan without the references that are not read back, and
// records them in e. It reports whether it found such a plan. fits reports whether a plan fits the
// container of in; nil accepts all plans. The worker must not have planned another input since.
func (w *worker) mend(ctx context.Context, in *input.Document, p *plan, e *report.Entry,
	fits func(p *rewrite.Plan) bool) bool {
	v := &w.visitor
	account := *e
	v.entry = &account
	mended := p.Mend(func(q *rewrite.Plan) bool {
		v.begin(q)
		return q.WhyUnchanged != rewrite.Unsafe && (fits == nil || fits(q)) && w.readsBack(ctx, in, q)
	})
	if mended == nil || ctx.Err() != nil {
		return false
	}
	w.account(v.plan, in, &account)
	*p = *v.plan
	*e = account
	e.Result.SetOutcome(p.outcome(e))
	return true
}

// readsBack reports whether the output of p, the plan of in, is read back as planned.
func (w *worker) readsBack(ctx context.Context, in *input.Document, p *rewrite.Plan) bool {
	if !w.c.verifies(in) || !p.Edited() {
		return true
	}
	out, err := p.Output()
	return err == nil && w.compare(ctx, out, p) == nil
}

// compare reads the output and compares its links with the plan. If they differ, the error is one
// that [misread] reports.
func (w *worker) compare(ctx context.Context, out *document.Source, p *rewrite.Plan) error {
	return errors.Join(w.rewriter.Verify(p, out), ctx.Err())
}

// staysAsWritten returns the refusal of an output that could not be verified.
func staysAsWritten(err error) *files.Refusal {
	return &files.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}
