package run_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/unit"
)

// compressed returns text as a gzip member.
func compressed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// record returns a record of a web archive with a page of n bytes.
func record(n int) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.test/\r\n"+
		"Content-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, strings.Repeat("x", n))
}

// The lines of an index are units. A unit fails if its record is not where the index says.
func TestIndexUnits(t *testing.T) {
	first, second := record(6), record(1000)
	archive := first + second + record(8)
	files(t, map[string]string{"w.warc": archive, "page.html": "<html>",
		"w.warc.gz": compressed(first) + compressed(second)})
	none := func(offset int) string {
		return fmt.Sprintf("no record of a web archive begins at offset %d: the index belongs to another file", offset)
	}
	beyond := func(size, offset, end int) string {
		return fmt.Sprintf("has %d bytes, but the record at offset %d ends at %d: the index belongs to another file",
			size, offset, end)
	}
	member, next := len(compressed(first)), len(compressed(second))
	for _, tt := range []struct {
		name           string
		offset, length int
		reason         string
	}{
		{"w.warc", 0, len(first), ""},
		{"w.warc", len(first), len(second), ""},
		{"w.warc", len(first) + 1, len(second), none(len(first) + 1)},
		{"w.warc", len(first) + len(second), 1000, beyond(len(archive), len(first)+len(second),
			len(first)+len(second)+1000)},
		{"w.warc", len(archive), 10, none(len(archive))},
		{"w.warc.gz", member, next, ""},
		{"w.warc.gz", member, next + 1, beyond(member+next, member, member+next+1)},
		{"w.warc.gz", 1, 10, none(1)},
		{"page.html", 0, 6, none(0)},
	} {
		line := fmt.Sprintf(`test,a)/ 20200101000000 {"url":"http://a.test/",`+
			`"filename":%q,"offset":"%d","length":"%d"}`, tt.name, tt.offset, tt.length)
		if err := os.WriteFile("index", []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		l := listFiles(t, func(o *run.Options) {
			o.Inputs.Units, o.Inputs.UnitsFormat, o.Inputs.Prefix = "index", unit.CDXJ, "."
		})
		if got := strings.Count(l.out, "\n"); got != map[bool]int{true: 1}[tt.reason == ""] {
			t.Errorf("%s at %d: the output is %q, want the record: %v", tt.name, tt.offset, l.out, tt.reason == "")
		}
		last := l.entries[len(l.entries)-1]
		if !strings.HasSuffix(last, tt.reason) || strings.Contains(last, "failed") != (tt.reason != "") {
			t.Errorf("%s at %d: the entries are %q, want the reason %q", tt.name, tt.offset, l.entries, tt.reason)
		}
	}
}

// worked returns the kind of the document of a run over one file, whether it is an answer of a
// server, and standard error. The worker has found a problem at byte 7.
func worked(t *testing.T, name, content string) (kind input.Kind, answer bool, stderr string) {
	t.Helper()
	files(t, map[string]string{name: content})
	var b strings.Builder
	r := begun(t, run.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &b}, 1, name)
	work := func(_ context.Context, d *input.Document, _ io.Writer, e *report.Entry) {
		kind = d.Kind
		answer = d.Response != nil
		if answer && d.Response.Status != 200 {
			t.Errorf("%s: the status is %d, want 200", name, d.Response.Status)
		}
		e.Problems.Add(report.Problem{Offset: 7, Line: 2, Column: 1, Text: "odd"})
		e.Result.SetOutcome(report.Listed)
	}
	if err := r.Do(t.Context(), io.Discard, each{r, work}); err != nil {
		t.Fatal(err)
	}
	return kind, answer, b.String()
}

// A problem has its line and column, except in a compressed file. Bytes of another kind behind a
// compressed file are not read, and a note counts them.
func TestContent(t *testing.T) {
	const page = "<html>\n<p>"
	stray := fmt.Sprintf("b.html.gz: the gzip data end at byte %d: "+
		"the 9 bytes after that are of another kind and were not read", len(compressed(page)))
	for _, tt := range []struct {
		name, content string
		messages      []string
	}{
		{"a.html", page, []string{"a.html:2:1: odd"}},
		{"a.html.gz", compressed(page), []string{"a.html.gz: odd"}},
		{"b.html.gz", compressed(page) + "junk junk", []string{"b.html.gz: odd", stray}},
		{"c.html", "", []string{"c.html:2:1: odd", "c.html: is empty"}},
	} {
		_, _, stderr := worked(t, tt.name, tt.content)
		for _, message := range tt.messages {
			if !strings.Contains(stderr, message+"\n") {
				t.Errorf("%s: standard error is %q, want the line %q in it", tt.name, stderr, message)
			}
		}
		if got := strings.Count(stderr, tt.name); got != len(tt.messages) {
			t.Errorf("%s: standard error is %q, want only %q", tt.name, stderr, tt.messages)
		}
	}
}

// A saved answer of a server comes with its header.
func TestSavedAnswer(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"
	if kind, answer, _ := worked(t, "a.http", answer); kind != input.HTTP || !answer {
		t.Errorf("the document is of kind %v, an answer: %v, want an answer", kind, answer)
	}
	if kind, answer, _ := worked(t, "a.html", "<html>"); kind == input.HTTP || answer {
		t.Errorf("a page is of kind %v, an answer: %v, want none", kind, answer)
	}
}

// An answer that ends early is read up to there, with a problem. A unit has it as its reason.
func TestBrokenAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/short":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "<html>")
		case "/packed":
			w.Header().Set("Content-Type", "application/gzip")
			io.WriteString(w, compressed("<html>"+strings.Repeat(" ", 1<<20)))
		case "/damaged.emlx":
			w.Header().Set("Content-Type", "application/octet-stream")
			io.WriteString(w, "31 \nSubject: x\nFrom: a@b.example\n\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	files(t, map[string]string{"units": server.URL + "/short\n"})
	retrieval := func(o *run.Options) {
		o.Retrieval.AllowPrivate = true
		o.Retrieval.Timeout = 10 * time.Second
		o.Reading.MaxSize = 4 << 20
	}
	const short = "ends after 6 of 100 bytes"
	l := listFiles(t, retrieval, server.URL+"/short")
	if !strings.Contains(l.err, "/short: "+short) || strings.Contains(l.entries[0], short) {
		t.Errorf("an answer that ends early: got %q and %q, want a problem and no reason", l.entries, l.err)
	}
	l = listFiles(t, func(o *run.Options) {
		retrieval(o)
		o.Inputs.Units = "units"
	})
	if !strings.HasSuffix(l.entries[0], short) {
		t.Errorf("a unit that ends early: got %q, want the reason %q", l.entries, short)
	}
	l = listFiles(t, retrieval, server.URL+"/packed")
	if !strings.HasSuffix(l.entries[0], "/packed html listed") || strings.Contains(l.err, "packed") {
		t.Errorf("a compressed answer: got %q and %q, want a page", l.entries, l.err)
	}
	l = listFiles(t, retrieval, server.URL+"/damaged.emlx")
	if len(l.entries) != 1 || !strings.Contains(l.entries[0], "/damaged.emlx  failed as .emlx: ") || l.out != "" {
		t.Errorf("a damaged answer: got %q and %q, want a failure", l.entries, l.out)
	}
}
