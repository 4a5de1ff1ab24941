package write

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"absolink/extract"
	"absolink/testdata/effort"
)

// appendHunks returns the diff of the two texts, if no line occurs twice. A diff of limited size is
// the beginning of the whole diff, except for the numbers of lines in its last hunk.
func TestHunks(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range effort.Pick(3000, 1500) {
		var data bytes.Buffer
		var edits []extract.Edit
		lines := random.IntN(40)
		for n := range lines {
			at := data.Len()
			if n != lines/2 { // one line is empty
				fmt.Fprintf(&data, "line %d of %d", n, i)
			}
			for from := at; random.IntN(6) == 0 && from < data.Len(); {
				start := from + random.IntN(data.Len()-from+1)
				end := start + random.IntN(data.Len()-start+1)
				if len(edits) > 0 && start < edits[len(edits)-1].End {
					break
				}
				text := fmt.Sprintf("<%d>", len(edits))
				if random.IntN(9) == 0 {
					text += "\nand " + text
				}
				edits = append(edits, extract.Edit{Span: extract.Span{Start: start, End: end}, New: []byte(text)})
				from = end + 1
			}
			if n+1 < lines || random.IntN(2) == 0 {
				data.WriteByte('\n')
			}
		}
		if random.IntN(9) == 0 && len(edits) > 0 { // an edit that changes nothing
			e := &edits[random.IntN(len(edits))]
			e.New = slices.Clone(data.Bytes()[e.Start:e.End])
		}
		is := extract.Apply(nil, data.Bytes(), edits)
		want := string(diff.Diff("f", data.Bytes(), "f (absolute)", is))
		got := string(appendHunks(nil, "f", data.Bytes(), edits, 1<<20))
		if got != want {
			t.Fatalf("of %q with %q: got\n%s\nwant\n%s", data.String(), is, got, want)
		}
		size := random.IntN(len(want) + 2)
		short := string(appendHunks([]byte("before"), "f", data.Bytes(), edits, size))
		short = strings.TrimPrefix(short, "before")
		if len(short) > size+200 || len(short) < min(size, len(want)) ||
			!strings.HasPrefix(want, short[:min(len(short), size)]) {
			t.Fatalf("%d bytes of %q with %q: got\n%s\nwant the beginning of\n%s", size, data.String(), is, short, want)
		}
	}
}

// Without an edit that changes the text there is no diff.
func TestHunksOfNothing(t *testing.T) {
	same := []extract.Edit{{Span: extract.Span{Start: 1, End: 2}, New: []byte("b")}}
	for _, edits := range [][]extract.Edit{nil, same} {
		if got := string(appendHunks([]byte("before"), "f", []byte("abc"), edits, 100)); got != "before" {
			t.Errorf("appendHunks of %v: got %q, want nothing appended", edits, got)
		}
	}
}

// A long line needs no more memory than its shown part.
func TestHunksOfLongLine(t *testing.T) {
	const long = 1 << 20
	data := bytes.Repeat([]byte("<a href=x>"), long/10)
	var edits []extract.Edit
	for at := 8; len(edits) < 1000; at += 10 {
		edits = append(edits, extract.Edit{Span: extract.Span{Start: at, End: at + 1}, New: []byte("http://e.test/x")})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	appendHunks(nil, "f", data, edits, 1000)
	runtime.ReadMemStats(&after)
	allocations, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	if allocations > 100 || size > 100<<10 {
		t.Errorf("%d allocations of %d bytes, want less than 100 KB", allocations, size)
	}
	data = append(bytes.Repeat([]byte("same\n"), 1000), data...)
	edits = []extract.Edit{{Span: extract.Span{Start: 5008, End: 5009}, New: bytes.Repeat([]byte("y"), 100)}}
	got := string(appendHunks(nil, "f", data, edits, 10<<20))
	if want := "+<a href=" + strings.Repeat("y", 100) + "><a href"; !strings.Contains(got,
		"@@ -998,4 +998,4 @@\n same\n") || !strings.Contains(got, want) {
		t.Errorf("got %.300q, want a hunk in line 998 with %q", got, want)
	}
}
