package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// listing is a command that prints the name of each document. It settles the file s.html.
type listing struct{ *run.Run }

func (c listing) NewWorker(*run.Run) container.Worker { return c }
func (c listing) Unmatched() []string                 { return []string{"--x matches nothing"} }

func (c listing) Settle(f *input.File, e *report.Entry) bool {
	if f.Rel != "s.html" {
		return false
	}
	e.Result.Skip("settled")
	return true
}

func (c listing) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		c.Containers.List(ctx, in, out, e)
		return
	}
	e.Result.SetOutcome(report.Listed)
	fmt.Fprintln(out, in.Source, in.Place.Number)
}

// listed is the output of a run over files.
type listed struct {
	out, err string
	entries  []string
	bytes    []int64 // of each input
	steps    int64   // sum of the progress
	options  *run.Options
}

// listFiles runs listing with args. set may change the options before the run.
func listFiles(t *testing.T, set func(*run.Options), args ...string) *listed {
	t.Helper()
	l := &listed{options: &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}}
	o := l.options
	o.Account.OnReport = func(e *report.Entry) {
		s := &e.Subject
		l.entries = append(l.entries, strings.TrimSpace(fmt.Sprint(s.Name(), " ", s.Kind, " ", e.Result.Outcome(), " ",
			e.Result.Reason())))
		if strings.Contains(e.Result.Reason(), "internal error") {
			t.Errorf("%s: %s", s.Name(), e.Result.Reason())
		}
		l.bytes = append(l.bytes, s.Bytes)
		l.steps += e.Progress
	}
	if set != nil {
		set(o)
	}
	if err := o.Inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	r, err := run.New(run.Streams{In: strings.NewReader("<html>"), Out: &stdout, Err: &stderr}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Do(t.Context(), &stdout, listing{r}); err != nil {
		t.Fatal(err)
	}
	l.out = stdout.String()
	l.err = stderr.String()
	return l
}

// files writes files to a new directory, and makes it the current one.
func files(t *testing.T, list map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range list {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Each input has one entry, in the order of the arguments, whatever its outcome is.
func TestInputs(t *testing.T) {
	files(t, map[string]string{"a.html": "<html>", "s.html": "<html>", "empty.html": "", "x.bin": "\x00\x01",
		"large.html": "<html>" + strings.Repeat(" ", 2<<20)})
	l := listFiles(t, func(o *run.Options) { o.Header = "names\n" },
		"s.html", "a.html", "none.html", "www.a.test", "gopher://a/",
		"file:///none", "empty.html", "x.bin", "large.html")
	if want := "names\na.html 0\nempty.html 0\nx.bin 0\nlarge.html 0\n"; l.out != want {
		t.Errorf("the output is %q, want %q", l.out, want)
	}
	want := []string{"s.html  skipped settled", "a.html html listed", "none.html  failed", "www.a.test  failed",
		"gopher://a/  failed", "file:///none  failed", "empty.html html listed", "x.bin other listed",
		"large.html html listed"}
	if len(l.entries) != len(want) {
		t.Fatalf("the entries are %q, want %q", l.entries, want)
	}
	for i, prefix := range want {
		if !strings.HasPrefix(l.entries[i], prefix) {
			t.Errorf("entry %d is %q, want %q", i, l.entries[i], prefix)
		}
	}
	if sizes := []int64{6, 6, 0, 0, 0, 0, 0, 2, 6 + 2<<20}; !slices.Equal(l.bytes, sizes) || l.steps != 6+6+2+6+2<<20 {
		t.Errorf("the inputs have %d bytes and %d in all, want %d", l.bytes, l.steps, sizes)
	}
	for _, hint := range []string{"a URL begins with its scheme: use https://www.a.test",
		"and no gopher: URLs", "write the path instead of the URL: /none",
		"empty.html: is empty", "absolink: --x matches nothing"} {
		if !strings.Contains(l.err, hint) {
			t.Errorf("standard error is\n%s\nwant %q in it", l.err, hint)
		}
	}
}

// A unit reads its range. It fails if the units were cut from another file.
func TestUnits(t *testing.T) {
	box := string(mailbox(3))
	second := strings.Index(box[1:], "From ") + 1
	third := strings.Index(box[second+1:], "From ") + second + 1
	tests := []struct {
		unit, out, reason string
	}{
		{fmt.Sprintf("box\t%d\t%d\t2\t6", second, third-second), "box 2\n", ""},
		{fmt.Sprintf("box\t%d\t%d", second, third-second), "box 0\n", ""},
		{fmt.Sprintf("box\t%d\t%d\t2\t6", second+1, third-second), "", "item 2 does not begin at offset"},
		{fmt.Sprintf("box\t%d\t%d", len(box), 10), "", "ends before the range begins: it has"},
		{fmt.Sprintf("box\t%d\t%d", second, len(box)), "", "the file has become shorter, or it is another file"},
		{fmt.Sprintf("box\t%d\t%d", len(box), 0), "", ""},
		{"page\t0\t6", "page 0\n", ""},
		{"page\t3\t3", "", "does not begin in the range"},
		{"page\t0\t6\t1\t1", "", "item 1 does not begin at offset 0"},
		{"large.html", "", "bytes are more than --max-size allows: not read"},
	}
	for _, tt := range tests {
		content := map[string]string{"box": box, "page": "<html>", "units": tt.unit + "\n"}
		if tt.unit == "large.html" {
			content["large.html"] = "<html>" + strings.Repeat(" ", 2<<20)
		}
		files(t, content)
		l := listFiles(t, func(o *run.Options) { o.Inputs.Units = "units" })
		if l.out != tt.out || len(l.entries) == 0 || !strings.Contains(l.entries[len(l.entries)-1], tt.reason) {
			t.Errorf("unit %q: got %q and %q, want %q and the reason %q", tt.unit, l.out, l.entries, tt.out, tt.reason)
		}
	}
}

// Reset prepares a run for other streams, with empty totals.
func TestReset(t *testing.T) {
	var first, second strings.Builder
	r := begun(t, run.Streams{In: strings.NewReader("<html>"), Out: &first, Err: io.Discard}, 1)
	if err := r.Do(t.Context(), &first, listing{r}); err != nil {
		t.Fatal(err)
	}
	r.Reset(run.Streams{In: strings.NewReader("<html>"), Out: &second, Err: io.Discard})
	if r.Account.Totals.Inputs.N != 0 {
		t.Errorf("after Reset: got %s, want nothing", &r.Account.Totals)
	}
	if err := r.Do(t.Context(), &second, listing{r}); err != nil {
		t.Fatal(err)
	}
	if first.String() != "- 0\n" || second.String() != "- 0\n" || r.Account.Totals.Inputs.N != 1 {
		t.Errorf("got %q, then %q and %s, want the same twice", first.String(), second.String(), &r.Account.Totals)
	}
}

// A list of inputs that cannot be read fails, and is no input.
func TestMissingLists(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, set := range map[string]func(*run.Options){
		"urls":  func(o *run.Options) { o.Inputs.URLs = "none" },
		"units": func(o *run.Options) { o.Inputs.Units = "none" },
	} {
		l := listFiles(t, set)
		if len(l.entries) != 1 || !strings.Contains(l.entries[0], "none  failed ") {
			t.Errorf("a missing list of %s: the entries are %q, want one that failed", name, l.entries)
		}
	}
}

// Reset keeps the worker of a run over one given input, even if memory is collected between runs.
func TestResetKeepsWorker(t *testing.T) {
	given := &input.Given{At: strings.NewReader("<html>"), Size: 6}
	workers := 0
	r := begun(t, run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Given: given}, 1, "-")
	for range 4 {
		if err := r.Do(t.Context(), io.Discard, counted{each{r, listing{r}.Work}, &workers}); err != nil {
			t.Fatal(err)
		}
		r.Reset(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Given: given})
		runtime.GC()
		runtime.GC()
	}
	if workers != 1 {
		t.Errorf("4 runs had %d workers, want 1", workers)
	}
}

// The kind of a given input decides if it is typed, and an interrupt is an error.
func TestGivenKind(t *testing.T) {
	const text = "Subject: <html>\n\n<html>"
	for _, kind := range []input.Kind{input.HTML, input.Message, input.Other} {
		for _, typed := range []bool{true, false} {
			given := &input.Given{At: strings.NewReader(text), Size: int64(len(text)), Kind: kind, Typed: typed}
			var got input.Kind
			ctx, cancel := context.WithCancel(t.Context())
			work := func(_ context.Context, in *input.Document, _ io.Writer, _ *report.Entry) {
				got = in.Kind
				cancel()
			}
			s := run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Given: given}
			r := begun(t, s, 1, "-")
			err := r.Do(ctx, io.Discard, each{r, work})
			want := input.HTML // as the content says
			if kind != input.Other {
				want = kind
			}
			if got != want || !errors.Is(err, context.Canceled) {
				t.Errorf("kind %v, typed %v: got a document of kind %v and error %v, want %v and %v",
					kind, typed, got, err, want, context.Canceled)
			}
		}
	}
}
