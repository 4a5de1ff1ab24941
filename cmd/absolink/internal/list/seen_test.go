package list_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/arrow/arrowtest"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/run"
	"absolink/testdata/effort"
)

// fullAfter is a writer that fails once it has got so many bytes. Then it takes no part of a write.
type fullAfter struct {
	strings.Builder
	room int
}

func (w *fullAfter) Write(p []byte) (int, error) {
	if w.Len()+len(p) > w.room {
		return 0, errors.New("no space")
	}
	return w.Builder.Write(p)
}

// printSeen prints a page with --seen into out, and returns the lines of the list and the error of
// the run.
func printSeen(t *testing.T, format record.Format, out io.Writer) (listed []string, runErr error) {
	t.Helper()
	c, runErr := runSeen(t, format, out)
	if err := c.CloseSeen(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("list")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), runErr
}

// runSeen prints a page with --seen into out, and returns the command and the error of the run. The
// caller must call CloseSeen.
func runSeen(t *testing.T, format record.Format, out io.Writer) (c *list.Links, runErr error) {
	t.Helper()
	c = &list.Links{LinkOptions: based(), Format: format, Seen: "list"}
	if format != record.Text {
		c.Fields = []string{"uri"}
	}
	o := new(run.Options)
	o.Jobs = 1
	o.Reading.MaxSize = 64 << 20
	if err := o.Inputs.SetArgs([]string{"a.html"}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.LinkOptions.Prepare(&o.Inputs), c.Prepare(o, false)); err != nil {
		t.Fatal(err)
	}
	r, err := run.New(run.Streams{In: strings.NewReader(""), Out: out, Err: new(strings.Builder)}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.OpenSeen(t.Context(), r, o, nil); err != nil {
		t.Fatal(err)
	}
	w, end := c.Output(out)
	runErr = r.Do(t.Context(), w, c)
	if runErr == nil {
		runErr = end()
	}
	return c, runErr
}

// If it is unknown whether the output is on the disk, the list gets none of its URIs.
func TestSeenOutputLost(t *testing.T) {
	files(t, map[string]string{"a.html": "<a href=x>"})
	for _, lost := range []bool{true, false} {
		out, err := os.Create("out")
		if err != nil {
			t.Fatal(err)
		}
		c, err := runSeen(t, record.Text, out)
		if err != nil {
			t.Fatal(err)
		}
		if lost {
			out.Close()
		}
		if err := c.CloseSeen(); (err != nil) != lost {
			t.Errorf("lost %v: CloseSeen returns %v", lost, err)
		}
		out.Close()
		want := map[bool]string{false: "http://a.test/d/x\n"}[lost]
		if text, err := os.ReadFile("list"); err != nil || string(text) != want {
			t.Errorf("lost %v: the list is %q, %v, want %q", lost, text, err, want)
		}
	}
}

// The list gets only URIs whose lines were written, in every format and wherever the output fails.
// A run whose output does not fail adds all others.
func TestSeenAfterOutput(t *testing.T) {
	links := effort.Pick(110_000, 1700)
	digits := effort.Pick(40, 800)
	least := effort.Pick(10_000, 400)
	var page strings.Builder
	var want []string
	for i := range links {
		fmt.Fprintf(&page, "<a href=%0*d>", digits, i)
		want = append(want, fmt.Sprintf("http://a.test/d/%0*d", digits, i))
	}
	files(t, map[string]string{"a.html": page.String()})
	uris := map[record.Format]func(out string) int{
		record.Text: func(out string) int { return strings.Count(out, "\n") },
		record.CSV:  func(out string) int { return max(strings.Count(out, "\n")-1, 0) },
		record.Arrow: func(out string) (n int) {
			batches, _ := arrowtest.Read(out) // with an error, the batches before it are valid
			for _, b := range batches {
				n += len(b)
			}
			return n
		},
	}
	again := func(format record.Format) {
		out := &fullAfter{room: 1 << 30}
		if listed, err := printSeen(t, format, out); err != nil || len(listed) != links {
			t.Errorf("%v, again: got %v and %d URIs in the list, want %d", format, err, len(listed), links)
		}
		if format == record.Text && out.Len() > 0 {
			t.Errorf("again: got %d bytes of output", out.Len())
		}
	}
	for format, count := range uris {
		whole := 0 // number of bytes of the whole output
		rooms := []int{1 << 30, -1, effort.Pick(2_000_000, 1_300_000), 700_000, 100}
		if format == record.CSV {
			rooms = effort.Pick(rooms, rooms[:2]) // it is written in lines as text is
		}
		for _, room := range rooms {
			if room < 0 {
				room = whole - 1 // the last write fails
			}
			os.Remove("list")
			out := &fullAfter{room: room}
			listed, err := printSeen(t, format, out)
			if room == 1<<30 {
				whole = out.Len()
			}
			if (err == nil) != (room >= whole) {
				t.Errorf("%v, room for %d bytes: got the error %v", format, room, err)
			}
			printed := count(out.String())
			n := len(listed)
			if n == 1 && listed[0] == "" {
				n = 0
			}
			if n > printed || n > 0 && (listed[0] != want[0] || listed[n-1] != want[n-1]) {
				t.Errorf("%v, room for %d bytes: the list has %d URIs up to %s, and %d were printed", format, room, n,
					listed[max(n-1, 0)], printed)
			}
			switch {
			case room >= whole && n != links:
				t.Errorf("%v: the list has %d URIs, want all %d", format, n, links)
			case format != record.Arrow && room < whole && room > 1<<20 && n < least,
				format == record.Arrow && room == 700_000 && n != printed:
				t.Errorf("%v, room for %d bytes: the list has %d URIs, and %d were printed", format, room, n, printed)
			}
			if room == 1<<30 {
				again(format)
			}
		}
	}
}

// A run waits for the list of another run until it is cancelled.
func TestSeenCancelled(t *testing.T) {
	files(t, nil)
	o := new(run.Options)
	r := newRun(t, o, io.Discard)
	first := &list.Links{LinkOptions: based(), Seen: "list"}
	err := errors.Join(first.LinkOptions.Prepare(&o.Inputs), first.Prepare(o, false),
		first.OpenSeen(t.Context(), r, o, nil))
	if err != nil {
		t.Fatal(err)
	}
	first.Output(io.Discard)
	defer first.CloseSeen()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = (&list.Links{Seen: "list"}).OpenSeen(ctx, newRun(t, new(run.Options), io.Discard), o, nil)
	if err != context.Canceled {
		t.Errorf("OpenSeen after an interrupt: got error %v, want %v", err, context.Canceled)
	}
}

// A list that is refused, because the run writes the same file, is free for other runs.
func TestSeenIsFree(t *testing.T) {
	files(t, nil)
	o := new(run.Options)
	r := newRun(t, o, io.Discard)
	stat := func() (os.FileInfo, error) { return os.Stat("list") }
	if err := os.WriteFile("list", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.Account.ClaimOutput("--report list", "the report", stat); err != nil {
		t.Fatal(err)
	}
	if err := (&list.Links{Seen: "list"}).OpenSeen(t.Context(), r, o, nil); err == nil {
		t.Error("OpenSeen of the report: got no error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // ends only the wait for a locked list
	defer cancel()
	other := &list.Links{Seen: "list"}
	if err := other.OpenSeen(ctx, newRun(t, new(run.Options), io.Discard), o, nil); err != nil {
		t.Fatalf("OpenSeen after the refusal: got error %v", err)
	}
	other.Output(io.Discard)
	if err := other.CloseSeen(); err != nil {
		t.Error(err)
	}
}
