package run

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// A run in place bounds the bytes of its inputs. A run over a given input keeps its worker, and
// shares the memory of the process with other runs.
func TestNew(t *testing.T) {
	given := &input.Given{At: strings.NewReader(""), Kind: input.HTML, Typed: true}
	for _, tt := range []struct {
		inPlace       bool
		given         *input.Given
		jobs          int
		single, share bool
	}{
		{false, nil, 1, false, false}, {true, nil, 1, false, false}, {false, given, 1, true, true},
		{false, given, 2, false, true}, {true, given, 1, true, true},
	} {
		o := &Options{InPlace: tt.inPlace, Jobs: tt.jobs, Reading: Reading{Kind: input.Mbox, MaxSize: 7, Peek: true,
			Scripts: true}}
		in := strings.NewReader("")
		r, err := New(Streams{In: in, Out: io.Discard, Err: io.Discard, Given: tt.given}, o)
		if err != nil {
			t.Fatal(err)
		}
		if (r.room.semaphore != nil) != tt.inPlace {
			t.Errorf("in place %v: the room is %+v", tt.inPlace, r.room)
		}
		if r.workers.Single != tt.single || r.readers.Single != tt.single || r.Containers.Shared != tt.share {
			t.Errorf("given %v, %d jobs: got single %v and %v, shared %v", tt.given != nil, tt.jobs, r.workers.Single,
				r.readers.Single, r.Containers.Shared)
		}
		c := r.Containers.Reading
		if c.MaxSize != 7 || !c.Peek || !c.Scripts || c.Given != tt.given || c.Stdin != in ||
			c.Kind != input.Mbox {
			t.Errorf("given %v: containers are read by %+v", tt.given != nil, c)
		}
		r.Reset(Streams{Out: io.Discard, Err: io.Discard})
		if r.workers.Single || r.Containers.Shared || r.Containers.Reading.Given != nil {
			t.Errorf("after Reset: got single %v, shared %v", r.workers.Single, r.Containers.Shared)
		}
	}
}

// The memory of a body is that of its decoded content, up to the largest size of a document.
func TestMemoryOf(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, strings.Repeat(" ", 1000))
	w.Close()
	for _, tt := range []struct {
		body    string
		maxSize int64
		want    int64
	}{
		{"", 100, 0}, {"<html>", 100, 18}, {b.String(), 10_000, 5000}, {b.String(), 100, 500}, {"\x1f\x8b\x08", 100, 0},
	} {
		o := &Options{}
		o.Reading.MaxSize.Set(fmt.Sprint(tt.maxSize))
		if got := (&Run{o: o}).memoryOf([]byte(tt.body)); got != tt.want {
			t.Errorf("memoryOf %.10q: got %d, want %d", tt.body, got, tt.want)
		}
	}
}

// The error of a missing input says what to type if its name looks like a URL.
func TestMissingError(t *testing.T) {
	for _, tt := range []struct {
		source string
		named  bool
		err    error
		want   string
	}{
		{"file:///a/b", true, fs.ErrNotExist, "; write the path instead of the URL: /a/b"},
		{"FILE://a", true, fs.ErrNotExist, "; write the path instead of the URL: a"},
		{"ftp://a.test/", true, fs.ErrNotExist, "; absolink retrieves http: and https: URLs, and no ftp: URLs"},
		{"a/b://c", true, fs.ErrNotExist, ""}, {"a.b://c", true, fs.ErrNotExist, ""},
		{"file", true, fs.ErrNotExist, ""}, {"ftp", true, fs.ErrNotExist, ""},
		{"WWW.a.test", true, fs.ErrNotExist, "; a URL begins with its scheme: use https://WWW.a.test"},
		{"example.com", true, fs.ErrNotExist, "; a URL begins with its scheme: use https://example.com"},
		{"localhost:8000/a", true, fs.ErrNotExist, "; a URL begins with its scheme: use https://localhost:8000/a"},
		{"backup.sh", true, fs.ErrNotExist, ""}, {"README.md", true, fs.ErrNotExist, ""},
		{"a.html", true, fs.ErrNotExist, ""}, {"www.a.test", false, fs.ErrNotExist, ""},
		{"www.a.test", true, fs.ErrPermission, ""},
	} {
		got := missingError(&input.File{Source: tt.source, Named: tt.named}, tt.err)
		if got.Error() != tt.err.Error()+tt.want || !errors.Is(got, tt.err) {
			t.Errorf("missingError of %s: got %v, want %q at its end", tt.source, got, tt.want)
		}
	}
}

// A file that is left out is skipped with its reason. A note tells what the user may not expect.
func TestLeaveOut(t *testing.T) {
	for _, tt := range []struct {
		f               input.File
		verbose, copies bool
		note            string
	}{
		{input.File{Skip: input.Skip{Cause: input.ToUnchosen}}, false, false,
			"why, which --include or --exclude leaves out, so the link is left out too; to read the target, let " +
				"--include and --exclude choose it, or name the link as an input"},
		{input.File{Skip: input.Skip{Cause: input.Outside}}, false, false, "why, so it is left out; hint"},
		{input.File{Skip: input.Skip{Cause: input.Duplicate}, Named: true}, false, false, "why"},
		{input.File{Skip: input.Skip{Cause: input.Duplicate}, Named: true}, true, false, ""},
		{input.File{Skip: input.Skip{Cause: input.Duplicate}}, false, false, ""},
		{input.File{Skip: input.Skip{Cause: input.Special}}, false, true, "why, so it is not in the output"},
		{input.File{Skip: input.Skip{Cause: input.Special}}, false, false, ""},
		{input.File{Skip: input.Skip{}, Link: true}, false, true, "why, so it is not in the output"},
		{input.File{Skip: input.Skip{}}, false, true, ""},
	} {
		r := &Run{o: new(Options)}
		r.o.Account.OutsideHint = "hint"
		r.o.Account.Verbose = tt.verbose
		r.o.Account.WritesCopies = tt.copies
		tt.f.Skip.Why = "why"
		var e report.Entry
		r.leaveOut(tt.f, &e)
		if e.Result.Outcome() != report.Skipped || e.Result.Reason() != "why" {
			t.Errorf("%+v: the outcome is %v (%s)", tt.f.Skip, e.Result.Outcome(), e.Result.Reason())
		}
		note := ""
		for _, p := range e.Problems.All() {
			note += p.Part + p.Text
		}
		if note != tt.note {
			t.Errorf("%+v: the note is %q, want %q", tt.f.Skip, note, tt.note)
		}
	}
}

// A reader is used again, unless it holds much memory.
func TestReadersOfLarge(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, size := range map[string]int64{"small": 6, "medium": largeLocal / 2, "large": largeLocal + 1} {
		if err := errors.Join(os.WriteFile(name, []byte("<html>"), 0o666), os.Truncate(name, size)); err != nil {
			t.Fatal(err)
		}
		r, err := New(Streams{Out: io.Discard, Err: io.Discard}, &Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.workers = batch.Pool[container.Worker]{New: func() container.Worker { return idle{} }}
		r.readers.Single = true // it never drops a reader
		reader := &input.Reader{Options: input.Options{MaxSize: largeLocal + 1}}
		in, err := reader.Open(t.Context(), input.File{Path: name, Source: name})
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		r.readers.Put(reader)
		var e report.Entry
		r.work(t.Context(), input.File{Path: "none"}, io.Discard, &e)
		if again := r.readers.Take() == reader; again != (name != "large") {
			t.Errorf("after a %s document: the reader of %d bytes is used again: %v", name, reader.Held(), again)
		}
	}
}

// idle is a worker that does nothing.
type idle struct{}

func (idle) Work(context.Context, *input.Document, io.Writer, *report.Entry) {}

// The inputs can be left at any of them.
func TestJobsLeftEarly(t *testing.T) {
	o := new(Options)
	if err := o.Inputs.SetArgs([]string{"a", "b", "c"}); err != nil {
		t.Fatal(err)
	}
	r := &Run{o: o}
	for n := range 4 {
		got := 0
		for j := range r.jobs(t.Context()) {
			if got == n {
				break
			}
			if want := string(rune('a' + got)); j.file.Source != want {
				t.Errorf("input %d is %q, want %q", got, j.file.Source, want)
			}
			got++
		}
		if got != min(n, 3) {
			t.Errorf("%d inputs were read, want %d", got, min(n, 3))
		}
	}
}

// Each input has an entry of its own, except the inputs that a client gives one after the other.
func TestNewEntry(t *testing.T) {
	for _, given := range []*input.Given{nil, {}} {
		r := &Run{o: new(Options), streams: Streams{Given: given}}
		first := r.newEntry()
		second := r.newEntry()
		if same := first == second; same != (given != nil) {
			t.Errorf("given %v: the same entry twice: %v", given != nil, same)
		}
	}
}
