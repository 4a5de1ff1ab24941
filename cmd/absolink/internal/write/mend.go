package write

import (
	"context"
	"errors"
	"io"
	"os"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/rewrite"
)

// A reference that is not read back as planned stays as it is written, and is named. The others
// are written: see [rewrite.Plan.Misread].

// misread reports whether an error says that an output is not read back as planned.
func misread(err error) bool {
	var mismatch *rewrite.Mismatch
	return errors.As(err, &mismatch) || errors.Is(err, rewrite.ErrEnds)
}

// writeProven writes p, the plan of in, to f, and reads back what was written. If that is not what
// was planned, p becomes a plan that is, if there is one and mends allows it.
func (w *worker) writeProven(ctx context.Context, in *input.Document,
	p *plan, f *os.File, e *report.Entry, mends bool) error {
	err := w.writeChecked(ctx, in, p, f)
	if mends && misread(err) && w.mend(ctx, in, p, e, nil) {
		w.c.run.NoteUnresolved(e, e.Links.Unresolved())
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			err = f.Truncate(0)
		}
		if err == nil {
			err = w.writeChecked(ctx, in, p, f)
		}
	}
	if misread(err) {
		return staysAsWritten(err)
	}
	return err
}

// writeChecked writes p to f and reads it back.
func (w *worker) writeChecked(ctx context.Context, in *input.Document, p *plan, f *os.File) error {
	if err := p.write(ctx, f, in); err != nil {
		return err
	}
	return w.check(ctx, in, p, f)
}

// mend makes p, the plan of in, a plan without the references that are not read back, and notes
// them in e. It reports whether they were found. fits says whether a plan is fit for what is around
// in; nil = all are.
func (w *worker) mend(ctx context.Context, in *input.Document, p *plan, e *report.Entry, fits func(p *plan) bool) bool {
	before := p.before
	list, ok := p.Misread(func(leave func(n int) bool) bool {
		account := before
		q, err := w.planWithout(ctx, in, leave, &account)
		return err == nil && q.Kept != rewrite.Unsafe && (fits == nil || fits(q)) && w.readsBack(ctx, in, q)
	})
	if !ok || ctx.Err() != nil {
		return false
	}
	account := before
	q, err := w.planWithout(ctx, in, rewrite.Among(list), &account)
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
