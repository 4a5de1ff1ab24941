package cut

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

const message = "From a@b.test Thu Jan  1 00:00:00 1970\nSubject: x\n\ntext\n\n" // 57 bytes, 5 lines

// Units begin and end at messages. A unit with several messages is at most as large as Size.
func TestMailbox(t *testing.T) {
	text := strings.Repeat(message, 5)
	for size, want := range map[int64]string{
		1:   "box\t0\t57\t1\t1\nbox\t57\t57\t2\t6\nbox\t114\t57\t3\t11\nbox\t171\t57\t4\t16\nbox\t228\t57\t5\t21\n",
		120: "box\t0\t114\t1\t1\nbox\t114\t114\t3\t11\nbox\t228\t57\t5\t21\n",
		285: "box\t0\t285\t1\t1\n",
	} {
		in := &input.Document{File: input.File{Source: "box"}, Decision: input.Decision{Kind: input.Mbox},
			Content: input.Content{At: strings.NewReader(text), Size: int64(len(text))}}
		c := &Cutter{Size: flag.Size(size), MaxSize: 1 << 20}
		var out bytes.Buffer
		e := new(report.Entry)
		c.Work(t.Context(), in, &out, e)
		if out.String() != want || e.Result.Outcome() != report.Listed {
			t.Errorf("Work with units of %d bytes: got %s and\n%swant %s and\n%s",
				size, e.Result.Outcome(), &out, report.Listed, want)
		}
	}
}

// A document that is not a container is one unit. A file that is not a document has no unit.
func TestWhole(t *testing.T) {
	for kind, want := range map[input.Kind]string{input.HTML: "a\n", input.Message: "a\n", input.Other: ""} {
		in := &input.Document{File: input.File{Source: "a"}, Decision: input.Decision{Kind: kind},
			Content: input.Content{At: strings.NewReader(message), Size: int64(len(message))}}
		var out bytes.Buffer
		(&Cutter{Size: 1}).Work(t.Context(), in, &out, new(report.Entry))
		if out.String() != want {
			t.Errorf("Work on %v: got %q, want %q", kind, &out, want)
		}
	}
}

// Only a large archive of gzip members is read ahead.
func TestReadAhead(t *testing.T) {
	large := strings.Repeat("\x1f\x8b\x08", 1<<20)
	for _, tt := range []struct {
		name, url, content string
		jobs, want         int
	}{
		{"gzip members", "", large, 3, 3},
		{"one job", "", large, 1, 1},
		{"very many jobs", "", large, 5000, container.AheadOf(5000)},
		{"all processors", "", large, 0, runtime.GOMAXPROCS(0)},
		{"a small archive", "", large[:1<<20], 3, 1},
		{"a plain archive", "", strings.Repeat("WARC/1.1", 1<<20), 3, 1},
		{"half a magic number", "", strings.Repeat("\x1f ", 1<<20), 3, 1},
		{"an archive on a server", "http://a.test/a.warc.gz", large, 3, 1},
	} {
		in := &input.Document{File: input.File{Source: "a", URL: tt.url}, Decision: input.Decision{Kind: input.WARC},
			Content: input.Content{At: strings.NewReader(tt.content), Size: int64(len(tt.content))}}
		if got := (&Cutter{Jobs: tt.jobs}).readAhead(in, io.Discard); got != tt.want {
			t.Errorf("readAhead of %s with %d jobs: got %d, want %d", tt.name, tt.jobs, got, tt.want)
		}
	}
}
