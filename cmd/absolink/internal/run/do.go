package run

import (
	"context"
	"io"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
)

// Do runs the workers of c on all inputs. The workers write to out. Call Do after all options are
// checked, because Do empties the report file of an earlier run.
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
	if r.streams.Given != nil { // a single input needs no other goroutines
		r.given = job{file: r.streams.Given.File()}
		r.report(r.handle(ctx, &r.given, out), out)
		return r.Account.Close(ctx.Err())
	}
	switch {
	case r.o.Account.Progress == console.Always:
		r.countInputs(ctx) // before the first input, so that the bar knows the total
	case r.Account.Console.ShowsBar():
		go r.countInputs(ctx)
	}
	jobs := r.o.inputsAtOnce()
	err := batch.Run(ctx, batch.Options{Jobs: jobs, PerJob: filesPerWorker(jobs)}, out, r.jobs(ctx),
		func(j job, out io.Writer) *report.Entry { return r.handle(ctx, &j, out) },
		func(e *report.Entry) {
			if e.UnitEnd != nil && ctx.Err() != nil {
				return // an input of the unit may not have been begun, so the unit is not done
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

// filesPerWorker returns the number of files, for each worker, that may be begun and not reported.
//
// Files are reported in the order of the inputs. If a worker waits for a disk, the outputs of the
// later files wait in memory. Meanwhile the other workers go on with later files. A page takes only
// a tenth of a millisecond, so a few files would not keep the workers busy. If there are many
// workers, the number is smaller, so that not too many outputs wait in memory.
func filesPerWorker(workers int) int { return max(32/max(workers, 1), 4) }

// countInputs counts the files and bytes of all inputs, and sets the totals of the progress bar.
func (r *Run) countInputs(ctx context.Context) {
	files, bytes, known := 0, int64(0), true
	for f, err := range r.o.Inputs.All(ctx, nil) {
		if f.UnitEnd != nil {
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
