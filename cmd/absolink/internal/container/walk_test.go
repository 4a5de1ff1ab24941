package container_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/testdata/effort"
)

// plainArchive returns n responses of a plain web archive.
func plainArchive(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s<a href=x>", strings.Repeat("\n", i))
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/%d\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, len(block), block)
	}
	return b.Bytes()
}

// The unit of an item reads it with its number and its line, even if bytes come before the first
// item. Without a number the item has no line either.
func TestUnitsKeepPlaces(t *testing.T) {
	place := func(in *input.Document, out io.Writer, e *report.Entry) {
		p := in.Place
		fmt.Fprintf(out, "%d %d %d %d %s\n", p.Number, p.Line, p.Begins, p.Origin, in.Record.Target)
		e.Result.SetOutcome(report.Listed)
	}
	for name, content := range map[string]string{
		"a.mbox":       string(mailbox(20)),
		"one.mbox":     string(mailbox(1)),
		"lines.mbox":   "\n\n" + string(mailbox(20)),
		"a.warc":       string(plainArchive(20)),
		"junk.warc":    "x\n" + string(plainArchive(20)),
		"a.warc.gz":    string(records(20, 500)),
		"members.warc": zipped(plainArchive(3)) + zipped(plainArchive(4)),
		"mixed.warc":   string(plainArchive(5)) + zipped(plainArchive(1)) + string(plainArchive(5)),
		"tail.warc":    zipped(plainArchive(1)) + string(plainArchive(5)),
	} {
		kind := input.WARC
		if strings.HasSuffix(name, "mbox") {
			kind = input.Mbox
		}
		whole := &unit.Unit{Path: name, Ranged: true, Length: int64(len(content)), Item: 1, Line: 1}
		in := open(t, name, []byte(content), whole)
		in.Kind = kind
		all := list(t, 1, in, place)
		lines := strings.SplitAfter(all.out.String(), "\n")
		if len(all.items) != len(lines)-1 || len(all.items) == 0 {
			t.Fatalf("%s: %d items and %d lines", name, len(all.items), len(lines)-1)
		}
		for i, item := range all.items {
			if !effort.Whole() && i > 1 && i%7 != 0 && i < len(all.items)-1 {
				continue
			}
			u := item.Unit
			for _, indexed := range []bool{false, true} {
				u.Indexed = indexed && kind == input.WARC
				in := open(t, name, []byte(content), &u)
				in.Kind = kind
				if got := list(t, 1, in, place).out.String(); !strings.Contains(got, lines[i]) ||
					strings.Count(got, "\n") > 4 {
					t.Errorf("%s: the unit %+v of item %d: got %q, want %q", name, u, i+1, got, lines[i])
				}
			}
			u.Item = 0
			in := open(t, name, []byte(content), &u)
			in.Kind = kind
			w := list(t, 1, in, place)
			if got := w.out.String(); !strings.HasPrefix(got, "0 0 ") || len(w.items) == 0 {
				t.Errorf("%s: the unit %+v without a number: got %q, want no number and no line", name, u, got)
			}
		}
	}
}

// The memory of the process is bounded while a large container is read. If the process does other
// work too, it stays as it is.
func TestMemoryIsBounded(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for _, n := range []int{3, large} {
		for _, shared := range []bool{false, true} {
			for _, jobs := range []int{1, 2} {
				bounded := false
				w := new(walked)
				l := newLoop(t, jobs, w, func(in *input.Document, out io.Writer, e *report.Entry) {
					if in.Place.Number == 1 {
						bounded = debug.SetMemoryLimit(-1) != math.MaxInt64
					}
					echo(in, out, e)
				})
				l.Shared = shared
				l.List(t.Context(), open(t, "a.mbox", mailbox(n), nil), &w.out, &w.entry)
				if want := n > 3 && !shared; bounded != want {
					t.Errorf("%d messages, %d jobs, shared %v: bounded %v, want %v", n, jobs, shared, bounded, want)
				}
				if debug.SetMemoryLimit(-1) != math.MaxInt64 {
					t.Errorf("%d messages, %d jobs, shared %v: the bound stays", n, jobs, shared)
				}
			}
		}
	}
}

// The bound on the memory follows the memory in use while a large container is read.
func TestMemoryFollows(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	much := effort.Pick(64<<20, 40<<20)
	for name, content := range map[string][]byte{"a.mbox": mailbox(large),
		"a.warc": plainArchive(effort.Pick(2000, 1300))} {
		for _, jobs := range []int{1, 3} {
			var held []byte
			var first, last atomic.Int64
			w := new(walked)
			l := newLoop(t, jobs, w, func(in *input.Document, out io.Writer, e *report.Entry) {
				if in.Place.Number == 1 {
					first.Store(debug.SetMemoryLimit(-1))
					held = make([]byte, much)
					runtime.GC()
				}
				last.Store(max(last.Load(), debug.SetMemoryLimit(-1)))
			})
			in := open(t, name, content, nil)
			runtime.GC()
			l.List(t.Context(), in, &w.out, &w.entry)
			runtime.KeepAlive(held)
			held = nil // a pool keeps the worker
			if last.Load()-first.Load() < int64(much)/2 {
				t.Errorf("%s, %d jobs: the bound was %d MB, and %d MB at most when %d MB more were held",
					name, jobs, first.Load()>>20, last.Load()>>20, much>>20)
			}
		}
	}
}

// No more goroutines read ahead than the run has. There are at most 64, or one for each processor.
func TestAheadOf(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, tt := range []struct{ processors, jobs, want int }{
		{2, 1, 1}, {2, 64, 64}, {2, 65, 64}, {64, 100, 64}, {65, 100, 65}, {100, 99, 99}, {100, 1000, 100},
	} {
		runtime.GOMAXPROCS(tt.processors)
		got := container.AheadOf(tt.jobs)
		if after := runtime.GOMAXPROCS(0); got != tt.want || after != tt.processors {
			t.Errorf("AheadOf(%d) with %d processors: got %d, and then %d processors, want %d",
				tt.jobs, tt.processors, got, after, tt.want)
		}
	}
}

// An item belongs to the file of its container.
func TestItemsHaveFile(t *testing.T) {
	for name, content := range map[string][]byte{"a.mbox": mailbox(3), "a.warc": plainArchive(3),
		"a.warc.gz": records(3, 100)} {
		in := open(t, name, content, nil)
		items := 0
		list(t, 1, in, func(item *input.Document, _ io.Writer, e *report.Entry) {
			items++
			if item.Source != name || item.Path != in.Path || item.Rel != name || !item.Named ||
				item.Coding != in.Coding || !item.Place.Inner || e.Subject.Source != name {
				t.Errorf("%s: item %d has the file %+v, want %+v", name, items, item.File, in.File)
			}
		})
		if items != 3 {
			t.Errorf("%s: %d items, want 3", name, items)
		}
	}
}

// A container of unknown size has the bytes that its items account for.
func TestBytesOfPipe(t *testing.T) {
	for name, content := range map[string][]byte{"a.mbox": mailbox(large), "b.mbox": mailbox(3),
		"a.warc": plainArchive(5)} {
		for _, size := range []int64{-1, int64(len(content))} {
			in := open(t, name, content, nil)
			in.StoredSize = size
			w := list(t, 1, in, echo)
			want := int64(0) // the caller has set it
			if size < 0 {
				want = int64(len(content))
			}
			if w.entry.Subject.Bytes != want {
				t.Errorf("%s of size %d: got %d bytes, want %d", name, size, w.entry.Subject.Bytes, want)
			}
		}
	}
}

// A container that cannot be read fails, after the items before the error.
func TestListFails(t *testing.T) {
	larger := map[string][]byte{"a.mbox": mailbox(large), "a.warc": plainArchive(1300)}
	for name, content := range map[string][]byte{"a.mbox": mailbox(3), "a.warc": plainArchive(3)} {
		in := open(t, name, content, nil)
		in.Coding = coding.Gzip // which it is not
		w := list(t, 1, in, echo)
		if r := w.entry.Result; r.Outcome() != report.Failed || r.Reason() == "" || !w.entry.Items.Empty() {
			t.Errorf("%s, as gzip: got %s (%s), want failed", name, r.Outcome(), r.Reason())
		}
		in = open(t, name, content, nil)
		in.Close()
		w = list(t, 1, in, echo)
		if r := w.entry.Result; r.Outcome() != report.Failed || !strings.Contains(r.Reason(), os.ErrClosed.Error()) {
			t.Errorf("%s, closed: got %s (%s), want failed", name, r.Outcome(), r.Reason())
		}
		for _, jobs := range []int{1, 3} {
			broken := errors.New("broken disk")
			more := larger[name]
			in = open(t, name, more, nil)
			in.At = brokenFile{in.At, int64(len(more)) - 10, broken}
			w = list(t, jobs, in, echo)
			r := w.entry.Result
			if r.Outcome() != report.Failed || !strings.Contains(r.Reason(), broken.Error()) || w.entry.Items.Empty() {
				t.Errorf("%s, %d jobs, broken: got %s (%s) after items: %v",
					name, jobs, r.Outcome(), r.Reason(), !w.entry.Items.Empty())
			}
		}
	}
}

// brokenFile is a file that cannot be read from an offset on.
type brokenFile struct {
	io.ReaderAt
	from int64
	err  error
}

func (f brokenFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.from {
		return f.ReaderAt.ReadAt(p, off)
	}
	n := 0
	if off < f.from {
		n, _ = f.ReaderAt.ReadAt(p[:f.from-off], off)
	}
	return n, f.err
}
