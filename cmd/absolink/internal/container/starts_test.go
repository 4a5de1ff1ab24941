package container

import (
	"math/rand"
	"runtime"
	"slices"
	"testing"

	"absolink/cmd/absolink/internal/input"
)

// Ranges of a local archive are read ahead, on as many goroutines as there are jobs, within bounds.
// Ranges of an archive on a server are not.
func TestReadAhead(t *testing.T) {
	for _, url := range []string{"", "http://a.test/"} {
		for jobs, want := range map[int]int{0: 0, 1: 1, 5: 5, maxAhead: maxAhead,
			1 << 20: max(maxAhead, runtime.GOMAXPROCS(0))} {
			r := &records{in: &input.Document{File: input.File{URL: url}}}
			r.readAhead(jobs)
			if url != "" {
				want = 0
			}
			if r.options.Ahead != want {
				t.Errorf("URL %q, %d jobs: Ahead is %d, want %d", url, jobs, r.options.Ahead, want)
			}
		}
	}
}

// The search for a record begins at the last known start at or before an offset, in whatever order
// the starts were found.
func TestStarts(t *testing.T) {
	var s starts
	if got := s.before(100); got != 0 {
		t.Errorf("before(100) without a start: got %d, want 0", got)
	}
	r := rand.New(rand.NewSource(1))
	known := []int64{0}
	for range 200 {
		at := 1 + r.Int63n(500)
		s.add(at)
		known = append(known, at)
		offset := r.Int63n(550)
		want := int64(0)
		for _, k := range known {
			if k <= offset {
				want = max(want, k)
			}
		}
		if got := s.before(offset); got != want {
			t.Fatalf("before(%d) of %v: got %d, want %d", offset, s.offsets, got, want)
		}
	}
	if !slices.IsSorted(s.offsets) || len(slices.Compact(slices.Clone(s.offsets))) != len(s.offsets) {
		t.Errorf("the starts are %v, want each once and in order", s.offsets)
	}
}
