package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"absolink/base"
	"absolink/extract"
)

// archivedPage returns the URI and the text of a page.
func archivedPage(i int) (uri, page string) {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html><head><title>Page %d</title><link rel=stylesheet href=/style.css></head><body>\n", i)
	if i%10 == 0 {
		b.WriteString("<base href=\"//other.example/deep/er/\">\n")
	}
	for j := range 5 + i%20 {
		fmt.Fprintf(&b, "<p>Paragraph %d of %d, with <a href=\"../%d/page-%d.html?a=b&amp;c=%d\">a link</a> and some text.\n", j, i, (i*7919+j)%1000, i*31%977+j, j)
	}
	return fmt.Sprintf("http://host-%d.example/%d/page.html", i%100, i), b.String()
}

// archivePages writes a web archive of n pages, with a gzip member per record if it
// is to be compressed.
func archivePages(t testing.TB, name string, n int, compressed bool) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	z, _ := gzip.NewWriterLevel(out, gzip.BestSpeed)
	for i := range n {
		uri, page := archivedPage(i)
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: test\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
		text := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			uri, i, len(block), block)
		if !compressed {
			io.WriteString(out, text)
			continue
		}
		io.WriteString(z, text)
		z.Close()
		z.Reset(out)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// archiveSize is how many records are generated: 200,000 with -speed.
func archiveSize() int {
	if *speed {
		return 200_000
	}
	return 300
}

// The links of a web archive are those of its pages, each given with its URI as --base.
func TestArchiveOfPages(t *testing.T) {
	t.Chdir(t.TempDir())
	archivePages(t, "a.warc", archiveSize(), false)
	code, out, stderr := runs(t, "", "extract", "a.warc")
	if code != exitDone {
		t.Fatalf("extract: got exit code %d and %.200q, want %d", code, stderr, exitDone)
	}
	for i := range archiveSize() {
		uri, page := archivedPage(i)
		want := pageLinks(uri, page)
		if i < 300 { // enough to see that the command does what pageLinks does
			_, want, _ = runs(t, page, "extract", "--type", "html", "--base", uri)
		}
		if !strings.HasPrefix(out, want) {
			t.Fatalf("extract: the links of record %d are %.300q, want %q", i+1, out, want)
		}
		out = out[len(want):]
	}
	if out != "" {
		t.Errorf("extract: got %.200q more than the links of the pages", out)
	}
}

// pageLinks returns the links of a page as lines.
func pageLinks(uri, page string) string {
	var b strings.Builder
	var r extract.Resolver
	doc := extract.Doc{Format: extract.HTML, Data: []byte(page), Layer: &base.Layer{Source: base.Option, Value: uri}}
	for l := range r.Links(&doc) {
		b.Write(append(l.URI, '\n'))
	}
	return b.String()
}

const warcioPeer = `
import sys
from warcio.archiveiterator import ArchiveIterator
n = 0
for r in ArchiveIterator(open(sys.argv[1], 'rb')):
    n += len(r.content_stream().read()) > 0
print(n)
`

// How much faster the whole command lists the links of 200,000 records than warcio
// iterates over the same file and reads what it holds. The figures are logged; nothing
// depends on them.
func TestSpeedArchive(t *testing.T) {
	if !*speed {
		t.Skip("short: 200,000 records are read several times; run with -args -speed")
	}
	python := os.Getenv("ABSOLINK_WARCIO")
	if python == "" {
		python = "python3"
	}
	if exec.Command(python, "-c", "import warcio").Run() != nil {
		t.Skipf("%s has no warcio", python)
	}
	t.Chdir(t.TempDir())
	for name, compressed := range map[string]bool{"a.warc": false, "a.warc.gz": true} {
		archivePages(t, name, archiveSize(), compressed)
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		theirs, theirWall := took(t, []string{python, "-c", warcioPeer, name})
		one, oneWall := took(t, []string{"absolink", "extract", "--jobs", "1", name})
		two, twoWall := took(t, []string{"absolink", "extract", "--jobs", "2", name})
		units, unitsWall := took(t, []string{"absolink", "units", name})
		mb := float64(info.Size()) / 1e6
		for _, f := range []struct {
			what      string
			cpu, wall time.Duration
		}{{"warcio", theirs, theirWall}, {"extract, 1 job", one, oneWall}, {"extract, 2 jobs", two, twoWall}, {"units", units, unitsWall}} {
			t.Logf("%-10s %-15s %6.2f s of the processor, %4.1f times warcio; %6.2f s, %4.1f times; %4.0f MB/s", name, f.what, f.cpu.Seconds(),
				theirs.Seconds()/f.cpu.Seconds(), f.wall.Seconds(), theirWall.Seconds()/f.wall.Seconds(), mb/f.wall.Seconds())
		}
	}
}

func BenchmarkArchive(b *testing.B) {
	b.Chdir(b.TempDir())
	archivePages(b, "a.warc", 5000, false)
	info, err := os.Stat("a.warc")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		var stderr bytes.Buffer
		if code := run([]string{"extract", "--jobs", "1", "a.warc"}, strings.NewReader(""), io.Discard, &stderr); code != exitDone {
			b.Fatalf("extract: got exit code %d and %s, want %d", code, stderr.String(), exitDone)
		}
	}
}
