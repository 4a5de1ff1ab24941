package main

import (
	"runtime"
	"testing"
)

// A run within another program leaves no memory of its own behind.
func TestRunsKeepNoMemory(t *testing.T) {
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	box := letters(3, relative)
	runs(t, box, "extract", "--type", "mbox", "--base", "http://example.test/")
	before := inUse()
	for range 8 {
		runs(t, box, "extract", "--type", "mbox", "--base", "http://example.test/")
	}
	if after := inUse(); after > before+128<<10 {
		t.Errorf("8 runs over a mailbox of %d bytes: got %d bytes in use after them, %d before, want at most 128 KiB more", len(box), after, before)
	}
}
