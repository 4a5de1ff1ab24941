//go:build !race

package container_test

import (
	"bytes"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// The memory of the records of an archive is reused after their release.
func TestItemsReuseMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pools
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // each processor has pools of its own
	for name, content := range map[string][]byte{"a.warc": plainArchive(100), "a.warc.gz": records(500, 8000)} {
		if len(content) <= 1<<20 {
			content = bytes.Repeat(content, 1<<20/len(content)+1)
		}
		w := new(walked)
		items := 0
		l := newLoop(t, 1, w, func(_ *input.Document, _ io.Writer, _ *report.Entry) { items++ })
		l.Emit = func(*report.Entry, io.Writer) {}
		run := func() uint64 {
			in := open(t, name, content, nil)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l.List(t.Context(), in, &w.out, &w.entry)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		run()
		items = 0
		n := run()
		if n > 2<<20 {
			t.Errorf("%s: %d bytes were allocated for %d items of %d bytes", name, n, items, len(content))
		}
	}
}
