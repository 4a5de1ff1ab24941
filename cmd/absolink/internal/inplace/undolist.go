package inplace

import (
	"context"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/report"
)

// A file that was replaced twice is put back twice. Its second step finds the bytes that the first
// one would leave.

// list writes the files that an undo would put back to w, each on a line. Files that it would
// refuse are reported as an undo does. Nothing is changed.
func (u *undo) list(ctx context.Context, w io.Writer) error {
	left := make(map[string]journal.Sum) // what the files listed so far would hold
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		switch {
		case err != nil:
			e.Result.Fail(err)
		case takesOn(left, f):
			continue // it is listed
		default:
			if err := u.listOne(f, e, left, w); err != nil {
				return err
			}
		}
		u.tell(ctx, e)
	}
	return ctx.Err()
}

// takesOn reports whether f follows from the steps before: they leave its new or its old bytes.
func takesOn(left map[string]journal.Sum, f *journal.File) bool {
	sum, ok := left[f.NewPath()]
	if !ok || sum != f.After && sum != f.Before {
		return false
	}
	left[f.Path] = f.Before
	return true
}

// listOne writes the line of f, or sets in e the reason why it would not be put back. The error
// comes from w.
func (u *undo) listOne(f *journal.File, e *report.Entry, left map[string]journal.Sum, w io.Writer) error {
	e.Subject.Source = f.Path
	e.Subject.Bytes = f.NewSize
	e.Result.SetOutcome(report.Restored)
	r := u.restoring(f, e)
	defer r.close()
	wanted, err := r.look()
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

// look reports whether the file would be put back.
func (r *restoring) look() (wanted bool, err error) {
	if _, err := r.home(); err != nil {
		return false, err
	}
	s, replaced, err := r.state(false)
	if err != nil {
		return false, err
	}
	return replaced || s.name != r.formerName(s.name), nil
}
