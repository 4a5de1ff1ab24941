//go:build !race

package warc

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
	"absolink/testdata/alloc"
)

// The memory of records is reused: only a WARC-Target-URI is allocated. With the race detector, a
// sync.Pool drops some of its items.
func TestReadAllocatesTargetsAlone(t *testing.T) {
	const records = 400
	data := strings.Repeat(rec("response", "WARC-Target-URI: http://a.example/\n", "one")+rec("metadata", "", "two"),
		records)
	n := alloc.PerRun(3, func() {
		var rec Record
		for rd := NewReader(strings.NewReader(data), Options{}); rd.Read(&rec) == nil; {
			rec.Release()
		}
	})
	if n > 1.2*records {
		t.Errorf("%v allocations for %d records of which half have a target", n, 2*records)
	}
}

// A Reader that is Reset reuses all memory, whatever the size of the records and of their headers.
func TestResetReusesMemory(t *testing.T) {
	const records = 20
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pools
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // each processor has pools of its own
	for name, record := range map[string]string{
		"small":            response("http://a/", "x"),
		"of a window":      response("http://a/", strings.Repeat("x", minWindow/2)),
		"large":            response("http://a/", strings.Repeat("x", 3*minWindow)),
		"of several sizes": response("http://a/", strings.Repeat("x", 9*minWindow)) + response("http://a/", "x"),
		"with many fields": rec("resource", strings.Repeat("X: y\n", 2000), "x"),
	} {
		for kind, data := range map[string]string{"plain": strings.Repeat(record, records),
			"gzip": strings.Repeat(gz(record), records)} {
			var r Reader
			read := func() {
				r.Reset(strings.NewReader(data), Options{})
				for rec, err := range r.All() {
					if err != nil {
						t.Fatal(err)
					}
					rec.Message(httpmsg.Options{})
					rec.Release()
				}
			}
			read()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read()
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > minWindow {
				t.Errorf("%s, %s: %d bytes were allocated for %d records", kind, name, n, records)
			}
		}
	}
}
