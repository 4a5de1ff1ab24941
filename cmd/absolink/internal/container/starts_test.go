package container

import (
	"math/rand"
	"slices"
	"testing"
)

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
