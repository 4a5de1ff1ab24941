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
	"syscall"
	"testing"
	"time"
)

// Wide documents are read, resolved and rewritten in time and memory that grow with
// their size and no faster. A document of a size is held against one of a quarter of
// it, so that the speed of the machine does not matter; a step that looks twice at
// what lies behind it would make it 16 times as slow, or thousands.
var wideSize = flag.Int("wide", 5, "percentage of the full size of wide documents")

// slower is how many times as long the whole may take as its quarter: 4, and room for noise.
const slower = 10

// shortest is what the quarter is taken to last at least.
const shortest = 2 * time.Millisecond

var wides = []struct {
	name   string
	full   int // the size: elements, attributes or bytes
	make   func(n int) []byte
	links  func(n int) int // nil = as many as there are
	memory int             // bytes that are kept for a byte of the document, at most
}{
	{"a page of 60 MB", 60 << 20, widePage, nil, 4},
	{"attributes of one element", 100_000, wideAttributes, func(int) int { return 1 }, 12},
	{"links", 1_000_000, func(n int) []byte { return bytes.Repeat([]byte("<a href=x>"), n) }, func(n int) int { return n }, 30},
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
	{"nested templates", 100_000, func(n int) []byte { return []byte(strings.Repeat("<template>", n) + "<a href=x>") }, func(int) int { return 1 }, 1},
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
		part, data := tt.make(n/4), tt.make(n)
		quarter, _, _ := runWide(part)
		whole, links, kept := runWide(data)
		for range 20 {
			if whole <= slower*max(quarter, shortest) {
				break
			}
			again, _, _ := runWide(part)
			quarter = min(quarter, again)
			again, _, _ = runWide(data)
			whole = min(whole, again)
		}
		if whole > slower*max(quarter, shortest) {
			t.Errorf("%s: %d bytes take %v, a quarter of them %v: more than %d times", tt.name, len(data), whole, quarter, slower)
		}
		if tt.links != nil && links != tt.links(n) {
			t.Errorf("%s: %d links, want %d", tt.name, links, tt.links(n))
		}
		if limit := uint64(tt.memory*len(data) + 1<<20); kept > limit {
			t.Errorf("%s: %d bytes keep %d, want at most %d", tt.name, len(data), kept, limit)
		}
		t.Logf("%s: %d bytes, %d links, %v (a quarter %v), %d bytes kept", tt.name, len(data), links, whole, quarter, kept)
	}
}

// runWide lists and rewrites a document. It returns the time of the processor for the
// list without the garbage collector, the number of links and how many bytes a Doc
// keeps for it.
func runWide(data []byte) (took time.Duration, links int, kept uint64) {
	var r Resolver
	d := page("")
	d.Data = data
	before := inUse()
	percent := debug.SetGCPercent(-1)
	start := processorTime()
	for range r.Links(d) {
		links++
	}
	took = processorTime() - start
	debug.SetGCPercent(percent)
	kept = inUse() - min(before, inUse())
	Apply(nil, data, r.Edits(nil, d))
	runtime.KeepAlive(d)
	return took, links, kept
}

// processorTime returns how long the process has run, whatever else the machine does.
func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// inUse returns how many bytes are reachable.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
