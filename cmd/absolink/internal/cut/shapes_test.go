package cut_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cut"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/testdata/effort"
)

// record returns a record of a web archive with n bytes of content.
func record(n int) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.test/\r\n"+
		"Content-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, strings.Repeat("x", n))
}

// message returns a message of a mailbox with n bytes of text.
func message(n int) string {
	return "From a@b.test Thu Jan  1 00:00:00 1970\nSubject: x\n\n" + strings.Repeat("x", n) + "\n\n"
}

// zipped returns a text as a gzip member.
func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// work returns the units of a file with this content.
func work(t *testing.T, c *cut.Cutter, name, content string) string {
	t.Helper()
	lay(t, name, content)
	return unitsOf(t, c, name)
}

// lay writes a file into a new directory, which becomes the current one.
func lay(t *testing.T, name, content string) {
	t.Helper()
	t.Chdir(t.TempDir())
	f, err := os.Create(name)
	if err == nil {
		_, err = f.WriteString(content)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// unitsOf returns the units of a file.
func unitsOf(t *testing.T, c *cut.Cutter, name string) string {
	t.Helper()
	in, err := (&input.Reader{Options: input.Options{MaxSize: 1 << 20, Peek: true}}).Open(t.Context(),
		input.File{Source: name, Path: name, Rel: name, Named: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	e := new(report.Entry)
	c.Work(t.Context(), in, &out, e)
	if e.Result.Outcome() != report.Listed {
		t.Errorf("%s: the outcome is %v %s, want it listed", name, e.Result.Outcome(), e.Result.Reason())
	}
	return out.String()
}

// The units of a container follow each other, begin at items, and cover the file. A unit of more
// than one item is at most as large as Size.
func TestUnitsCover(t *testing.T) {
	for name, item := range map[string]func(n int) string{"a.warc": record, "a.mbox": message,
		"a.warc.gz": func(n int) string { return zipped(record(n)) }} {
		for _, sizes := range [][]int{{1}, {1, 1, 1, 1}, {500, 1, 1, 500, 1}, {1, 900, 900, 1}} {
			var content string
			starts := map[int]int{} // numbers of items by their offsets
			for i, n := range sizes {
				starts[len(content)] = i + 1
				content += item(n)
			}
			for size := 1; size <= len(content)+1; size += effort.Pick(97, 97*2+1) {
				c := &cut.Cutter{Size: flag.Size(size), MaxSize: 1 << 20}
				at := 0
				for line := range strings.Lines(work(t, c, name, content)) {
					var path string
					var offset, length, number int
					if _, err := fmt.Sscanf(line, "%s\t%d\t%d\t%d", &path, &offset, &length, &number); err != nil {
						t.Fatalf("%s: unit %q: %v", name, line, err)
					}
					if path != name || offset != at || starts[offset] != number {
						t.Errorf("%s of items %v by %d bytes: unit %q, want item %d at offset %d",
							name, sizes, size, line, starts[at], at)
					}
					items := 0
					for start := range starts {
						if start >= offset && start < offset+length {
							items++
						}
					}
					if items == 0 || items > 1 && length > size {
						t.Errorf("%s of items %v by %d bytes: unit %q has %d items", name, sizes, size, line, items)
					}
					at += length
				}
				if at != len(content) {
					t.Errorf("%s of items %v by %d bytes: the units end at %d, want %d",
						name, sizes, size, at, len(content))
				}
			}
		}
	}
}

// storing serves all calls of stored.
var storing, _ = gzip.NewWriterLevel(nil, gzip.NoCompression)

// stored returns a text as a gzip member without compression.
func stored(text string) string {
	b := new(bytes.Buffer)
	b.Grow(len(text) + len(text)/1000 + 100)
	storing.Reset(b)
	io.WriteString(storing, text)
	storing.Close()
	return b.String()
}

// The units of an archive are the same for any number of goroutines, also if it is damaged.
func TestJobs(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < effort.Pick(7<<20, 5<<20); i++ {
		b.WriteString(stored(record(i * 7919 % 90_000)))
	}
	whole := b.String()
	more := effort.Pick(whole, strings.Repeat(stored(record(9)), 9)) // members
	for name, content := range map[string]string{
		"whole":                       whole,
		"cut short":                   whole[:len(whole)-50_000],
		"damaged":                     whole[:3<<20] + "junk" + whole[3<<20+500:],
		"an archive in another":       whole[:3<<20] + stored(record(9)+whole) + whole[3<<20:],
		"with plain records":          whole + record(7) + more,
		"records that share a member": whole + zipped(strings.Repeat(record(300), effort.Pick(30_000, 10_000))) + more,
	} {
		lay(t, "a.warc.gz", content)
		var want string
		for _, jobs := range effort.Pick([]int{1, 2, 5, 0}, []int{1, 5}) {
			c := &cut.Cutter{Size: 100_000, MaxSize: 1 << 20, Jobs: jobs}
			got := unitsOf(t, c, "a.warc.gz")
			if jobs == 1 {
				want = got
			}
			if n := strings.Count(got, "\n"); got != want || n < effort.Pick(60, 40) {
				t.Errorf("%s, %d jobs: got %d units\n%.2000s\nwant\n%.2000s", name, jobs, n, got, want)
			}
		}
	}
}

// With Absolute the paths of units are absolute. A compressed mailbox is one unit.
func TestPaths(t *testing.T) {
	if got := work(t, &cut.Cutter{Size: 1}, "a.mbox.gz", zipped(message(1)+message(1))); got != "a.mbox.gz\n" {
		t.Errorf("the units of a compressed mailbox are %q, want the file", got)
	}
	got := work(t, &cut.Cutter{Size: 1, Absolute: true}, "a.html", "<html>")
	if name := strings.TrimSuffix(got, "\n"); !filepath.IsAbs(name) || filepath.Base(name) != "a.html" {
		t.Errorf("the unit is %q, want an absolute path", got)
	}
	c := new(cut.Cutter)
	if c.NewWorker(nil) != c || c.Unmatched() != nil {
		t.Error("a Cutter is not its own worker, or has something unmatched")
	}
}
