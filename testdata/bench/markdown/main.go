// Command markdown measures absolink and goldmark on the same documents of Markdown in the same
// run, and prints a table for the README:
//
//	go run ./testdata/bench/markdown [-rounds N] FILE...
//
// Each contender is a process that reads all files and then works through them a number of times.
// The result is its processor time, minus the processor time of a process that does not work
// through them. Contenders take turns, and the table has the medians of their rounds.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"absolink/base"
	"absolink/extract"
	_ "absolink/extract/markdown"
)

var (
	doc      = &extract.Doc{}
	resolver extract.Resolver
	layer    = &base.Layer{Source: base.URL, Value: "http://example.com/dir/README.md"}
	github   = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	edits    []extract.Edit
	output   []byte
)

// works are the contenders. All others are compared with the first.
var works = []struct {
	name string
	do   func(document []byte)
}{
	{"goldmark, parse", func(d []byte) { github.Parser().Parse(text.NewReader(d)) }},
	{"absolink, extract + resolve", func(d []byte) {
		open(d)
		for range resolver.Links(doc) {
		}
	}},
	{"absolink, rewrite", func(d []byte) {
		open(d)
		edits = resolver.Edits(edits[:0], doc)
		output = extract.Apply(output[:0], d, edits)
	}},
}

// open makes d the document.
func open(d []byte) {
	doc.Reset()
	doc.Format, doc.Data, doc.Layer = extract.Markdown, d, layer
}

func main() {
	rounds := flag.Int("rounds", 5, "measurements of each contender")
	passes := flag.Int("passes", 10, "how often a contender works through the files")
	work := flag.Int("work", -1, "number of the contender to be")
	flag.Parse()
	if *work >= 0 {
		contend(*work, *passes, flag.Args())
		return
	}
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "markdown: name files of Markdown")
		os.Exit(2)
	}
	compare(*rounds, *passes, flag.Args())
}

// contend works through the files.
func contend(work, passes int, names []string) {
	var documents [][]byte
	for _, name := range names {
		documents = append(documents, must(os.ReadFile(name)))
	}
	for range passes {
		for _, d := range documents {
			works[work].do(d)
		}
	}
}

// compare measures all contenders and prints the table.
func compare(rounds, passes int, names []string) {
	var size int64
	for _, name := range names {
		size += must(os.Stat(name)).Size()
	}
	times := make([][]time.Duration, len(works))
	for range rounds {
		for i := range works {
			times[i] = append(times[i], processorTime(i, passes, names)-processorTime(i, 0, names))
		}
	}
	fmt.Printf("%d documents, %.1f MB\n\n", len(names), float64(size)/1e6)
	fmt.Print("| | MB/s | × goldmark's time |\n|---|---|---|\n")
	first := median(times[0])
	for i, w := range works {
		m := median(times[i])
		speed := float64(size) * float64(passes) / 1e6 / m.Seconds()
		fmt.Printf("| %s | %.1f | %.2f |\n", w.name, speed, m.Seconds()/first.Seconds())
	}
}

// processorTime returns the processor time of a contender in its own process.
func processorTime(work, passes int, names []string) time.Duration {
	args := []string{"-work", strconv.Itoa(work), "-passes", strconv.Itoa(passes)}
	c := exec.Command(must(os.Executable()), append(args, names...)...)
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "markdown:", err)
		os.Exit(1)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

func median(list []time.Duration) time.Duration {
	slices.SortFunc(list, func(a, b time.Duration) int { return cmp.Compare(a, b) })
	return list[len(list)/2]
}

// must returns v, and ends the program if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "markdown:", err)
		os.Exit(1)
	}
	return v
}
