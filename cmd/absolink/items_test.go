package main

import (
	"runtime"
	"testing"
)

// A run within another program leaves no memory of its own behind.
func TestRunsKeepNoMemory(t *testing.T) {
	inUse := func() uint64 {
		runtime.GC()
		runtime.GC() // pools keep what they have for two of its cycles
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
		t.Errorf("64 runs over a mailbox of %d bytes: got %d bytes in use after them, %d before, want at most 1 MiB more", len(box), after, before)
	}
}
