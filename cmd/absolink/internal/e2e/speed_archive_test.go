//go:build unix

package e2e

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

	"absolink/base"
	"absolink/cmd/absolink/internal/cli"
	"absolink/extract"
	"absolink/testdata/corpus"
)

// archivePages writes a web archive of n pages. If compressed is set, each record is a gzip member.
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
		uri, page := corpus.Generated(i)
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: test\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(page), page)
		text := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: "+
			"2026-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nContent-Type: application/http; "+
			"msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
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

// archiveSize is the number of generated records: 200,000 with -speed.
func archiveSize() int {
	if *speed {
		return 200_000
	}
	return 300
}

// The links of a web archive are the links of its pages, if each page is read with its URI as
// --base.
func TestArchiveOfPages(t *testing.T) {
	t.Chdir(t.TempDir())
	archivePages(t, "a.warc", archiveSize(), false)
	code, out, stderr := runs(t, "", "extract", "a.warc")
	if code != cli.ExitDone {
		t.Fatalf("extract: got exit code %d and %.200q, want %d", code, stderr, cli.ExitDone)
	}
	for i := range archiveSize() {
		uri, page := corpus.Generated(i)
		want := pageLinks(uri, page)
		if i < 300 { // enough to see that the command gives the same result as pageLinks
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
    n += 1
print(n)
`

// archiveRounds is the number of turns of each contender for an archive.
const archiveRounds = 3

// The test compares the speed of the whole command, listing the links of 200,000 records, with
// warcio, which only iterates over the same file. The figures are logged; nothing depends on them.
func TestSpeedArchive(t *testing.T) {
	if !*speed {
		t.Skip("short: 200,000 records are read several times; run with -args -speed")
	}
	python := os.Getenv("ABSOLINK_WARCIO")
	if python == "" {
		python = "python3"
	}
	if exec.Command(python, "-c", "import warcio").Run() != nil {
		t.Skipf("%s has no warcio (pip install warcio): ABSOLINK_WARCIO may name one that has", python)
	}
	command := built(t, ".")
	t.Chdir(t.TempDir())
	t.Logf("warcio iterates and reads no block; absolink lists the links of all pages: as text, or all that is known " +
		"of each as jsonl")
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		archivePages(t, name, archiveSize(), strings.HasSuffix(name, ".gz"))
		list := []*contender{
			{name: "warcio", args: []string{python, "-c", warcioPeer, name}},
			{name: "jsonl", args: []string{command, "extract", "--format", "jsonl", name}},
			{name: "jsonl, 1 job", args: []string{command, "extract", "--format", "jsonl", "--jobs", "1", name}},
			{name: "text", args: []string{command, "extract", name}},
			{name: "text, 1 job", args: []string{command, "extract", "--jobs", "1", name}},
			{name: "units", args: []string{command, "units", name}},
		}
		for range archiveRounds {
			for _, c := range list {
				c.run(t)
			}
		}
		logArchive(t, name, list)
	}
}

// logArchive logs the medians of contenders. The first contender is warcio.
func logArchive(t *testing.T, name string, list []*contender) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	mb, cpu0, wall0 := float64(info.Size())/1e6, median(list[0].cpus).Seconds(), median(list[0].walls).Seconds()
	for _, c := range list {
		cpu, wall := median(c.cpus).Seconds(), median(c.walls).Seconds()
		t.Logf("%-10s %-13s %6.2f s of the processor, %5.1f times warcio; %6.2f s, %5.1f times; %4.0f MB/s",
			name, c.name, cpu, cpu0/cpu, wall, wall0/wall, mb/wall)
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
		if code := absolink([]string{"extract", "--jobs", "1", "a.warc"},
			strings.NewReader(""), io.Discard, &stderr); code != cli.ExitDone {
			b.Fatalf("extract: got exit code %d and %s, want %d", code, stderr.String(), cli.ExitDone)
		}
	}
}
