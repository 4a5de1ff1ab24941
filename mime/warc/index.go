package warc

import (
	"slices"
	"sync"
)

// Index caches the offsets of records for several Readers of ranges of one file. Its zero value is
// empty. It is safe for concurrent use.
type Index struct {
	mu     sync.Mutex
	starts []int64 // sorted
}

// before returns the last known start of a record up to an offset, or 0.
func (x *Index) before(off int64) int64 {
	if x == nil {
		return 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	i, found := slices.BinarySearch(x.starts, off)
	switch {
	case found:
		return off
	case i == 0:
		return 0
	}
	return x.starts[i-1]
}

// add adds the offset of a record.
func (x *Index) add(off int64) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if i, found := slices.BinarySearch(x.starts, off); !found {
		x.starts = slices.Insert(x.starts, i, off)
	}
}
