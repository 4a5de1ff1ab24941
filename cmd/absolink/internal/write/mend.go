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

// A reference that is not read back as planned stays as it is written, and is named. The others
// are written: see [rewrite.Plan.Misread].

// misread reports whether an error says that an output is not read back as planned.
func misread(err error) bool {
	return errors.Is(err, rewrite.ErrReferences) || errors.Is(err, rewrite.ErrEnds)
}

// plan finds all edits of in. Whatever keeps a document from being edited is noted in e, and
// the document stays as it is.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.planWithout(ctx, in, nil, e)
	if err == nil && p.Kept == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// mend makes p, the plan of in, a plan without the references that are not read back, and notes
// them in e. It reports whether they were found. fits says whether a plan is fit for what is around
// in; nil = all are.
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

// compare reads the output and compares its links with those of the plan. The error of one that is
// not read back as planned is misread.
func (w *worker) compare(ctx context.Context, out *document.Source, p *plan) error {
	return errors.Join(w.rewriter.Verify(&p.Plan, out), ctx.Err())
}

// staysAsWritten refuses what could not be verified.
func staysAsWritten(err error) *files.Refusal {
	return &files.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}
