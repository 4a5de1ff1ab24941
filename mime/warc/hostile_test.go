package warc

import (
	"runtime"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// cut returns a text in pieces of one byte.
func cut(s string) []string { return strings.Split(s, "") }

// The work for members is proportional to their number, although a window may hold any number of
// them. At each of three sizes, a mark is examined and moved only a few times.
func TestManyMembers(t *testing.T) {
	var r Reader
	page := func(n int) string { return response("http://a/", "<a href=x>"+strings.Repeat("y", n)) }
	for _, kind := range []struct {
		name string
		pack func(...string) string
	}{{"gzip", gz}, {"zstd", zst}} {
		one, none := kind.pack(page(0)), kind.pack("")
		for _, tt := range []struct {
			name string
			data func(n int) string
		}{
			{"empty ones behind a record", func(n int) string { return one + strings.Repeat(none, n) }},
			{"empty ones in a record", func(n int) string {
				return kind.pack(page(0)[:50]) + strings.Repeat(none, n) + kind.pack(page(0)[50:])
			}},
			{"one a byte", func(n int) string { return kind.pack(cut(page(n))...) }},
			{"one a byte of many records",
				func(n int) string { return kind.pack(cut(strings.Repeat(page(0), 1+n/200))...) }},
			{"one a record", func(n int) string { return strings.Repeat(one, 1+n/20) }},
		} {
			for _, n := range effort.Pick([]int{1000, 4000, 16_000}, []int{1000, 4000}) {
				r.Reset(strings.NewReader(tt.data(n)), Options{})
				records := 0
				for _, err := r.Next(); err == nil; _, err = r.Next() {
					records++
				}
				if steps := r.w.marks.steps; records == 0 || steps == 0 || steps > 10*n {
					t.Errorf("%s, %s, %d: %d records, marks were looked at %d times, want at most %d",
						kind.name, tt.name, n, records, steps, 10*n)
				}
			}
		}
	}
}

// A header may claim 65,535 bytes of extra field. The search after damage must not allocate that
// much just to see whether a member begins there. A name without an end must take no time either.
// At each of three sizes, memory stays proportional.
func TestFalseHeaders(t *testing.T) {
	one := gz(response("http://a/", "<a href=x>"))
	for _, header := range []string{"\x1f\x8b\x08\x1c\xff\xff", "\x1f\x8b\x08\x08", "\x1f\x8b\x08\x04......\x10\x00"} {
		for _, size := range effort.Pick([]int{50_000, 100_000, 200_000}, []int{10_000}) {
			data := one + strings.Repeat(header, size/len(header)) + one
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := uris(t, data)
			runtime.ReadMemStats(&after)
			if want := "http://a/ http://a/"; got != want {
				t.Errorf("records around %d bytes of %q: got %q, want %q", size, header, got, want)
			}
			const start, each = 1 << 20, 20
			if n := after.TotalAlloc - before.TotalAlloc; n > uint64(start+each*size) {
				t.Errorf("%d bytes of %q: %d bytes of memory were made, want at most %d",
					size, header, n, start+each*size)
			}
		}
	}
}

// uris returns the target URIs of an archive's records.
func uris(t *testing.T, data string) string {
	t.Helper()
	var all []string
	for rec, err := range recordsOf(strings.NewReader(data), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rec.TargetURI)
	}
	return strings.Join(all, " ")
}
