package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/unit"
	"absolink/testdata/effort"
)

// A unit is settled by its range, its item, and the kind of its file.
func TestUnitsOfKinds(t *testing.T) {
	box := mailbox(3)
	second := strings.Index(box[1:], "From ") + 1
	first, next := record(6), record(1000)
	archive := first + next
	files(t, map[string]string{"box": box, "box.gz": compressed(box), "w.warc": archive, "page": "<html>", "empty": "",
		"w.warc.gz": compressed(first) + compressed(next)})
	const (
		done   = ""
		before = "skipped does not begin in the range"
		stale  = "failed item %d does not begin at offset %d: the units are those of another file"
		ends   = "failed ends before the range begins: it has 6 bytes"
		cut    = "failed has %d bytes, but the unit ends at %d: the file has become shorter, or it is another file; " +
			"make the units again"
	)
	isStale := func(item, offset int) string { return fmt.Sprintf(stale, item, offset) }
	isCut := func(size, end int) string { return fmt.Sprintf(cut, size, end) }
	for _, tt := range []struct {
		name                 string
		offset, length, item int
		out                  string
		want                 string
	}{
		{"page", 0, 6, 0, "page 0\n", done},
		{"page", 0, 7, 0, "page 0\n", done}, // it has grown
		{"page", 0, 1, 0, "page 0\n", done},
		{"page", 0, 1, 1, "", isStale(1, 0)},
		{"page", 0, 0, 0, "", before},
		{"page", 1, 5, 0, "", before},
		{"page", 6, 0, 0, "", before},
		{"page", 6, 1, 0, "", ends},
		{"page", 7, 1, 0, "", ends},
		{"empty", 0, 0, 0, "empty 0\n", done},
		{"empty", 0, 1, 0, "", isCut(0, 1)},
		{"box", 0, len(box), 1, "box 1\nbox 2\nbox 3\n", done},
		{"box", 0, second, 1, "box 1\n", done},
		{"box", 0, second, 2, "", isStale(2, 0)},
		{"box", second, len(box) - second, 2, "box 2\nbox 3\n", done},
		{"box", 0, len(box) + 1, 1, "", isCut(len(box), len(box)+1)},
		{"box", len(box) - 1, 1, 0, "", done},
		{"box.gz", 0, 1, 0, "box.gz 0\nbox.gz 0\nbox.gz 0\n", done},
		{"box.gz", 0, 1, 1, "box.gz 1\nbox.gz 2\nbox.gz 3\n", done},
		{"box.gz", 0, 1, 2, "", isStale(2, 0)},
		{"box.gz", 1, 9, 0, "", before},
		{"w.warc", 0, len(archive), 1, "w.warc 1\nw.warc 2\n", done},
		{"w.warc", len(first), len(next), 2, "w.warc 2\n", done},
		{"w.warc", len(first), len(next), 0, "w.warc 0\n", done},
		{"w.warc", 1, len(archive) - 1, 0, "w.warc 0\n", done},
		{"w.warc", len(first) - 1, len(next), 2, "", isStale(2, len(first)-1)},
		{"w.warc", 0, len(archive), 2, "", isStale(2, 0)},
		{"w.warc", len(first), len(archive), 0, "", isCut(len(archive), len(first)+len(archive))},
		{"w.warc.gz", len(compressed(first)), len(compressed(next)), 2, "w.warc.gz 2\n", done},
		{"w.warc.gz", 1, len(compressed(first)), 2, "", isStale(2, 1)},
	} {
		line := fmt.Sprintf("%s\t%d\t%d", tt.name, tt.offset, tt.length)
		if tt.item > 0 {
			line += fmt.Sprintf("\t%d\t1", tt.item)
		}
		if err := os.WriteFile("units", []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		l := listFiles(t, func(o *run.Options) { o.Inputs.Units = "units" })
		last := l.entries[len(l.entries)-1]
		if l.out != tt.out || !strings.HasSuffix(last, tt.want) || tt.want == done && strings.Contains(last, "failed") {
			t.Errorf("unit %q: got %q and %q, want %q and %q", line, l.out, last, tt.out, tt.want)
		}
	}
}

// A list that is missing fails for good. A missing input may be there in the next attempt. A hint
// is given for names that look like URLs.
func TestMissing(t *testing.T) {
	files(t, map[string]string{"www.a.test": ""})
	for _, tt := range []struct {
		args        []string
		list        string
		unavailable bool
		hint        string // "" for none
	}{
		{[]string{"none.html"}, "", true, ""},
		{[]string{"www.b.test"}, "", true, "https://www.b.test"},
		{[]string{"www.a.test/b"}, "", true, ""}, // the error is another one
		{nil, "none.txt", false, ""},
	} {
		var entries []report.Entry
		l := listFiles(t, func(o *run.Options) {
			o.Inputs.URLs = tt.list
			o.Account.OnReport = func(e *report.Entry) { entries = append(entries, *e) }
		}, tt.args...)
		if len(entries) != 1 || entries[0].Result.HasClass(report.Unavailable) != tt.unavailable ||
			entries[0].Subject.List != (tt.list != "") {
			t.Errorf("%q, %q: got %+v, want one entry, unavailable %v", tt.args, tt.list, entries, tt.unavailable)
		}
		if hint := strings.Contains(l.err, "URL begins"); hint != (tt.hint != "") || !strings.Contains(l.err, tt.hint) {
			t.Errorf("%q: standard error is %q, want the hint %q", tt.args, l.err, tt.hint)
		}
	}
}

// restless is a command that moves a message whenever it is about to be opened.
type restless struct {
	listing
	moves *int
}

func (c restless) Settle(f *input.File, _ *report.Entry) bool {
	if *c.moves > 0 {
		*c.moves--
		if err := os.Rename(f.Path, "box/cur/1.host:2,"+[]string{"S", "FS"}[*c.moves%2]); err != nil {
			panic(err)
		}
	}
	return false
}

// A message that another program moves is followed, but not forever.
func TestFollowed(t *testing.T) {
	for moves, want := range map[int]string{
		input.MaxMoves:      "box/cur/1.host:2,S other listed",
		10 * input.MaxMoves: "is moved again and again by another program",
	} {
		t.Chdir(t.TempDir())
		for _, name := range []string{"box/new", "box/cur"} {
			if err := os.MkdirAll(name, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile("box/cur/1.host:2,", []byte("Subject: x\n\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		var got string
		o := &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}
		o.Account.OnReport = func(e *report.Entry) {
			got = fmt.Sprint(e.Subject.Name(), " ", e.Subject.Kind, " ", e.Result.Outcome(), " ", e.Result.Reason())
		}
		if err := o.Inputs.SetArgs([]string{"box/cur/1.host:2,"}); err != nil {
			t.Fatal(err)
		}
		r, err := run.New(run.Streams{Out: io.Discard, Err: io.Discard}, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Do(t.Context(), io.Discard, restless{listing{r}, &moves}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Content that a client has sent is read like a retrieved document, in place of standard input.
func TestGiven(t *testing.T) {
	for text, want := range map[string]string{"<html>": "- 0\n", mailbox(2): "- 1\n- 2\n"} {
		for _, jobs := range []int{1, 2} {
			var stdout strings.Builder
			given := &input.Given{At: strings.NewReader(text), Size: int64(len(text))}
			r := begun(t, run.Streams{Out: &stdout, Err: io.Discard, Given: given}, jobs)
			for range 2 {
				stdout.Reset()
				if err := r.Do(t.Context(), &stdout, listing{r}); err != nil {
					t.Fatal(err)
				}
				if stdout.String() != want || r.Account.Totals.Inputs.N != 1 {
					t.Errorf("%d bytes: the output is %q of %s, want %q of one input",
						len(text), stdout.String(), &r.Account.Totals, want)
				}
				r.Reset(run.Streams{Out: &stdout, Err: io.Discard, Given: given})
			}
		}
	}
}

// The content that a client has sent has the name and the URL that the client gives.
func TestGivenName(t *testing.T) {
	given := &input.Given{At: strings.NewReader("<html>"), Size: 6, Name: "d/p.html", URL: "http://a.test/"}
	var got input.File
	r := begun(t, run.Streams{Out: io.Discard, Err: io.Discard, Given: given}, 1)
	work := func(_ context.Context, d *input.Document, _ io.Writer, _ *report.Entry) { got = d.File }
	if err := r.Do(t.Context(), io.Discard, each{r, work}); err != nil {
		t.Fatal(err)
	}
	if got.Source != "d/p.html" || got.Rel != "p.html" || got.URL != "http://a.test/" {
		t.Errorf("the document is %+v, want d/p.html of http://a.test/", got)
	}
}

// failing is a writer that cannot be written to.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("boom") }

// A header that cannot be written ends the run.
func TestHeaderFails(t *testing.T) {
	o := &run.Options{Jobs: 1, Header: "names\n"}
	if err := o.Inputs.SetArgs(nil); err != nil {
		t.Fatal(err)
	}
	r, err := run.New(run.Streams{In: strings.NewReader("<html>"), Out: failing{}, Err: io.Discard}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Do(t.Context(), io.Discard, listing{r}); err == nil {
		t.Error("Do with a header that cannot be written: got no error")
	}
}

// If the size of an input is unknown, the bar shows only the number of files.
func TestProgressOfUnknownSize(t *testing.T) {
	files(t, map[string]string{"a.html": "<html>"})
	l := listFiles(t, func(o *run.Options) { o.Account.Progress = console.Always }, "a.html", "-")
	if !strings.Contains(l.err, "1/2 files") || strings.Contains(l.err, "/6 B") {
		t.Errorf("standard error is %q, want a bar of two files without a number of bytes", l.err)
	}
}

// counted is a command that counts its workers.
type counted struct {
	each
	workers *int
}

func (c counted) NewWorker(r *run.Run) container.Worker {
	*c.workers++
	return c.each.NewWorker(r)
}

// After a large document its worker, which may hold much memory, is not used again. A pool of
// workers may drop one at any time, above all under the race detector: the least of several runs
// counts.
func TestWorkersOfLarge(t *testing.T) {
	const large = 2 << 20
	text := "<html>" + strings.Repeat(" ", large)
	packed := compressed(text)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			io.WriteString(w, text)
		case "/large.gz":
			w.Header().Set("Content-Type", "application/gzip")
			io.WriteString(w, packed)
		default:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>")
		}
	}))
	defer server.Close()
	for path, want := range map[string]int{"/b": 1, "/large": 2, "/large.gz": 2} {
		least := math.MaxInt
		for n := 0; n < 12 && (least > want || n < effort.Pick(12, 1)); n++ {
			least = min(least, workersOf(t, server.URL+"/a", server.URL+path, server.URL+"/c"))
		}
		if least != want {
			t.Errorf("%s: got %d workers for 3 documents, want %d", path, least, want)
		}
	}
}

// The same for local files.
func TestWorkersOfLargeFiles(t *testing.T) {
	const head = "<html>"
	spaces := strings.Repeat(" ", 1<<20)
	large := head + strings.Repeat(spaces, 16)
	packed := compressed(head) + strings.Repeat(compressed(spaces), 16)
	files(t, map[string]string{"a.html": "<html>", "b.html": "<html>", "c.html": "<html>", "large.html": large,
		"large.html.gz": packed})
	for name, want := range map[string]int{"b.html": 1, "large.html": 2, "large.html.gz": 2} {
		least := math.MaxInt
		for n := 0; n < 12 && (least > want || n < effort.Pick(12, 1)); n++ {
			least = min(least, workersOf(t, "a.html", name, "c.html"))
		}
		if least != want {
			t.Errorf("%s: got %d workers for 3 documents, want %d", name, least, want)
		}
	}
}

// workersOf works on documents one after the other, and returns the number of workers for them.
func workersOf(t *testing.T, urls ...string) (workers int) {
	t.Helper()
	o := &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 32 << 20}}
	o.Retrieval.AllowPrivate = true
	o.Retrieval.Timeout = 10 * time.Second
	if err := o.Inputs.SetArgs(urls); err != nil {
		t.Fatal(err)
	}
	r, err := run.New(run.Streams{Out: io.Discard, Err: io.Discard}, o)
	if err != nil {
		t.Fatal(err)
	}
	works := 0
	work := func(context.Context, *input.Document, io.Writer, *report.Entry) { works++ }
	if err := r.Do(t.Context(), io.Discard, counted{each{r, work}, &workers}); err != nil {
		t.Fatal(err)
	}
	if works != len(urls) {
		t.Errorf("got %d documents, want %d", works, len(urls))
	}
	return workers
}

// A page of a unit is retrieved as a whole, with its header. For a record of unknown length, the
// first range is as long as most records.
func TestRangesOfUnits(t *testing.T) {
	var (
		mu     sync.Mutex
		ranges []string
	)
	archive := record(10) + record(20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		ranges = append(ranges, r.URL.Path+" "+r.Header.Get("Range"))
		mu.Unlock()
		text := "<html>"
		if r.URL.Path == "/w.warc" {
			text = archive
		}
		w.Header().Set("Content-Type", "text/html")
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	defer server.Close()
	cdx := fmt.Sprintf(" CDX a V g\nhttp://a.test/ %d w.warc\n", len(record(10)))
	files(t, map[string]string{"units": server.URL + "/page\t0\t6\n", "cdx": cdx})
	for _, tt := range []struct {
		units  string
		format unit.Format
		prefix string
		want   string
	}{
		{"units", unit.Lines, "", "/page "},
		{"cdx", unit.CDX, server.URL, fmt.Sprintf("/w.warc bytes=%d-%d", len(record(10)), len(record(10))+64<<10-1)},
	} {
		ranges = nil
		l := listFiles(t, func(o *run.Options) {
			o.Retrieval.AllowPrivate = true
			o.Retrieval.Timeout = 10 * time.Second
			o.Inputs.Units, o.Inputs.UnitsFormat, o.Inputs.Prefix = tt.units, tt.format, tt.prefix
		})
		if len(ranges) == 0 || ranges[len(ranges)-1] != tt.want || strings.Count(l.out, "\n") != 1 {
			t.Errorf("%s: the requests are %q with the output %q and %q, want %q as the last",
				tt.units, ranges, l.out, l.entries, tt.want)
		}
	}
}
