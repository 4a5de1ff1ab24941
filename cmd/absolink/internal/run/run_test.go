package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// each is a command that calls one function for each document and message.
type each struct {
	*run.Run
	do func(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry)
}

func (c each) NewWorker(*run.Run) container.Worker { return c }
func (c each) Unmatched() []string                 { return nil }

func (c each) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		c.Containers.List(ctx, in, out, e)
		return
	}
	c.do(ctx, in, out, e)
}

// begun returns a run over inputs.
func begun(t *testing.T, s run.Streams, jobs int, args ...string) *run.Run {
	t.Helper()
	o := &run.Options{Jobs: jobs, Reading: run.Reading{MaxSize: 1 << 20},
		Account: account.Options{ResultsOnStdout: true}}
	if err := o.Inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	r, err := run.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mailbox returns a mailbox of n messages.
func mailbox(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "From a@b.test Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=l%d>%s\n\n",
			i, strings.Repeat("text ", i%100))
	}
	return b.String()
}

// A panic on one input does not stop the work on the others.
func TestPanicCostsOneInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.html", "b.html", "c.html"} {
		if err := os.WriteFile(name, []byte("<html>"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	r := begun(t, run.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, 2, "a.html", "b.html", "c.html")
	err := r.Do(t.Context(), &stdout,
		each{r, func(_ context.Context, in *input.Document, out io.Writer, _ *report.Entry) {
			if in.Rel == "b.html" {
				panic("boom")
			}
			fmt.Fprintln(out, in.Rel)
		}})
	if want := "a.html\nc.html\n"; err != nil || stdout.String() != want || !r.Account.Totals.Defects {
		t.Errorf("Do: got error %v, %q and defects %v, want none, %q and true",
			err, stdout.String(), r.Account.Totals.Defects, want)
	}
	if want := "absolink: b.html: internal error, please report it with the input: boom\n"; stderr.String() != want {
		t.Errorf("Do: got %q on standard error, want %q", stderr.String(), want)
	}
}

// A panic on one message does not stop the work on the others.
func TestPanicCostsOneMessage(t *testing.T) {
	for _, n := range []int{3, 6000} {
		var stdout, stderr strings.Builder
		r := begun(t, run.Streams{In: strings.NewReader(mailbox(n)), Out: &stdout, Err: &stderr}, 2)
		err := r.Do(t.Context(), &stdout,
			each{r, func(_ context.Context, in *input.Document, out io.Writer, _ *report.Entry) {
				if in.Place.Number == 2 {
					panic("boom")
				}
				fmt.Fprintln(out, in.Place.Number)
			}})
		if done := strings.Count(stdout.String(), "\n"); err != nil || done != n-1 || !r.Account.Totals.Defects {
			t.Errorf("Do: got error %v, %d messages and defects %v, want none, %d and true",
				err, done, r.Account.Totals.Defects, n-1)
		}
		if want := "absolink: -: message 2: internal error, please report it with the message: " +
			"boom\n"; stderr.String() != want {
			t.Errorf("Do: got %q on standard error, want %q", stderr.String(), want)
		}
	}
}

// After an interrupt no further message is begun, and no message counts as failed.
func TestInterruptBetweenMessages(t *testing.T) {
	for _, n := range []int{3, 6000} {
		ctx, cancel := context.WithCancel(t.Context())
		var stderr strings.Builder
		r := begun(t, run.Streams{In: strings.NewReader(mailbox(n)), Out: io.Discard, Err: &stderr}, 1)
		taken := 0
		err := r.Do(ctx, io.Discard,
			each{r, func(ctx context.Context, _ *input.Document, _ io.Writer, e *report.Entry) {
				taken++
				cancel()
				e.Result.Fail(ctx.Err())
			}})
		if !errors.Is(err, context.Canceled) || taken != 1 {
			t.Errorf("Do over %d messages: got error %v and %d messages, want that it was canceled at the first",
				n, err, taken)
		}
		if want := "absolink: interrupted: 0 inputs were done; standard output has the first results " +
			"only\n"; stderr.String() != want {
			t.Errorf("Do over %d messages: got %q on standard error, want %q", n, stderr.String(), want)
		}
	}
}
