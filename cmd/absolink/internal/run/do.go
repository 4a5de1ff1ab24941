package run

import (
	"context"
	"io"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
)

// Do has the workers of c take all inputs. What they write goes to out. It is called when
// everything is checked: an earlier report is lost from here on.
func (r *Run) Do(ctx context.Context, out io.Writer, c Command) error {
	r.command = c
	if err := r.Account.Open(); err != nil {
		return err
	}
	if r.o.Header != "" {
		if _, err := io.WriteString(r.streams.Out, r.o.Header); err != nil {
			return err
		}
	}
	if r.streams.Given != nil { // the one input, and nothing waits for its turn
		for j := range r.jobs(ctx) {
			r.tell(r.handle(ctx, j, out), out)
		}
		return r.Account.Close(ctx.Err())
	}
	switch bar := r.Account.Console; {
	case r.o.Account.Progress == console.Always: // from the first input on
		r.count(ctx)
	case bar.Shown():
		go r.count(ctx)
	}
	jobs := r.o.atOnce()
	err := batch.Run(ctx, batch.Options{Jobs: jobs, Ahead: filesAhead(jobs)}, out, r.jobs(ctx),
		func(j job, out io.Writer) *report.Entry { return r.handle(ctx, j, out) },
		func(e *report.Entry) {
			if e.UnitEnd != nil && ctx.Err() != nil {
				return // an input of the unit may have been interrupted on another goroutine
			}
			r.tell(e, out)
		})
	r.Account.Console.Close()
	r.memory.Load().End()
	if err := r.Account.Close(err); err != nil {
		return err
	}
	r.Account.NameUnmatched(c.Unmatched())
	return nil
}

// filesAhead returns how many files are in flight per worker. A page is read in a tenth of a
// millisecond: with a few only, all workers wait whenever one is kept waiting. Their output is held
// in memory, so that each of many workers has few.
func filesAhead(workers int) int { return max(32/max(workers, 1), 4) }

// count finds out how much there is to do, for the progress bar.
func (r *Run) count(ctx context.Context) {
	files, bytes, known := 0, int64(0), true
	for f, err := range r.o.Inputs.All(ctx, nil) {
		if ctx.Err() != nil {
			return
		}
		if f.Last != nil {
			continue
		}
		files++
		if f.Bytes < 0 && err == nil {
			known = false
		}
		bytes += max(f.Bytes, 0)
	}
	if !known {
		bytes = -1
	}
	r.Account.Console.Total(files, bytes)
}
