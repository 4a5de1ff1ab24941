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

// Verification may find that a browser would read an edited reference otherwise than planned. A
// mended plan leaves this reference unchanged, and reports it. It still rewrites the other
// references: see [rewrite.Plan.Mend].

// misread reports whether err says that the references of an output are not the planned ones.
func misread(err error) bool {
	return errors.Is(err, rewrite.ErrReferences) || errors.Is(err, rewrite.ErrEnds)
}

// plan plans the edits of the input, as [worker.firstPlan] does. If the plan is unsafe, plan tries
// to mend it.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.firstPlan(ctx, in, e)
	if err == nil && p.WhyUnchanged == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// mend looks for a mended plan of the input, which leaves misread references unchanged. If mend
// finds such a plan, it assigns it to p, the plan of in, records the misread references in e, and
// returns true. Otherwise it returns false, and changes neither p nor e.
//
// fits may reject a plan, for instance because an edited message would end elsewhere in its
// mailbox. A nil fits accepts all plans. in must be the last input that w has planned.
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
// true if the output for in is not verified.
func (w *worker) readsBack(ctx context.Context, in *input.Document, p *rewrite.Plan) bool {
	if !w.c.verifies(in) || !p.Edited() {
		return true
	}
	out, err := p.Output()
	return err == nil && w.compare(ctx, out, p) == nil
}

// compare reads out, the output of p, and compares its references with the planned ones. If they
// differ, it returns an error for which misread is true.
func (w *worker) compare(ctx context.Context, out *document.Source, p *rewrite.Plan) error {
	return errors.Join(w.rewriter.Verify(p, out), ctx.Err())
}

// refuseOutput returns the refusal of an output. err is the error of its verification.
func refuseOutput(err error) *files.Refusal {
	return &files.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}
