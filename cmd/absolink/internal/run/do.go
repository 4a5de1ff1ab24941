package run

import (
	"context"
	"io"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
)

// Do runs the workers of c on all inputs, which write to out. It is called when all options are
// checked: it replaces an earlier report.
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
	if r.streams.Given != nil { // there is only one input, which waits for no turn
		for j := range r.jobs(ctx) {
			r.report(r.handle(ctx, j, out), out)
		}
		return r.Account.Close(ctx.Err())
	}
	switch bar := r.Account.Console; {
	case r.o.Account.Progress == console.Always: // before the first input
		r.countInputs(ctx)
	case bar.ShowsBar():
		go r.countInputs(ctx)
	}
	jobs := r.o.inputsAtOnce()
	err := batch.Run(ctx, batch.Options{Jobs: jobs, PerJob: filesAhead(jobs)}, out, r.jobs(ctx),
		func(j job, out io.Writer) *report.Entry { return r.handle(ctx, j, out) },
		func(e *report.Entry) {
			if e.UnitEnd != nil && ctx.Err() != nil {
				return // an input of the unit may have been interrupted on another goroutine
			}
			r.report(e, out)
		})
	r.Account.Console.RemoveBar()
	r.memory.Load().Remove()
	if err := r.Account.Close(err); err != nil {
		return err
	}
	r.Account.PrintHints(c.Unmatched())
	return nil
}

// filesAhead returns the number of files in flight per worker. A page is read in a tenth of a
// millisecond: if there are few in flight, all workers wait whenever one worker waits. But outputs
// are held in memory, so with many workers there are few files for each.
func filesAhead(workers int) int { return max(32/max(workers, 1), 4) }

// countInputs counts the files and bytes of all inputs, for the progress bar.
func (r *Run) countInputs(ctx context.Context) {
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
	r.Account.Console.SetTotal(files, bytes)
}
