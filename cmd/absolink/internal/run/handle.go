package run

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// jobs yields all jobs until ctx is done. If standard input is a list of inputs, jobs reads the
// list.
func (r *Run) jobs(ctx context.Context) iter.Seq[job] {
	return func(yield func(job) bool) {
		for f, err := range r.o.Inputs.All(ctx, r.streams.In) {
			if !yield(job{f, err}) {
				return
			}
		}
	}
}

// handle does a job and returns its entry. If the input is a Maildir message that is missing, a
// mail program may have moved it or changed its flags. Then handle looks for the message and does
// the job again.
func (r *Run) handle(ctx context.Context, j *job, out io.Writer) *report.Entry {
	e := r.attempt(ctx, j, out)
	for n := 0; e.Result.HasClass(report.Missing) && j.file.IsMail() && ctx.Err() == nil; n++ {
		again, found := r.moved.FindAgain(j.file)
		switch {
		case !found:
			e.Result.Rephrase("is not there any more: a mail program has removed it, or moved it to another folder, " +
				"since the run began")
			return e
		case n == input.MaxMoves:
			e.Result.Rephrase("is moved again and again by another program: it stays as it is")
			return e
		}
		j = &job{file: again}
		e = r.attempt(ctx, j, out)
	}
	return e
}

// attempt does a job once. If the work on the input panics, only this input fails.
func (r *Run) attempt(ctx context.Context, j *job, out io.Writer) (e *report.Entry) {
	if j.file.UnitEnd != nil {
		return &report.Entry{UnitEnd: j.file.UnitEnd}
	}
	began := time.Now()
	size := max(j.file.Bytes, 0) // Bytes is -1 if the size is unknown
	e = r.newEntry()
	*e = report.Entry{Progress: size,
		Subject: report.Subject{Source: j.file.Source, Unit: container.UnitOf(j.file), Bytes: size}}
	defer func() {
		if p := recover(); p != nil {
			e.Result.Fail(fmt.Errorf("internal error, please report it with the input: %v", p))
		}
	}()
	switch {
	case j.err != nil:
		e.Subject.List = j.file.IsList() && j.file.Unit == nil
		if e.Subject.List {
			e.Result.FailForGood(missingError(&j.file, j.err))
		} else {
			e.Result.FailUnread(missingError(&j.file, j.err))
		}
	case r.settle(&j.file, e):
	case !j.file.IsInput():
		r.leaveOut(j.file, e)
	default:
		leave := r.room.enter(ctx, size)
		defer leave()
		r.work(ctx, j.file, out, e)
	}
	if ctx.Err() != nil && e.Result.Outcome() == report.Failed {
		e.Result.AddClass(report.Cancelled)
	}
	e.Seconds = time.Since(began).Seconds()
	return e
}

// newEntry returns an entry for the next input. With Streams.Given, it always returns the same
// entry, because the earlier input is already reported.
func (r *Run) newEntry() *report.Entry {
	if r.streams.Given != nil {
		return &r.entry
	}
	return new(report.Entry)
}

// settle returns true if the command has set the outcome of f in e without opening the file.
func (r *Run) settle(f *input.File, e *report.Entry) bool {
	s, ok := r.command.(Settler)
	return ok && s.Settle(f, e)
}
