package list_test

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/testdata/interrupt"
)

// pieces keeps each write.
type pieces []string

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, string(b))
	return len(b), nil
}

func (p *pieces) String() string { return strings.Join(*p, "") }

// open opens a file as a run does.
func open(t *testing.T, name string) *input.Document {
	t.Helper()
	r := &input.Reader{Options: input.Options{MaxSize: 8 << 20}}
	in, err := r.Open(t.Context(), input.File{Source: name, Path: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// newRun returns a run for workers that are called directly.
func newRun(t *testing.T, o *run.Options, stderr io.Writer) *run.Run {
	t.Helper()
	o.Jobs = 1
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: stderr}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// linkWorker returns a worker of c.
func linkWorker(t *testing.T, c *list.Links) container.Worker {
	t.Helper()
	o := new(run.Options)
	c.LinkOptions.Listing = true
	if err := errors.Join(c.LinkOptions.Prepare(&o.Inputs), c.Prepare(o, false)); err != nil {
		t.Fatal(err)
	}
	return c.NewWorker(newRun(t, o, io.Discard))
}

// An input that is interrupted fails. The same worker then prints the next input as a new one does.
func TestInterruptedWorker(t *testing.T) {
	many := strings.Repeat("<a href=x>", 200)
	files(t, map[string]string{"a.html": many, "a.eml": mail, "large.html": many + strings.Repeat(" ", 1<<20),
		"cut.eml": strings.TrimSuffix(mail, "--b--\n") + strings.Repeat("<a href=x>", 200)})
	workers := map[string]func() container.Worker{
		"lines": func() container.Worker { return linkWorker(t, &list.Links{LinkOptions: unbased()}) },
		"rows": func() container.Worker {
			return linkWorker(t,
				&list.Links{LinkOptions: unbased(), Format: record.CSV, Fields: []string{"uri", "part"}})
		},
		"pages": func() container.Worker {
			return linkWorker(t, &list.Links{LinkOptions: unbased(), Format: record.JSONL, Pages: true})
		},
		"bases": func() container.Worker {
			find := unbased()
			o := new(run.Options)
			if err := find.Prepare(&o.Inputs); err != nil {
				t.Fatal(err)
			}
			return (&list.Bases{LinkOptions: find, Figure: true}).NewWorker(newRun(t, o, io.Discard))
		},
	}
	for kind, newWorker := range workers {
		for _, name := range []string{"a.html", "a.eml", "large.html", "cut.eml"} {
			in := open(t, name)
			whole := new(pieces)
			newWorker().Work(t.Context(), in, whole, new(report.Entry))
			w := newWorker()
			for n := 0; ; n++ {
				ctx := &interrupt.Context{Left: n}
				var e report.Entry
				w.Work(ctx, in, io.Discard, &e)
				if failed := e.Result.Outcome() == report.Failed; failed != ctx.Seen ||
					failed && e.Result.Reason() != "context canceled" {
					t.Errorf("%s of %s, interrupted at step %d: %v: got %v (%s)", kind, name, n, ctx.Seen,
						e.Result.Outcome(), e.Result.Reason())
				}
				again := new(pieces)
				w.Work(t.Context(), in, again, new(report.Entry))
				if again.String() != whole.String() {
					t.Errorf("%s of %s after an interrupt at step %d: got %d bytes, want %d", kind, name, n,
						len(again.String()), len(whole.String()))
				}
				if !ctx.Seen {
					break
				}
			}
		}
	}
}

// An input that is not read prints nothing, also after another input.
func TestWorkerAfterUnread(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>", "b": "\x00\x01"})
	for kind, w := range map[string]container.Worker{
		"lines": linkWorker(t, &list.Links{LinkOptions: unbased()}),
		"pages": linkWorker(t, &list.Links{LinkOptions: unbased(), Format: record.JSONL, Pages: true}),
	} {
		w.Work(t.Context(), open(t, "a.html"), io.Discard, new(report.Entry))
		out := new(pieces)
		var e report.Entry
		w.Work(t.Context(), open(t, "b"), out, &e)
		if e.Result.Outcome() != report.Skipped || out.String() != "" || e.Links.Documents != 0 {
			t.Errorf("%s: the outcome is %s and the output %q", kind, e.Result.Outcome(), out)
		}
	}
}

// An input of a cancelled run fails, and nothing of it is printed.
func TestCancelledWorker(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>", "a.eml": mail})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	find := unbased()
	o := new(run.Options)
	if err := find.Prepare(&o.Inputs); err != nil {
		t.Fatal(err)
	}
	bases := &list.Bases{LinkOptions: find, Format: record.JSONL}
	if _, _, err := bases.Output(io.Discard); err != nil {
		t.Fatal(err)
	}
	for kind, w := range map[string]container.Worker{
		"lines": linkWorker(t, &list.Links{LinkOptions: unbased()}),
		"pages": linkWorker(t, &list.Links{LinkOptions: unbased(), Format: record.JSONL, Pages: true}),
		"bases": bases.NewWorker(newRun(t, o, io.Discard)),
	} {
		for _, name := range []string{"a.html", "a.eml"} {
			out := new(pieces)
			var e report.Entry
			w.Work(ctx, open(t, name), out, &e)
			if e.Result.Outcome() != report.Failed || out.String() != "" {
				t.Errorf("%s of %s: the outcome is %s and the output %q", kind, name, e.Result.Outcome(), out)
			}
		}
	}
}

// An interrupted input is left after a few links, even if it is large.
func TestInterruptedSoon(t *testing.T) {
	files(t, map[string]string{"a.html": strings.Repeat("<a href='http://a.test/'>", 100_000)})
	in := open(t, "a.html")
	for _, pages := range []bool{false, true} {
		c := &list.Links{LinkOptions: unbased(), Format: record.JSONL, Pages: pages, Fields: []string{"uri"}}
		w := linkWorker(t, c)
		var e report.Entry
		out := new(pieces)
		w.Work(&interrupt.Context{Left: 2}, in, out, &e)
		if n := e.Links.ByStatus.Sum(); n > 200 || len(out.String()) > 1000 {
			t.Errorf("pages %v: %d links are counted and %d bytes are printed after an interrupt", pages, n,
				len(out.String()))
		}
	}
}

// The lines of a small input are written at once, and the lines of a large one in large pieces.
func TestPieces(t *testing.T) {
	for n, most := range map[int]int{1: 1, 100: 1, 10_000: 20} {
		files(t, map[string]string{"a.html": strings.Repeat("<a href='http://a.test/d/e/f/g'>", n)})
		out := new(pieces)
		linkWorker(t, &list.Links{LinkOptions: unbased()}).Work(t.Context(), open(t, "a.html"), out, new(report.Entry))
		if len(*out) > most || n > 1000 && len(*out) < 5 {
			t.Errorf("%d lines are written in %d pieces, want at most %d", n, len(*out), most)
		}
	}
}

// The status of the retrieval is the status of a page, unless the input is a response itself.
func TestStatusOfRetrieval(t *testing.T) {
	files(t, map[string]string{"a.html": "<p>"})
	in := open(t, "a.html")
	in.Retrieval.Status = 404
	out := new(pieces)
	c := &list.Links{LinkOptions: unbased(), Format: record.JSONL, Pages: true, Fields: []string{"http_status"}}
	linkWorker(t, c).Work(t.Context(), in, out, new(report.Entry))
	if want := `{"record":"page","http_status":404}` + "\n"; out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

// openSeen opens the list of --seen for a run over args.
func openSeen(ctx context.Context, t *testing.T, path string, stdin io.Reader, stderr io.Writer,
	set func(*run.Options, *run.Run), args ...string) error {
	t.Helper()
	o := new(run.Options)
	c := &list.Links{LinkOptions: unbased(), Seen: path}
	if err := errors.Join(o.Inputs.SetArgs(args), c.LinkOptions.Prepare(&o.Inputs), c.Prepare(o, false)); err != nil {
		t.Fatal(err)
	}
	r := newRun(t, o, stderr)
	if set != nil {
		set(o, r)
	}
	err := c.OpenSeen(ctx, r, o, stdin)
	if err == nil {
		c.Output(io.Discard)
	}
	return errors.Join(err, c.CloseSeen())
}

// The list of --seen cannot be an input, nor another file of the run.
func TestSeenRefused(t *testing.T) {
	files(t, map[string]string{"a.html": "<p>", "list": "http://a.test/\n", "other": ""})
	if err := os.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	listed, err := os.Open("list")
	if err != nil {
		t.Fatal(err)
	}
	defer listed.Close()
	closed, err := os.Open("list")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, tt := range []struct {
		name, path string
		args       []string
		stdin      io.Reader
		set        func(*run.Options, *run.Run)
		want       string // part of the error, or empty
	}{
		{"a file", "list", []string{"a.html"}, nil, nil, ""},
		{"a new file", "new", []string{"a.html", "d"}, nil, nil, ""},
		{"no list", "", []string{"list"}, nil, nil, ""},
		{"standard input as the list", "-", []string{"a.html"}, nil, nil,
			"--seen -: the list is read and written, so give a file (./- for a file named -)"},
		{"the input", "list", []string{"a.html", "list"}, nil, nil, "--seen list is the input list; give another name"},
		{"in an input", "d/list", []string{"d"}, nil, nil,
			"--seen d/list is a file of the input d; give a name outside of it"},
		{"beside an input", "list", []string{"d"}, nil, nil, ""},
		{"the list of URLs", "list", nil, nil, func(o *run.Options, _ *run.Run) { o.Inputs.URLs = "list" },
			"--seen list is the input list; give another name"},
		{"the list of files", "list", nil, nil, func(o *run.Options, _ *run.Run) { o.Inputs.FilesFrom = "list" },
			"--seen list is the input list; give another name"},
		{"the list of units", "list", nil, listed, func(o *run.Options, _ *run.Run) { o.Inputs.Units = "list" },
			"--seen list is the input list; give another name"},
		{"units and standard input", "list", nil, listed,
			func(o *run.Options, _ *run.Run) { o.Inputs.Units = "other" }, ""},
		{"the open standard input", "list", nil, listed, nil, "--seen list is the input -; give another name"},
		{"the named standard input", "list", []string{"a.html", "-"}, listed, nil,
			"--seen list is the input -; give another name"},
		{"an unused standard input", "list", []string{"a.html"}, listed, nil, ""},
		{"a closed standard input", "list", nil, closed, nil, ""},
		{"another standard input", "other", nil, listed, nil, ""},
		{"a missing file beside standard input", "missing", nil, listed, nil, ""},
		{"standard input in memory", "list", nil, strings.NewReader(""), nil, ""},
		{"a directory", "d", []string{"a.html"}, nil, nil,
			"--seen d: is not a file that can be read and written: give another name"},
		{"the report", "list", []string{"a.html"}, nil, func(_ *run.Options, r *run.Run) {
			if err := r.Account.ClaimOutput("--report list", "the report", listed.Stat); err != nil {
				t.Fatal(err)
			}
		}, "--seen list is the report; give another name"},
	} {
		err := openSeen(t.Context(), t, tt.path, tt.stdin, io.Discard, tt.set, tt.args...)
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: got error %v, want %q", tt.name, err, tt.want)
		}
		var usage *flag.Error
		if err != nil && !errors.As(err, &usage) {
			t.Errorf("%s: got error %v, want a *flag.Error", tt.name, err)
		}
	}
}

// A list whose opening is interrupted gives the error of the context.
func TestSeenInterrupted(t *testing.T) {
	files(t, map[string]string{"a.html": "<p>", "list": strings.Repeat("http://a.test/\n", 1000)})
	for n := 0; ; n++ {
		ctx := &interrupt.Context{Left: n}
		err := openSeen(ctx, t, "list", nil, io.Discard, nil, "a.html")
		if ctx.Seen && err != context.Canceled || !ctx.Seen && err != nil {
			t.Errorf("interrupted at step %d: got error %v", n, err)
		}
		if !ctx.Seen {
			return
		}
	}
}

// A last line without an end is cut off, with a message.
func TestSeenCut(t *testing.T) {
	for text, cut := range map[string]bool{"http://a.test/\n": false, "http://a.test/\nhttp://b": true} {
		for _, quiet := range []bool{false, true} {
			files(t, map[string]string{"a.html": "<p>", "list": text})
			var stderr strings.Builder
			set := func(o *run.Options, _ *run.Run) { o.Account.Quiet = quiet }
			err := openSeen(t.Context(), t, "list", nil, &stderr, set, "a.html")
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Contains(stderr.String(), `the last line was not complete and is cut off: "http://b"`)
			if said != (cut && !quiet) || !said && stderr.Len() > 0 {
				t.Errorf("%q, quiet %v: standard error is %q", text, quiet, stderr.String())
			}
		}
	}
}

// Output that goes to a file is on the disk before the list gets its URIs.
func TestSeenOfFile(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x><a href=y><a href=x>"})
	for _, want := range []string{"http://a.test/d/x\nhttp://a.test/d/y\n", ""} {
		out, err := os.Create("out")
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if _, err := printSeen(t, record.Text, out); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile("out"); err != nil || string(got) != want {
			t.Errorf("the output is %q, %v, want %q", got, err, want)
		}
		if got, err := os.ReadFile("list"); err != nil || string(got) != "http://a.test/d/x\nhttp://a.test/d/y\n" {
			t.Errorf("the list is %q, %v", got, err)
		}
	}
}

// A link has its text and the URI at which its file exists, if the records show them.
func TestTextAndFound(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=b.html>Hello</a><a href=Q.html>There</a>", "b.html": "",
		"q.html": ""})
	find := unbased()
	find.Bases.Roots = []string{".=http://a.test/"}
	find.Targets.Check = true
	c := &list.Links{LinkOptions: find, Format: record.JSONL, Fields: []string{"text", "found", "warnings"}}
	const want = `{"text":"Hello"}` + "\n" +
		`{"text":"There","found":"http://a.test/q.html","warnings":["moved?"]}` + "\n"
	if got := printLinks(t, c, "a.html").out; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Each part of a place is known, also if it is the only one.
func TestPlaces(t *testing.T) {
	files(t, map[string]string{"a.html": "<p>\n<a href='http://a.test/'>"})
	for field, want := range map[string]string{"offset": "13", "end": "27", "line": "2", "column": "10"} {
		c := &list.Links{LinkOptions: unbased(), Format: record.JSONL, Fields: []string{field}}
		if got := printLinks(t, c, "a.html").out; got != `{"`+field+`":`+want+"}\n" {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}

// The hint of a run names a flag that would find links, if it has found none.
func TestHelpfulFlags(t *testing.T) {
	files(t, map[string]string{"a.html": "<!-- <a href='http://a.test/'> -->", "b.html": "<a href='http://b.test/'>"})
	for name, want := range map[string]bool{"a.html": true, "b.html": false} {
		got := printLinks(t, &list.Links{LinkOptions: unbased()}, name).err
		if strings.Contains(got, "--comments") != want {
			t.Errorf("%s: standard error is %q, want a hint: %v", name, got, want)
		}
	}
}

// The defects of an earlier input are not those of the next one.
func TestDefectsOfInputs(t *testing.T) {
	cut := strings.TrimSuffix(mail, "--b--\n")
	files(t, map[string]string{"a.eml": cut, "b.eml": cut})
	got := pages(t, unbased(), []string{"source", "error"}, "a.eml", "b.eml").out
	var with []string
	for line := range strings.Lines(got) {
		if strings.Contains(line, `"error":"no final boundary"`) {
			with = append(with, line[:strings.Index(line, ",\"error")])
		}
	}
	want := []string{`{"record":"page","source":"a.eml"`, `{"record":"page","source":"b.eml"`}
	if !slices.Equal(with, want) {
		t.Errorf("got\n%s\nwant an error in the first page of each message", got)
	}
}

// A root that matched nothing is named at the end of a run for bases.
func TestUnmatchedOfBases(t *testing.T) {
	files(t, map[string]string{"a.html": "<p>"})
	if err := os.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	find := unbased()
	find.Bases.Roots = []string{"d=http://a.test/"}
	got := do(t, t.Context(), new(run.Options), find, []string{"a.html"},
		func(_ *run.Options, stdout io.Writer) (run.Command, io.Writer, func() error) {
			return &list.Bases{LinkOptions: find}, stdout, func() error { return nil }
		})
	if !strings.Contains(got.err, "--root d: no document that was read lies below it") {
		t.Errorf("standard error is %q, want the root", got.err)
	}
}
