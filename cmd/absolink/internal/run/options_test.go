package run

import (
	"runtime"
	"testing"
)

// URLs of a list wait for servers, and files in place wait for the disk. More of them are in work
// than there are processors.
func TestAtOnce(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	for _, tt := range []struct {
		jobs          int
		urls          string
		inPlace       bool
		items, inputs int
	}{{0, "", false, all, all}, {0, "u", false, all, max(all, 16)}, {0, "", true, all, max(all, 16)},
		{1, "", false, 1, 1}, {1, "", true, 1, 1}, {3, "u", false, 3, 3}, {5000, "", false, 1024, 1024}} {
		o := &Options{Jobs: tt.jobs, InPlace: tt.inPlace}
		o.Inputs.URLs = tt.urls
		if o.itemsAtOnce() != tt.items || o.inputsAtOnce() != tt.inputs || o.containerOptions().Jobs != tt.items {
			t.Errorf("with %d jobs and the list %q: got %d items and %d inputs, want %d and %d",
				tt.jobs, tt.urls, o.itemsAtOnce(), o.inputsAtOnce(), tt.items, tt.inputs)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2000))
	if got := new(Options).itemsAtOnce(); got != 1024 {
		t.Errorf("with 2000 processors: got %d items, want 1024", got)
	}
	for workers, want := range map[int]int{0: 32, 1: 32, 2: 16, 8: 4, 1000: 4} {
		if got := filesPerWorker(workers); got != want {
			t.Errorf("filesPerWorker(%d): got %d, want %d", workers, got, want)
		}
	}
}
