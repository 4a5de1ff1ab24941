package extract

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// The memory to read, resolve and rewrite a wide document grows at most in proportion to its size.
// The test compares the allocations for documents of three sizes, each twice the previous one, so
// the speed of the machine does not matter. If a step kept data about the rest of the document, its
// memory would grow faster.
var wideSize = flag.Int("wide", effort.Pick(3, 1), "percentage of the full size of wide documents")

// A document of twice the size may take moreAllocated times as many allocations and bytes, since
// lists double when they grow. A fixed number that does not depend on the size is added.
const (
	moreAllocated = 3
	slackBytes    = 1 << 19
	slackMallocs  = 500
)

var wides = []struct {
	name   string
	full   int // the size: elements, attributes or bytes
	make   func(n int) []byte
	links  func(n int) int // nil means as many as there are
	memory int             // maximum number of kept bytes per byte of the document
}{
	{"a page of 60 MB", 60 << 20, widePage, nil, 4},
	{"attributes of one element", 100_000, wideAttributes, func(int) int { return 1 }, 12},
	{"links", 1_000_000, func(n int) []byte { return bytes.Repeat([]byte("<a href=x>"), n) },
		func(n int) int { return n }, 30},
	{"links in a style sheet", 1_000_000, func(n int) []byte {
		return []byte("<style>" + strings.Repeat("url(x) ", n))
	}, func(n int) int { return n }, 45},
	{"candidates of a srcset", 1_000_000, func(n int) []byte {
		return []byte("<img srcset='" + strings.Repeat("x 1x, ", n) + "'>")
	}, func(n int) int { return n }, 45},
	{"nested elements", 100_000, func(n int) []byte {
		return []byte(strings.Repeat("<div>", n) + "<a href=x>" + strings.Repeat("</div>", n))
	}, func(int) int { return 1 }, 1},
	{"nested SVG", 100_000, func(n int) []byte {
		return []byte(strings.Repeat("<svg><desc>", n) + "<a href=x>" + strings.Repeat("</desc></svg>", n))
	}, func(int) int { return 1 }, 1},
	{"nested templates", 100_000, func(n int) []byte { return []byte(strings.Repeat("<template>", n) + "<a href=x>") },
		func(int) int { return 1 }, 1},
}

// widePage returns n bytes of the project's own pages, one after the other.
func widePage(n int) []byte {
	paths, _ := filepath.Glob(filepath.Join("..", "testdata", "pages", "*.html"))
	var pages []byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		pages = append(pages, data...)
	}
	return bytes.Repeat(pages, n/len(pages)+1)
}

// wideAttributes returns an element with n attributes of different names and a link.
func wideAttributes(n int) []byte {
	b := []byte("<a")
	for i := range n {
		b = strconv.AppendInt(append(b, " h"...), int64(i), 36)
		b = append(b, "=x"...)
	}
	return append(b, " href=y>"...)
}

func TestWide(t *testing.T) {
	for _, tt := range wides {
		n := tt.full / 100 * *wideSize
		var last wideRun
		for _, size := range effort.Pick([]int{n / 4, n / 2, n}, []int{n / 2, n}) {
			data := tt.make(size)
			got := runWide(data)
			if last.links > 0 && (got.bytes > moreAllocated*last.bytes+slackBytes ||
				got.mallocs > moreAllocated*last.mallocs+slackMallocs) {
				t.Errorf("%s: %d bytes take %+v, half of them %+v: more than %d times",
					tt.name, len(data), got, last, moreAllocated)
			}
			if tt.links != nil && got.links != tt.links(size) {
				t.Errorf("%s: %d links, want %d", tt.name, got.links, tt.links(size))
			}
			if limit := uint64(tt.memory*len(data) + 1<<20); got.kept > limit {
				t.Errorf("%s: %d bytes keep %d, want at most %d", tt.name, len(data), got.kept, limit)
			}
			t.Logf("%s: %d bytes: %+v", tt.name, len(data), got)
			last = got
		}
	}
}

// wideRun is the cost of listing and rewriting a document.
type wideRun struct {
	bytes, mallocs uint64 // that were allocated
	links          int
	kept           uint64 // bytes that a Doc keeps for it
}

// runWide lists and rewrites a document with the garbage collector off. Memory that it freed would
// have to be allocated again.
func runWide(data []byte) (w wideRun) {
	var r Resolver
	d := webPage("")
	d.Data = data
	before := inUse()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	begin := allocated()
	for range r.Links(d) {
		w.links++
	}
	end := allocated()
	w.kept = inUse() - min(before, inUse())
	w.bytes = end.TotalAlloc - begin.TotalAlloc
	w.mallocs = end.Mallocs - begin.Mallocs
	begin = allocated()
	Apply(nil, data, r.Edits(nil, d))
	end = allocated()
	w.bytes += end.TotalAlloc - begin.TotalAlloc
	w.mallocs += end.Mallocs - begin.Mallocs
	runtime.KeepAlive(d)
	return w
}

func allocated() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

// inUse returns the number of reachable bytes.
func inUse() uint64 {
	runtime.GC()
	return allocated().HeapAlloc
}
