package inplace

import (
	"context"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/report"
)

// If a file was replaced twice, an undo restores it in two steps. The second step expects the bytes
// that the first step has written. A list does no step, so the file does not have these bytes.
// Instead, the list remembers the hash that each listed file would have.

// list writes to w the names of the files that an undo would restore, one name a line. It reports
// the outcome that each file would have. It changes no file.
func (u *undo) list(ctx context.Context, w io.Writer) error {
	left := make(map[string]journal.Sum) // the hashes that the listed files would have, by path
	for f, err := range u.files(ctx) {
		e := &report.Entry{Subject: report.Subject{Source: u.o.Journal}}
		switch {
		case err != nil:
			e.Result.Fail(err)
		case isListed(left, f):
			continue
		default:
			if err := u.listOne(f, e, left, w); err != nil {
				return err
			}
		}
		u.report(ctx, e)
	}
	return ctx.Err()
}

// isListed reports whether the list already has the file of f. This is so if a later replacement of
// the same file is listed, and after its undo the file would have the new or the old bytes of f.
// In this case, isListed sets the hash in left to the hash of the old bytes of f.
func isListed(left map[string]journal.Sum, f *journal.File) bool {
	sum, ok := left[f.NewPath()]
	if !ok || sum != f.After && sum != f.Before {
		return false
	}
	left[f.Path] = f.Before
	return true
}

// listOne writes the name of f to w. If an undo would not restore f, listOne sets the outcome and
// the reason in e instead. The error is an error of w.
func (u *undo) listOne(f *journal.File, e *report.Entry, left map[string]journal.Sum, w io.Writer) error {
	e.Subject.Source = f.Path
	e.Subject.Bytes = f.NewSize
	e.Result.SetOutcome(report.Restored)
	rs := u.newRestoration(f, e)
	defer rs.close()
	wanted, err := rs.wouldRestore()
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

// wouldRestore reports whether an undo would change the file. The error is the reason why an undo
// would refuse the file, or fail.
func (rs *restoration) wouldRestore() (wanted bool, err error) {
	if _, err := rs.originalDir(); err != nil {
		return false, err
	}
	s, replaced, err := rs.state(false)
	if err != nil {
		return false, err
	}
	return replaced || s.name != rs.oldName(s.name), nil
}
