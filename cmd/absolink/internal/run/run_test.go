package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// each is a command of one function for documents and messages.
type each struct {
	*Run
	do func(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry)
}

func (c each) NewWorker(*Run) Worker { return c }
func (c each) Unmatched() []string   { return nil }

func (c each) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		c.Items(ctx, in, out, e)
		return
	}
	c.do(ctx, in, out, e)
}

// begun returns a run over inputs.
func begun(t *testing.T, s Streams, jobs int, args ...string) *Run {
	t.Helper()
	o := &Options{Jobs: jobs, MaxSize: 1 << 20, Prints: true}
	if err := o.Inputs.Take(args); err != nil {
		t.Fatal(err)
	}
	r, err := New(s, o)
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

// A defect that one input brings to light does not keep the others from being done.
func TestPanicCostsOneInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.html", "b.html", "c.html"} {
		if err := os.WriteFile(name, []byte("<html>"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	r := begun(t, Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, 2, "a.html", "b.html", "c.html")
	err := r.Do(t.Context(), &stdout,
		each{r, func(_ context.Context, in *input.Document, out io.Writer, _ *report.Entry) {
			if in.Rel == "b.html" {
				panic("boom")
			}
			fmt.Fprintln(out, in.Rel)
		}})
	if want := "a.html\nc.html\n"; err != nil || stdout.String() != want || !r.Totals.Defects {
		t.Errorf("Do: got error %v, %q and defects %v, want none, %q and true",
			err, stdout.String(), r.Totals.Defects, want)
	}
	if want := "absolink: b.html: internal error, please report it with the input: boom\n"; stderr.String() != want {
		t.Errorf("Do: got %q on standard error, want %q", stderr.String(), want)
	}
}

// A defect of the program that a message brings to light costs that message alone.
func TestPanicCostsOneMessage(t *testing.T) {
	for _, n := range []int{3, 6000} {
		var stdout, stderr strings.Builder
		r := begun(t, Streams{In: strings.NewReader(mailbox(n)), Out: &stdout, Err: &stderr}, 2)
		err := r.Do(t.Context(), &stdout,
			each{r, func(_ context.Context, in *input.Document, out io.Writer, _ *report.Entry) {
				if in.Place.Number == 2 {
					panic("boom")
				}
				fmt.Fprintln(out, in.Place.Number)
			}})
		if done := strings.Count(stdout.String(), "\n"); err != nil || done != n-1 || !r.Totals.Defects {
			t.Errorf("Do: got error %v, %d messages and defects %v, want none, %d and true",
				err, done, r.Totals.Defects, n-1)
		}
		if want := "absolink: -: message 2: internal error, please report it with the message: " +
			"boom\n"; stderr.String() != want {
			t.Errorf("Do: got %q on standard error, want %q", stderr.String(), want)
		}
	}
}

// After an interrupt no other message is begun, and none is said to have failed.
func TestInterruptBetweenMessages(t *testing.T) {
	for _, n := range []int{3, 6000} {
		ctx, cancel := context.WithCancel(t.Context())
		var stderr strings.Builder
		r := begun(t, Streams{In: strings.NewReader(mailbox(n)), Out: io.Discard, Err: &stderr}, 1)
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

// numbered makes items of messages, and is the command that has them done.
type numbered struct {
	*Run
	t    *testing.T
	most int // messages that are done
	done []int
	err  error
}

// marked is such an item.
type marked struct {
	*Message
	worked bool
}

func (m *marked) Work(ctx context.Context, w Worker, out io.Writer) {
	m.worked = true
	m.Message.Work(ctx, w, out)
}

func (c *numbered) Item(m *Message) Item  { return &marked{Message: m} }
func (c *numbered) NewWorker(*Run) Worker { return c }
func (c *numbered) Unmatched() []string   { return nil }

func (c *numbered) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if !in.Kind.Container() {
		return
	}
	content, err := in.Stream(ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	c.err = c.Each(ctx, in, c.Messages(in, content, c), out, e, func(m Item) error {
		c.done = append(c.done, m.(*marked).Number)
		if !m.(*marked).worked || len(c.done) > c.most {
			return errDone
		}
		return nil
	})
}

var errDone = errors.New("enough")

// Items that were worked on are done in their order, and an error of that ends the container.
func TestEach(t *testing.T) {
	for _, n := range []int{3, 6000} {
		for _, most := range []int{n, 2} {
			r := begun(t, Streams{In: strings.NewReader(mailbox(n)), Out: io.Discard, Err: io.Discard}, 2)
			c := &numbered{Run: r, t: t, most: most}
			if err := r.Do(t.Context(), io.Discard, c); err != nil {
				t.Fatal(err)
			}
			want, wantErr := n, error(nil)
			if most < n {
				want = most + 1
				wantErr = errDone
			}
			for i, number := range c.done {
				if number != i+1 {
					t.Fatalf("%d messages: number %d was done as number %d", n, number, i+1)
				}
			}
			if len(c.done) != want || !errors.Is(c.err, wantErr) {
				t.Errorf("%d messages of which %d may be done: got %d and error %v, want %d and %v",
					n, most, len(c.done), c.err, want, wantErr)
			}
		}
	}
}

func TestRoom(t *testing.T) {
	r := newRoom(10)
	if !r.take(t.Context(), 100) {
		t.Fatal("take(100) of an empty room: got false, want true")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if r.take(ctx, 1) {
		t.Error("take(1) of a full room: got true, want false when the context ends")
	}
	time.AfterFunc(10*time.Millisecond, func() { r.give(100) })
	if !r.take(t.Context(), 10) || r.used != 10 {
		t.Errorf("take(10) after give: got %d bytes in use, want 10", r.used)
	}
}
