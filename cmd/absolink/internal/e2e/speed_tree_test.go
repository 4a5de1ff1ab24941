//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/corpus"
)

// Speed over a site: whole commands over 10,000 pages, one after the other within the same minutes.
// Their output is discarded. All figures are logged, and nothing depends on them.

const (
	treePages  = 10_000
	treeRounds = 3                // of all contenders; absolink takes three turns in each
	slow       = 20 * time.Second // a contender that takes longer has one turn
)

const iterlinksPeer = `
import os, sys, lxml.html
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        try:
            with open(os.path.join(folder, name), 'rb') as f:
                page = lxml.html.document_fromstring(f.read())
        except Exception:
            continue
        for _, _, link, _ in page.iterlinks():
            print(link.encode('utf-8', 'replace').decode())
`

// The test compares the whole command, listing the links of 10,000 pages, with lxml, programs in Go
// and lychee. It also measures the gain of a second worker, and compares with the library.
func TestSpeedTree(t *testing.T) {
	if !*speed {
		t.Skip("short: 10,000 pages are read several times; run with -args -speed")
	}
	command := built(t, ".")
	t.Chdir(t.TempDir())
	size := treeOfPages(t, "site", treePages)
	list := []*contender{
		{name: "absolink, 1 job", turns: 3,
			args: []string{command, "extract", "-q", "--root", "site=http://example.test/", "--jobs", "1", "site"}},
		{name: "absolink, 2 jobs", turns: 3,
			args: []string{command, "extract", "-q", "--root", "site=http://example.test/", "--jobs", "2", "site"}},
		{name: "goquery, 1 goroutine", args: []string{"peer-goquery", "1", "site"}},
		{name: "goquery, 2 goroutines", args: []string{"peer-goquery", "2", "site"}},
		{name: "tokenizer, 1 goroutine", args: []string{"peer-tokenizer", "1", "site"}},
		{name: "tokenizer, 2 goroutines", args: []string{"peer-tokenizer", "2", "site"}},
	}
	list = append(list, installed()...)
	for range treeRounds {
		for _, c := range list {
			if len(c.walls) == 0 || c.walls[0] < slow {
				c.run(t)
			}
		}
	}
	mb := float64(size) / 1e6
	library := libraryOver(t, "site")
	t.Logf("%d pages, %.0f MB; the library alone, all in memory: %.0f MB/s", treePages, mb, mb/library.Seconds())
	one, two := list[0], list[1]
	for _, c := range list {
		cpu, wall := median(c.cpus), median(c.walls)
		t.Logf("%-24s %7.2f s of the processor, %5.1f times 1 job; %7.2f s, %5.1f times 2 jobs; %5.0f MB/s", c.name,
			cpu.Seconds(), cpu.Seconds()/median(one.cpus).Seconds(), wall.Seconds(),
			wall.Seconds()/median(two.walls).Seconds(), mb/wall.Seconds())
	}
	t.Logf("one job reaches %.2f of the speed of the library", library.Seconds()/median(one.cpus).Seconds())
	t.Logf("two jobs are %.2f times as fast as one", median(one.walls).Seconds()/median(two.walls).Seconds())
}

// The test measures the start of the command, beside a Go program that prints one line.
func TestSpeedStart(t *testing.T) {
	if !*speed {
		t.Skip("short: programs are built and started hundreds of times; run with -args -speed")
	}
	command := built(t, ".")
	t.Chdir(t.TempDir())
	save(t, "hello/main.go", []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"one line\") }\n"))
	save(t, "hello/go.mod", []byte("module hello\n"))
	save(t, "empty.html", nil)
	list := []*contender{
		{name: "Go program", args: []string{built(t, "hello")}},
		{name: "absolink version", args: []string{command, "version"}},
		{name: "absolink extract", args: []string{command, "extract", "empty.html"}},
	}
	for range 200 {
		for _, c := range list {
			c.run(t)
		}
	}
	for _, c := range list {
		wall := median(c.walls)
		t.Logf("%-18s %5.2f ms, %.2f times the Go program", c.name,
			wall.Seconds()*1e3, wall.Seconds()/median(list[0].walls).Seconds())
	}
}

// contender is a command and the times of its turns.
type contender struct {
	name        string
	turns       int // of each round; 0 means 1
	args        []string
	cpus, walls []time.Duration
}

func (c *contender) run(t *testing.T) {
	for range max(c.turns, 1) {
		cpu, wall := took(t, c.args)
		c.cpus, c.walls = append(c.cpus, cpu), append(c.walls, wall)
	}
}

func median(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// installed returns those contenders outside the project that are installed: lychee, and lxml of
// the interpreter that ABSOLINK_LXML names, or of python3.
func installed() (list []*contender) {
	python := os.Getenv("ABSOLINK_LXML")
	if python == "" {
		python = "python3"
	}
	if exec.Command(python, "-c", "import lxml.html").Run() == nil {
		list = append(list, &contender{name: "lxml iterlinks", args: []string{python, "-c", iterlinksPeer, "site"}})
	}
	if lychee, err := exec.LookPath("lychee"); err == nil {
		list = append(list,
			&contender{name: "lychee", args: []string{lychee, "--dump", "--offline", "--no-progress", "site"}})
	}
	return list
}

// built builds the program in a folder as README says, without C, and returns its path.
func built(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build in %s: %v\n%s", folder, err, out)
	}
	return path
}

// treeOfPages writes n pages below root and returns their size. It makes them of real pages, so
// that no two are the same.
func treeOfPages(t *testing.T, root string, n int) (size int64) {
	t.Helper()
	pages := realPages(t)
	for i := range n {
		page := bytes.Clone(pages[i%len(pages)])
		page = fmt.Appendf(page,
			"<p>Page %d is between <a href=\"../%02d/%05d.html\">that</a> and <a href=\"%05d.html?from=%[1]d\">this</"+
				"a>.\n",
			i, (i+99)%100, i-1, i+100)
		save(t, fmt.Sprintf("%s/%02d/%05d.html", root, i%100, i), page)
		size += int64(len(page))
	}
	return size
}

// realPages returns the pages of the corpus, or the samples of the repository.
func realPages(t *testing.T) (pages [][]byte) {
	t.Helper()
	if corpus.Own() {
		return samplePages(t)
	}
	for _, d := range corpus.Documents(t, "pages/readability/html") {
		pages = append(pages, d.Data)
	}
	return pages
}

// libraryOver returns the time that the library takes to resolve all links of the pages of a tree,
// after they are read.
func libraryOver(t *testing.T, root string) (sum time.Duration) {
	t.Helper()
	names, _ := filepath.Glob(root + "/*/*.html")
	var r extract.Resolver
	var doc extract.Doc
	links := 0
	for _, name := range names {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		doc.Reset()
		doc.Format = extract.HTML
		doc.Data = page
		doc.Layer = &base.Layer{Source: base.Root, Value: "http://example.test/" + name}
		for range r.Links(&doc) {
			links++
		}
		sum += time.Since(began)
	}
	t.Logf("%d pages have %d links", len(names), links)
	return sum
}
