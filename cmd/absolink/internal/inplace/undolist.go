package inplace

import (
	"context"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/report"
)

// A file that was replaced twice is put back in two steps. The second step needs the bytes that the
// first step leaves, so a list cannot look for them in the file.

// list writes to w the names of the files that an undo would put back, one name a line. It reports
// the files that an undo would refuse. It changes nothing.
func (u *undo) list(ctx context.Context, w io.Writer) error {
	left := make(map[string]journal.Sum) // hashes of the listed files after the undo, by path
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		switch {
		case err != nil:
			e.Result.Fail(err)
		case continues(left, f):
			continue // the file is already listed
		default:
			if err := u.listOne(f, e, left, w); err != nil {
				return err
			}
		}
		u.report(ctx, e)
	}
	return ctx.Err()
}

// continues returns true if the earlier steps leave the new or old bytes of f. Then it has updated
// left.
func continues(left map[string]journal.Sum, f *journal.File) bool {
	sum, ok := left[f.NewPath()]
	if !ok || sum != f.After && sum != f.Before {
		return false
	}
	left[f.Path] = f.Before
	return true
}

// listOne writes the line of f to w. If f would not be put back, it sets the outcome and the reason
// in e instead. The error comes from w.
func (u *undo) listOne(f *journal.File, e *report.Entry, left map[string]journal.Sum, w io.Writer) error {
	e.Subject.Source = f.Path
	e.Subject.Bytes = f.NewSize
	e.Result.SetOutcome(report.Restored)
	r := u.restoring(f, e)
	defer r.close()
	wanted, err := r.wouldRestore()
	switch {
	case err != nil:
		e.FailWrite(refuseLink(err))
		return nil
	case !wanted:
		e.Result.SetOutcome(report.Unchanged)
		return nil
	}
	left[f.Path] = f.Before
	_, err = fmt.Fprintln(w, console.Printable(f.Path))
	return err
}

// wouldRestore reports whether the file would be put back. The error is the reason why an undo
// would refuse the file.
func (r *restoring) wouldRestore() (wanted bool, err error) {
	if _, err := r.originalDir(); err != nil {
		return false, err
	}
	s, replaced, err := r.state(false)
	if err != nil {
		return false, err
	}
	return replaced || s.name != r.formerName(s.name), nil
}
