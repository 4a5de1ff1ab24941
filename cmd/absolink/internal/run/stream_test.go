package run_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/testdata/effort"
)

// A unit that was interrupted has no trailer, whatever other goroutines had done by then.
func TestInterruptedUnitHasNoTrailer(t *testing.T) {
	for _, jobs := range []int{1, 2, 4} {
		t.Chdir(t.TempDir())
		for name, content := range map[string]string{"box": mailbox(effort.Pick(6000, 2000)), "units": "box\nbox\n"} {
			if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		o := &run.Options{Jobs: jobs, Reading: run.Reading{MaxSize: 1 << 20}}
		o.Account.ResultsOnStdout = true
		o.Account.Quiet = true
		o.Account.Stream.On = true
		o.Inputs.Units, o.Inputs.MarkUnitEnds = "units", true
		if err := o.Inputs.SetArgs(nil); err != nil {
			t.Fatal(err)
		}
		var stdout strings.Builder
		r, err := run.New(run.Streams{In: strings.NewReader(""), Out: &stdout, Err: io.Discard}, o)
		if err != nil {
			t.Fatal(err)
		}
		err = r.Do(ctx, &stdout, each{r, func(_ context.Context, in *input.Document, _ io.Writer, _ *report.Entry) {
			if in.Place.Number == effort.Pick(3000, 1000) {
				cancel()
			}
		}})
		if got := stdout.String(); !errors.Is(err, context.Canceled) || got != "" {
			t.Errorf("Do with %d jobs: got error %v and %q, want that it was canceled and no trailer", jobs, err, got)
		}
	}
}
