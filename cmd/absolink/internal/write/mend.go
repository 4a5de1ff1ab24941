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

// Verification may find that a browser would not read an edited reference as planned. This
// reference then stays as it was written, and is reported. The other references are still
// rewritten: see [rewrite.Plan.Mend].

// misread reports whether err means that the references of an output are not the planned ones.
func misread(err error) bool {
	return errors.Is(err, rewrite.ErrReferences) || errors.Is(err, rewrite.ErrEnds)
}

// plan returns the plan of in. It is like [worker.firstPlan], but mends an unsafe plan if it can.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.firstPlan(ctx, in, e)
	if err == nil && p.WhyUnchanged == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// mend looks for a plan in which the references that are not read back as planned stay as written.
// If it finds one, it replaces p, the plan of in, records these references in e, and returns true.
// Otherwise it changes neither p nor e. fits reports whether a plan fits the container of in; nil
// accepts all plans. in must be the last input that w has planned.
func (w *worker) mend(ctx context.Context, in *input.Document, p *plan, e *report.Entry,
	fits func(p *rewrite.Plan) bool) bool {
	v := &w.visitor
	mendedEntry := *e
	v.entry = &mendedEntry
	mended := p.Mend(func(q *rewrite.Plan) bool {
		v.setPlan(q)
		return q.WhyUnchanged != rewrite.Unsafe && (fits == nil || fits(q)) && w.readsBack(ctx, in, q)
	})
	if mended == nil || ctx.Err() != nil {
		return false
	}
	w.record(v.plan, in, &mendedEntry)
	*p = *v.plan
	*e = mendedEntry
	e.Result.SetOutcome(p.outcome(e))
	return true
}

// readsBack reports whether the output of p, the plan of in, has the planned references. It returns
// true if the output is not verified.
func (w *worker) readsBack(ctx context.Context, in *input.Document, p *rewrite.Plan) bool {
	if !w.c.verifies(in) || !p.Edited() {
		return true
	}
	out, err := p.Output()
	return err == nil && w.compare(ctx, out, p) == nil
}

// compare reads the output out and compares its references with p. If they differ, [misread] is
// true for the error.
func (w *worker) compare(ctx context.Context, out *document.Source, p *rewrite.Plan) error {
	return errors.Join(w.rewriter.Verify(p, out), ctx.Err())
}

// staysAsWritten returns the refusal of an output. err is the error of its verification.
func staysAsWritten(err error) *files.Refusal {
	return &files.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}
