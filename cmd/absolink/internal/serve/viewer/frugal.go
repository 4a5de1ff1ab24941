package viewer

import (
	"runtime/debug"
	"sync"
)

// Making a page reads up to millions of references, and the URI of each becomes garbage. By
// default, garbage may take as much memory as the data in use. While pages are made, it may take
// only a third of that.

const frugalPercent = 30

// frugal lowers the limit of garbage while pages are made.
type frugal struct {
	mu    sync.Mutex
	pages int // number of pages that are being made
	usual int // the percentage of the garbage collector while no page is made
}

func (f *frugal) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages++
	if f.pages == 1 {
		f.usual = debug.SetGCPercent(frugalPercent)
		if f.usual >= 0 && f.usual < frugalPercent {
			debug.SetGCPercent(f.usual)
		}
	}
}

func (f *frugal) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages--
	if f.pages == 0 {
		debug.SetGCPercent(f.usual)
	}
}
