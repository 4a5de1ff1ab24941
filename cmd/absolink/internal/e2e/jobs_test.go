//go:build linux

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"absolink/testdata/effort"
)

// There are never more jobs than inputs and items, nor more than a thousand. With a huge number for
// --jobs, a run takes about as long, and as much memory, as with a few jobs, and prints the same.
func TestVeryManyJobs(t *testing.T) {
	effort.Only(t)
	dir := t.TempDir()
	save := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	save("page.html", "<a href=x>")
	var box, archive bytes.Buffer
	z, _ := gzip.NewWriterLevel(&archive, gzip.NoCompression)
	for i := range 300 {
		save(fmt.Sprintf("tree/%d/page.html", i), "<a href=x>")
		fmt.Fprintf(&box, "From a@b.test Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=l%d>%s\n\n",
			i, strings.Repeat("text ", 1000))
		body := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/x>" + strings.Repeat("text ", 1000)
		z.Reset(&archive)
		fmt.Fprintf(z,
			"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.test/%d\r\nContent-Type: application/"+
				"http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(body), body)
		z.Close()
	}
	save("box.mbox", box.String())
	save("crawl.warc.gz", archive.String())
	many := []string{strconv.Itoa(math.MaxInt), "1024", "1000000", "100000000"}
	for _, input := range []string{"page.html", "tree", "box.mbox", "crawl.warc.gz"} {
		few, want, _ := jobsOf(t, dir, input, "2")
		for _, jobs := range many {
			memory, got, took := jobsOf(t, dir, input, jobs)
			if !bytes.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s, --jobs %s: got %d bytes, want the %d of --jobs 2", input, jobs, len(got), len(want))
			}
			if memory > few+100 || took > 20*time.Second {
				t.Errorf("%s, --jobs %s: it took %v and %d MB, want at most 100 MB more than the %d of --jobs 2",
					input, jobs, took, memory, few)
			}
		}
	}
}

// jobsOf extracts the links of an input. It returns the largest memory use in MB, the output, and
// the time.
func jobsOf(t *testing.T, dir, input, jobs string) (memory int64, out []byte, took time.Duration) {
	t.Helper()
	cmd := commandIn(dir,
		[]string{"extract", "-q", "--format", "jsonl", "--default-base", "http://e.test/", "--jobs", jobs, input})
	cmd.Stderr = nil
	began := time.Now()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s, --jobs %s: %v", input, jobs, err)
	}
	return int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) >> 10, out, time.Since(began)
}
