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
// first step writes. A list does no step, so these bytes are not in the file. Instead, the list
// remembers the hash that each listed file would have.

// list writes to w the names of the files that an undo would put back, one name a line. list
// reports the files that an undo would refuse. It changes no file.
func (u *undo) list(ctx context.Context, w io.Writer) error {
	left := make(map[string]journal.Sum) // hashes of the listed files after the undo, by path
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

// isListed reports whether the file of f is already in the list. This is so if a later replacement
// of the file is listed, and its undo leaves the new or old bytes of f. isListed then sets the hash
// in left to that of the old bytes of f.
func isListed(left map[string]journal.Sum, f *journal.File) bool {
	sum, ok := left[f.NewPath()]
	if !ok || sum != f.After && sum != f.Before {
		return false
	}
	left[f.Path] = f.Before
	return true
}

// listOne writes the name of f to w. If an undo would not put f back, listOne sets the outcome and
// the reason in e instead. The error comes from w.
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
// would refuse the file.
func (rs *restoration) wouldRestore() (wanted bool, err error) {
	if _, err := rs.originalDir(); err != nil {
		return false, err
	}
	s, replaced, err := rs.state(false)
	if err != nil {
		return false, err
	}
	return replaced || s.name != rs.formerName(s.name), nil
}
