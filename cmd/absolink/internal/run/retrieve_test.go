package run_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

// looking is a command that calls one function for each input, also for a container.
type looking struct {
	look func(in *input.Document)
}

func (c looking) NewWorker(*run.Run) container.Worker { return c }
func (c looking) Unmatched() []string                 { return nil }

func (c looking) Work(_ context.Context, in *input.Document, _ io.Writer, e *report.Entry) {
	c.look(in)
	e.Result.SetOutcome(report.Listed)
}

// lookAt calls look for each input of args. It returns the entries and standard error.
func lookAt(t *testing.T, set func(*run.Options), look func(*input.Document), args ...string) ([]report.Entry, string) {
	t.Helper()
	var entries []report.Entry
	o := &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}
	o.Retrieval.AllowPrivate = true
	o.Retrieval.Timeout = 10 * time.Second
	o.Account.OnReport = func(e *report.Entry) { entries = append(entries, *e) }
	if set != nil {
		set(o)
	}
	if err := o.Inputs.SetArgs(args); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &stderr}, o)
	if err == nil {
		err = r.Do(t.Context(), io.Discard, looking{look})
	}
	if err != nil {
		t.Fatal(err)
	}
	return entries, stderr.String()
}

// A retrieved document has the header of its answer.
func TestRetrievedHeader(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Last-Modified", "Sat, 03 Jan 2015 00:00:00 GMT")
		io.WriteString(w, "<html>")
	}))
	defer server.Close()
	entries, _ := lookAt(t, nil, func(in *input.Document) {
		got := in.Retrieval.LastModified()
		if want := time.Date(2015, 1, 3, 0, 0, 0, 0, time.UTC); !got.Equal(want) || in.Kind != input.HTML {
			t.Errorf("the document is %v of %v, want HTML of %v", in.Kind, got, want)
		}
	}, server.URL+"/a")
	if len(entries) != 1 || entries[0].Result.Outcome() != report.Listed || entries[0].Seconds <= 0 ||
		entries[0].Subject.Bytes != 6 {
		t.Errorf("the entries are %+v, want one of 6 bytes", entries)
	}
}

// Only the size and the kind of a file are asked for if nothing is read.
func TestMeasured(t *testing.T) {
	requests := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests += r.Method + " " + r.URL.Path + "\n"
		switch r.URL.Path {
		case "/page.html":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "6")
		case "/a.mbox", "/b.mbox":
			w.Header().Set("Content-Type", "application/mbox")
			w.Header().Set("Content-Length", "70")
			if r.URL.Path == "/b.mbox" {
				w.Header().Set("Accept-Ranges", "bytes")
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, tt := range []struct {
		path string
		kind input.Kind
		size int64
		note bool
	}{{"/page.html", input.HTML, 6, false}, {"/b.mbox", input.Mbox, 70, false}, {"/a.mbox", input.Mbox, -1, true}} {
		looks := 0
		entries, stderr := lookAt(t, func(o *run.Options) { o.Reading.Peek = true }, func(in *input.Document) {
			looks++
			if in.Kind != tt.kind || in.StoredSize != tt.size {
				t.Errorf("%s: got %v of %d bytes, want %v of %d", tt.path, in.Kind, in.StoredSize, tt.kind, tt.size)
			}
		}, server.URL+tt.path)
		if looks != 1 || strings.Contains(stderr, "the file is one unit") != tt.note {
			t.Errorf("%s: got %d documents and %q", tt.path, looks, stderr)
		}
		if want := max(tt.size, 0); entries[0].Subject.Bytes != want {
			t.Errorf("%s: the entry has %d bytes, want %d", tt.path, entries[0].Subject.Bytes, want)
		}
	}
	entries, _ := lookAt(t, func(o *run.Options) { o.Reading.Peek = true },
		func(in *input.Document) { t.Errorf("a missing file is worked on: %+v", in.File) }, server.URL+"/none")
	if len(entries) != 1 || entries[0].Result.Outcome() != report.Failed {
		t.Errorf("of a missing file: got %+v, want a failure", entries)
	}
	if strings.Contains(requests, "GET") {
		t.Errorf("the requests are\n%swant no content retrieved", requests)
	}
}

// A server that ignores ranges is named.
func TestWholeRetrieved(t *testing.T) {
	box := mailbox(2)
	for _, ranges := range []bool{true, false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/mbox")
			if !ranges {
				io.WriteString(w, box)
				return
			}
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(box))
		}))
		second := strings.Index(box[1:], "From ") + 1
		files(t, map[string]string{"units": fmt.Sprintf("%s/box\t%d\t%d\n", server.URL, second, len(box)-second)})
		entries, stderr := lookAt(t, func(o *run.Options) { o.Inputs.Units = "units" }, func(*input.Document) {})
		if len(entries) != 1 || entries[0].Subject.Whole == ranges ||
			strings.Contains(stderr, "the server ignores ranges") == ranges {
			t.Errorf("ranges %v: got %+v and %q", ranges, entries, stderr)
		}
		server.Close()
	}
}

// A range whose server breaks off before the kind of the file is known fails.
func TestBrokenRange(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Range", "bytes 0-99/1000")
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusPartialContent)
		if r.URL.Path == "/some" {
			io.WriteString(w, "From a")
		}
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	files(t, map[string]string{"units": server.URL + "/none\t0\t100\n" + server.URL + "/some\t0\t100\n"})
	set := func(o *run.Options) {
		o.Inputs.Units = "units"
		o.Jobs = 2 // both wait for their tries at the same time
	}
	entries, _ := lookAt(t, set, func(in *input.Document) { t.Errorf("%s: a broken range is worked on", in.Path) })
	if len(entries) != 2 {
		t.Fatalf("got %+v, want two failures", entries)
	}
	for _, e := range entries {
		if e.Result.Outcome() != report.Failed {
			t.Errorf("got %+v, want a failure", e)
		}
	}
}

// Reopen opens an input with the options of the run.
func TestReopen(t *testing.T) {
	files(t, map[string]string{"a.html": "<html>", "large.html": "<html>" + strings.Repeat(" ", 2<<20)})
	o := &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, o)
	if err != nil {
		t.Fatal(err)
	}
	for name, large := range map[string]bool{"a.html": false, "large.html": true} {
		in, err := r.Reopen(t.Context(), input.File{Path: name, Source: name})
		if err != nil || in.Kind != input.HTML || in.TooLarge != large {
			t.Fatalf("%s: got %+v, %v, want HTML, too large %v", name, in, err, large)
		}
		in.Close()
	}
	if _, err := r.Reopen(t.Context(), input.File{Path: "none"}); err == nil {
		t.Error("a missing file: got no error")
	}
}

// A run closes its inputs.
func TestInputsAreClosed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection closes files that are lost
	files(t, map[string]string{"a.html": "<html>", "large.html": "<html>" + strings.Repeat(" ", 2<<20),
		"box": mailbox(2), "b.html.gz": compressed("<html>")})
	here, err := filepath.EvalSymlinks(".")
	if err == nil {
		here, err = filepath.Abs(here)
	}
	if err != nil {
		t.Fatal(err)
	}
	looks := 0
	lookAt(t, nil, func(*input.Document) { looks++ }, "a.html", "large.html", "box", "b.html.gz")
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("the open files are not known: %v", err)
	}
	for _, e := range list {
		path, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && strings.HasPrefix(path, here+"/") {
			t.Errorf("%s is open after the run", path)
		}
	}
	if looks != 4 {
		t.Errorf("got %d documents, want 4", looks)
	}
}
