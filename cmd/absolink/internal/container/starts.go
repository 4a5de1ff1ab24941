package container

import (
	"slices"
	"sync"
)

// starts holds known offsets at which records of one web archive begin. The readers of its units
// have found them. If a unit does not state that a record begins at its offset, the search for its
// first record begins at the last known start before the offset. The zero value is empty. It is
// safe for concurrent use.
type starts struct {
	mu      sync.Mutex
	offsets []int64 // sorted
}

// before returns the last known start at or before an offset, or 0.
func (s *starts) before(offset int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, found := slices.BinarySearch(s.offsets, offset)
	switch {
	case found:
		return offset
	case i == 0:
		return 0
	}
	return s.offsets[i-1]
}

// add adds the offset of a record.
func (s *starts) add(offset int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, found := slices.BinarySearch(s.offsets, offset); !found {
		s.offsets = slices.Insert(s.offsets, i, offset)
	}
}
