package container_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// A worker gets the coding of the container with each item. The problems that it finds have
// positions only without a coding. A record whose worker sets no outcome is skipped.
func TestCodingOfItems(t *testing.T) {
	for name, content := range map[string][]byte{"a.warc": archive(3), "a.mbox": mailbox(3)} {
		for _, compressed := range []bool{false, true} {
			file, stored := name, content
			if compressed {
				file += ".gz"
				stored = []byte(zipped(content))
			}
			in := open(t, file, stored, nil)
			n := 0
			w := list(t, 1, in, func(item *input.Document, _ io.Writer, e *report.Entry) {
				n++
				if item.Coding != in.Coding || !item.Place.Inner {
					t.Errorf("%s: an item has the coding %v and the place %+v", file, item.Coding, item.Place)
				}
				e.Problems.Add(report.Problem{Offset: 7, Line: 2, Column: 1, Text: "odd"})
			})
			if n < 3 {
				t.Errorf("%s: got %d items", file, n)
			}
			for _, e := range w.entry.Items.Unreported {
				if e.Subject.Inner == report.Record && e.Result.Outcome() != report.Skipped {
					t.Errorf("%s: an item without an outcome is %q", file, e.Result.Outcome())
				}
				for _, p := range e.Problems.All() {
					if p.Text == "odd" && (p.Line != 0) != (in.Coding == coding.None) {
						t.Errorf("%s: a problem of an item is on line %d", file, p.Line)
					}
				}
			}
		}
	}
}

// A target of 32 KiB is a base. A longer one is left out, with a problem.
func TestLongTargets(t *testing.T) {
	for size, want := range map[int]bool{100: true, 32 << 10: true, 32<<10 + 1: false} {
		target := "http://a.test/" + strings.Repeat("x", size-len("http://a.test/"))
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
		content := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			target, len(block), block)
		got := "none"
		in := open(t, "a.warc", []byte(content), nil)
		w := list(t, 1, in, func(in *input.Document, _ io.Writer, e *report.Entry) {
			got = in.Record.Target
			if in.Place.Line != 7 {
				t.Errorf("the response after six lines of the first record begins on line %d", in.Place.Line)
			}
			e.Result.SetOutcome(report.Listed)
		})
		said := len(w.items) == 1 && strings.Contains(w.items[0].Problems, "is left out: at most 32768 are read")
		if (got == target) != want || got != target && got != "" || said == want {
			t.Errorf("a target of %d bytes: the worker gets %d bytes, and the items are %.200v", size, len(got),
				w.items)
		}
	}
}

// One worker works on the items of a container after each other. The pool may drop a worker at any
// time, so the least of several runs counts.
func TestWorkerIsReused(t *testing.T) {
	least := 1000
	for range 10 {
		made := 0
		w := new(walked)
		l := newLoop(t, 1, w, echo)
		l.Workers.New = func() container.Worker {
			made++
			return worker(echo)
		}
		l.List(t.Context(), open(t, "a.mbox", mailbox(30), nil), &w.out, &w.entry)
		least = min(least, made)
	}
	if least > 15 { // with the race detector, a pool drops a quarter of its values
		t.Errorf("30 messages had %d workers, want few", least)
	}
}

// The problems of an item have no positions if its container is compressed.
func TestPositionsOfProblems(t *testing.T) {
	work := func(_ *input.Document, _ io.Writer, e *report.Entry) {
		e.Problems.Add(report.Problem{Offset: 3, Line: 5, Column: 2, Text: "problem"})
		e.Result.SetOutcome(report.Listed)
	}
	for name, content := range map[string][]byte{"a.mbox": mailbox(1), "a.mbox.gz": []byte(zipped(mailbox(1)))} {
		var lines []int64
		w := new(walked)
		l := newLoop(t, 1, w, work)
		l.Emit = func(e *report.Entry, _ io.Writer) {
			for _, p := range e.Problems.All() {
				if p.Text == "problem" {
					lines = append(lines, p.Line)
				}
			}
		}
		l.List(t.Context(), open(t, name, content, nil), &w.out, &w.entry)
		for _, e := range w.entry.Items.Unreported {
			l.Emit(e, io.Discard)
		}
		want := map[string]int64{"a.mbox": 5}[name]
		if !slices.Equal(lines, []int64{want}) {
			t.Errorf("%s: the problems are on the lines %d, want %d", name, lines, want)
		}
	}
}

// The archives of a WACZ are reported only after the inputs before it.
func TestTurnOfWACZ(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	archive, err := z.CreateHeader(&zip.FileHeader{Name: "archive/a.warc.gz", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	archive.Write(records(1, 100))
	z.Close()
	in := open(t, "x.wacz", b.Bytes(), nil)
	w := new(walked)
	l := newLoop(t, 2, w, echo)
	var order []string
	var mu sync.Mutex
	note := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, name)
	}
	l.Emit = func(*report.Entry, io.Writer) { note("archive") }
	begun := make(chan bool)
	work := func(name string, out io.Writer) string {
		if name == "first" {
			<-begun
			time.Sleep(20 * time.Millisecond) // so that a WACZ that does not wait would be reported
			return name
		}
		close(begun)
		l.List(t.Context(), in, out, &w.entry)
		return name
	}
	err = batch.Run(t.Context(), batch.Options{Jobs: 2, PerJob: 4}, io.Discard,
		slices.Values([]string{"first", "WACZ"}), work, note)
	if want := []string{"first", "archive", "WACZ"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("got %q and error %v, want %q", order, err, want)
	}
}
