package warc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// noise returns n bytes of printable text that compresses badly.
func noise(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(' ' + random.IntN(90))
	}
	return string(b)
}

// joined writes the texts one after the other.
func joined(texts ...string) string { return strings.Join(texts, "") }

// cost reads an archive. It returns the number of records, and the number of bytes that were read.
func cost(t *testing.T, data string, o Options) (records int, size int64) {
	t.Helper()
	in := &countingReader{r: strings.NewReader(data)}
	for rec, err := range recordsOf(in, o) {
		if err != nil || len(rec.Defects) > 0 {
			t.Fatalf("%+v: Next: got %v, %v", o, rec.Defects, err)
		}
		records++
		rec.Release()
	}
	return records, in.n.Load()
}

// A Reader of a range reads few bytes of the file outside of the range. In a plain archive these
// are the headers of the records before the range, with a window each. In a compressed archive they
// are the members that prove the start, or the headers of the frames before the range.
func TestCost(t *testing.T) {
	const records, at, size = 16, 8, 150_000
	const window, gzipBuffer, zstdBuffer = minWindow, readBuffer, 4 * readBuffer
	page := noise(size)
	var warcs, arcs []string
	for i := range records {
		warcs = append(warcs, numbered(i, page))
		arcs = append(arcs, arcRecord(fmt.Sprintf("http://a/%d", i), "text/html", arcPage(page)))
	}
	for _, kind := range []struct {
		name  string
		parts []string
		pack  func(...string) string
		// the largest numbers of bytes outside of the range: to find its first record, and for each
		// record before the range
		search, skip int64
		empty        int64 // the same for a range without a record
		known        int64 // the same if the first record of the range is known
		indexed      int64 // the same with Options.Indexed
	}{
		{"plain", warcs, joined, window, 5 * window / 4, 11 * window, 2 * window, 2 * window},
		{"gzip", warcs, gz, maxStored + size + 3*gzipBuffer, 0, 3 * gzipBuffer, 2 * gzipBuffer, 1100},
		{"zstd", warcs, zst, 3 * zstdBuffer, 100, zstdBuffer + 1000, 9 * gzipBuffer, 18 * 16 << 10},
		{"plain ARC", arcs, joined, window, 3 * window / 2, 12 * window, 2 * window, 2 * window},
		{"ARC of members", arcs, gz, maxStored + size + 2*gzipBuffer, 0, 2 * gzipBuffer, 2 * gzipBuffer, 1100},
	} {
		var starts []int64
		var b strings.Builder
		for _, p := range kind.parts {
			starts = append(starts, int64(b.Len()))
			b.WriteString(kind.pack(p))
		}
		data := b.String()
		start, end := starts[at], starts[at+1]
		inside, rest := end-start, int64(len(data))-start
		for _, tt := range []struct {
			o       Options
			records int
			most    int64
		}{
			{Options{}, records, int64(len(data)) + 2*maxLine},
			{Options{Start: start - 9, End: end}, 1, inside + kind.search + at*kind.skip},
			{Options{Start: start + 9, End: start + 10}, 0, kind.empty},
			{Options{Start: start, End: end, KnownRecord: starts[at-1]}, 1, inside + kind.search + kind.skip},
			{Options{Start: start, End: end, KnownRecord: start}, 1, inside + kind.known},
			{Options{Start: start, End: end, Aligned: true}, 1, inside + kind.known},
			{Options{Start: start, End: end, Indexed: true}, 1, inside + kind.indexed},
			{Options{Start: start, Aligned: true}, records - at, rest + kind.known},
		} {
			n, read := cost(t, data, tt.o)
			if n != tt.records || read > tt.most {
				t.Errorf("%s, %+v: got %d records from %d bytes, want %d from at most %d",
					kind.name, tt.o, n, read, tt.records, tt.most)
			}
		}
	}
}

// After a wrong length above the limit, a Reader of a plain file does not read the bytes of the
// length: the next record begins in them.
func TestWrongLengthCost(t *testing.T) {
	claimed := strings.Replace(numbered(1, "<a href=1>"), "Content-Length: ", "Content-Length: 9999", 1)
	data := claimed + numbered(2, "<a href=2>") + strings.Repeat("z", 2<<20)
	in := &countingReader{r: strings.NewReader(data)}
	r := NewReader(in, Options{Limit: 700})
	for n := 1; n <= 2; n++ {
		rec, err := r.Next()
		if err != nil || rec.TargetURI != fmt.Sprintf("http://a/%d", n) {
			t.Fatalf("record %d: got %+v, %v", n, rec, err)
		}
		if read := in.n.Load(); n == 1 && read > 5*minWindow {
			t.Errorf("%d bytes were read, want at most %d", read, 5*minWindow)
		}
	}
}

// Goroutines that read ahead read each byte of the file a few times, even if a record spans many
// ranges.
func TestAheadCost(t *testing.T) {
	page := noise(150_000)
	one, large := gz(numbered(1, page)), gz(numbered(2, strings.Repeat(page, 20)))
	for _, data := range []string{strings.Repeat(one, 16), one + large + one, large + one + one, large + large + one} {
		_, read := cost(t, data, Options{Ahead: 2})
		if most := 5 * int64(len(data)); read > most {
			t.Errorf("%d bytes were read of an archive of %d bytes, want at most %d", read, len(data), most)
		}
	}
}
