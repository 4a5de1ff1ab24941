//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var scale = flag.Bool("scale", false, "run the commands over 1 GB of messages and 10,000 pages")

const maxResident = 128 << 20

// Memory does not grow with the number of inputs or the size of messages.
func TestScale(t *testing.T) {
	if !*scale {
		t.Skip("short: 3 GB are written; run with -args -scale")
	}
	t.Chdir(t.TempDir())
	samples := samplePages(t)
	scalePages(t, samples, 10_000)
	scaleMail(t, samples, 1<<30)
	for _, args := range [][]string{
		{"extract", "--format", "jsonl", "--jobs", "8", "--default-base", "http://example.test/d/", "pages"},
		{"rewrite", "-o", "out", "--default-base", "http://example.test/d/", "pages"},
		{"rewrite", "--in-place", "--default-base", "http://example.test/d/", "pages"},
		{"extract", "--format", "jsonl", "--jobs", "8", "--default-base", "http://example.test/d/", "mail"},
		{"rewrite", "-o", "out", "--default-base", "http://example.test/d/", "mail"},
		{"rewrite", "--in-place", "--default-base", "http://example.test/d/", "mail"},
	} {
		resident(t, args...)
	}
}

// A report of 5 million different lines takes no more memory, and gives a page below 2 MB.
func TestReportScale(t *testing.T) {
	if !*scale {
		t.Skip("short: 5 million lines are read; run with -args -scale")
	}
	page := filepath.Join(t.TempDir(), "report.html")
	cmd := exec.Command("absolink", "report", "-o", page)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewWriterSize(in, 1<<20)
	for i := range 5_000_000 {
		fmt.Fprintf(lines,
			`{"source":"site/%d/page.html","kind":"html","bytes":%d,"outcome":"%s","reason":"reason %d","documents":1,"references":{"resolved":%d,"invalid":1},"kinds":{"nav":%[5]d},"layers":{"embedded":%[5]d},"edits":0,"signed":0,"problems":[{"offset":%[2]d,"line":%[4]d,"column":1,"text":"problem %[4]d"}],"base_hosts":["h%[4]d.example"],"seconds":%[6]f}`+"\n",
			i, i*7%100_000, []string{"listed", "failed"}[i%2], i/3, i%50, float64(i%1000)/1e5)
	}
	if err := lines.Flush(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 // KiB on Linux
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB resident, a page of %d KB, %.1f s", most>>20, len(data)>>10, time.Since(began).Seconds())
	if most > maxResident || len(data) > 2_000_000 || !bytes.Contains(data, []byte("<dd>5,000,000</dd>")) {
		t.Errorf("a report of 5 million lines: %d bytes resident and a page of %d, want at most %d and 2,000,000, "+
			"and all lines counted", most, len(data), maxResident)
	}
}

// resident runs the command and checks its largest memory use.
func resident(t *testing.T, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("absolink", append(args, "--progress", "always")...)
	cmd.Stderr = &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%.500s", args, err, stderr.String())
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 // KiB on Linux
	t.Logf("%q: %d MB resident, %.1f s", args, most>>20, time.Since(began).Seconds())
	if most > maxResident {
		t.Errorf("%q: got %d bytes resident, want at most %d", args, most, maxResident)
	}
}

func samplePages(t *testing.T) [][]byte {
	t.Helper()
	names, _ := filepath.Glob(repository + "testdata/pages/*.html")
	var samples [][]byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, b)
	}
	if len(samples) < 3 {
		t.Fatalf("testdata/pages: got %d pages, want at least 3", len(samples))
	}
	return samples
}

func scalePages(t *testing.T, samples [][]byte, n int) {
	for i := range n {
		save(t, fmt.Sprintf("pages/%02d/%05d.html", i%100, i), samples[i%len(samples)])
	}
}

// scaleMail writes messages of many sizes, size bytes in all.
func scaleMail(t *testing.T, samples [][]byte, size int64) {
	for i := 0; size > 0; i++ {
		attached := 30 << 10
		switch {
		case i == 0:
			attached = 200 << 20
		case i%100 == 1:
			attached = 5 << 20
		}
		size -= scaleMessage(t, fmt.Sprintf("mail/%02d/%05d.eml", i%100, i), samples[i%len(samples)], i, attached)
	}
}

// scaleMessage writes a message with a page, in one of two encodings, and an attachment of attached
// bytes. It returns the size of the message. It keeps little in memory, because the resident memory
// of this process would count for its children.
func scaleMessage(t *testing.T, name string, page []byte, i, attached int) int64 {
	t.Helper()
	save(t, name, nil)
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := bufio.NewWriter(f)
	fmt.Fprintf(b,
		"From: a@b.test\nSubject: %d\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"+
			"Content-Type: text/html\n", i)
	if i%2 == 0 {
		b.WriteString("Content-Transfer-Encoding: quoted-printable\n\n")
		w := quotedprintable.NewWriter(b)
		w.Write(page)
		w.Close()
	} else {
		b.WriteString("Content-Transfer-Encoding: base64\n\n")
		for line := range slices.Chunk(page, 57) {
			b.WriteString(base64.StdEncoding.EncodeToString(line) + "\n")
		}
	}
	b.WriteString("\n--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n")
	line := strings.Repeat("A", 76) + "\n"
	for range attached / len(line) {
		b.WriteString(line)
	}
	b.WriteString("--b--\n")
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	end, _ := f.Seek(0, io.SeekCurrent)
	return end
}
