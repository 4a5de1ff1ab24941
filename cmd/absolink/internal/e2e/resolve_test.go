//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/cli"
)

// referenceLines returns references of pages, one per line, repeated the given number of times.
func referenceLines(tb testing.TB, times int) string {
	tb.Helper()
	refs, err := os.ReadFile(repository + "resolve/testdata/refs.txt")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Repeat(string(refs), times)
}

// TestResolveFormatsAgree checks that all formats give the same URIs, for short lines and for lines
// longer than any buffer.
func TestResolveFormatsAgree(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	lines := referenceLines(t, 1) + "\n \n\tg\nhttp://b/\tg\n<http://b/>\n#s\nhttp://[\n" + long + "\n" + long + "\ng\n"
	var text, records bytes.Buffer
	absolink([]string{"resolve", "--base", linesBase}, strings.NewReader(lines), &text, io.Discard)
	absolink([]string{"resolve", "--base", linesBase, "--format", "jsonl"},
		strings.NewReader(lines), &records, io.Discard)
	want := strings.Split(text.String(), "\n")
	n := 0
	for d := json.NewDecoder(&records); d.More(); n++ {
		var r struct{ Ref, URI string }
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.URI != want[n] {
			t.Errorf("line %d, %.100q: got %.100q in a record, %.100q as text", n+1, r.Ref, r.URI, want[n])
		}
	}
	if got := strings.Count(lines, "\n"); n != got || len(want) != n+1 {
		t.Errorf("%d lines: got %d records, %d lines of text", got, n, len(want)-1)
	}
}

// The examples of the help text run unchanged.
func TestResolveExamples(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "links.txt"), []byte("g\n#s\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, _, err := cli.Command([]string{"resolve"}).Find([]string{"resolve"})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(c.Example, "\n") {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if out, err := cmd.Output(); err != nil || len(out) == 0 || stderr.Len() > 0 {
			t.Errorf("%s: %v, prints %q and %q", line, err, out, stderr.String())
		}
	}
}

const linesBase = "http://example.test/dir/page.html"

// BenchmarkResolve runs the command over lines of a pipe.
func BenchmarkResolve(b *testing.B) {
	lines := referenceLines(b, 100)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		absolink([]string{"resolve", "--base", linesBase}, strings.NewReader(lines), io.Discard, io.Discard)
	}
}

// BenchmarkResolveByNetURL does the same work in a loop over net/url, for comparison with
// BenchmarkResolve.
func BenchmarkResolveByNetURL(b *testing.B) {
	lines := referenceLines(b, 100)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		resolveByNetURL(strings.NewReader(lines), io.Discard)
	}
}

func resolveByNetURL(in io.Reader, out io.Writer) {
	base, _ := url.Parse(linesBase)
	w := bufio.NewWriterSize(out, 64<<10)
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 1<<20)
	for lines.Scan() {
		if u, err := url.Parse(lines.Text()); err == nil {
			w.WriteString(base.ResolveReference(u).String())
		}
		w.WriteByte('\n')
	}
	w.Flush()
}

// TestScaleResolve pipes five million lines through the program, whose memory must not grow. It
// logs the processor times of the program and of the loop over net/url.
func TestScaleResolve(t *testing.T) {
	if !*scale {
		t.Skip("short: five million lines; run with -args -scale")
	}
	const least = 5_000_000
	block := referenceLines(t, 100)
	blocks := least/strings.Count(block, "\n") + 1
	lines := func() io.Reader {
		readers := make([]io.Reader, blocks)
		for i := range readers {
			readers[i] = strings.NewReader(block)
		}
		return io.MultiReader(readers...)
	}
	cmd := exec.Command("absolink", "resolve", "--base", linesBase)
	cmd.Stdin = lines()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	ours := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	most := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10 // KiB on Linux
	began := processorTime()
	resolveByNetURL(lines(), io.Discard)
	theirs := processorTime() - began
	t.Logf("%d lines: %d MB resident, %v; net/url %v, %.1f times as long",
		blocks*strings.Count(block, "\n"), most>>20, ours, theirs, theirs.Seconds()/ours.Seconds())
	if limit := int64(32 << 20); most > limit {
		t.Errorf("got %d bytes resident, want at most %d", most, limit)
	}
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
