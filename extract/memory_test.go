package extract

import (
	"runtime"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// The memory for a document that consists of links, with the edits of all of them, is a small
// multiple of its size.
func TestMemoryOfLinks(t *testing.T) {
	const limit = 20
	n := effort.Pick(100_000, 10_000)
	tests := []struct{ name, data string }{
		{"links", strings.Repeat("<a href=x>", n)},
		{"links of two kinds", strings.Repeat("<a href='x'><p><img src=y>", n/2)},
		{"links with references", strings.Repeat("<a href='?a&amp;b'>", n)},
		{"candidates", "<img srcset='" + strings.Repeat("x 1x, ", n) + "'>"},
	}
	for _, tt := range tests {
		d, r := webPage(tt.data), new(Resolver)
		before := heap()
		edits := r.Edits(nil, d)
		if got := heap() - before; got > limit*len(tt.data) {
			t.Errorf("%s: %d bytes of memory for a page of %d, want at most %d",
				tt.name, got, len(tt.data), limit*len(tt.data))
		}
		if len(edits) != n {
			t.Errorf("%s: %d edits, want %d", tt.name, len(edits), n)
		}
		runtime.KeepAlive(d)
		runtime.KeepAlive(edits)
	}
}

// heap returns the number of bytes in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
