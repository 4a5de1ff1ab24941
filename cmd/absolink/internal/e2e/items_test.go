//go:build unix

package e2e

import (
	"runtime"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// A run within another program keeps no memory afterwards.
func TestRunsKeepNoMemory(t *testing.T) {
	inUse := func() uint64 {
		runtime.GC()
		runtime.GC() // pools keep their items for two of its cycles
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	box := letters(3, relative)
	runs(t, box, "extract", "--type", "mbox", "--base", "http://example.test/")
	before := inUse()
	for range 64 {
		runs(t, box, "extract", "--type", "mbox", "--base", "http://example.test/")
	}
	if after := inUse(); after > before+1<<20 {
		t.Errorf("64 runs over a mailbox of %d bytes: got %d bytes in use after them, %d before, want at most 1 MiB "+
			"more", len(box), after, before)
	}
}

// A listing allocates no memory for each link. If a page is ten times as long, only its lines take
// more memory.
func TestLinksTakeNoMemory(t *testing.T) {
	effort.Only(t)
	allocations := func(links int) uint64 {
		page := "<!doctype html>" + strings.Repeat("<a href=x>", links)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runs(t, page, "extract", "--base", "http://example.test/", "--format", "jsonl", "--jobs", "1")
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	few, many := allocations(1_000), allocations(100_000)
	if many > few+20_000 {
		t.Errorf("99,000 links more: got %d allocations more, want at most 20,000", many-few)
	}
}
