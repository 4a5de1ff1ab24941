package batch

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// Memory bounds the memory of the process while the items of a large container are read, or URLs
// are retrieved. Without a bound the garbage of large items would double the memory. If much memory
// is in use for other reasons, such as the URIs that --unique has seen, the bound is 1.5 times the
// memory in use. With a closer bound the garbage collector would run all the time. A bound that the
// user has set (GOMEMLIMIT) stays. The methods of a nil Memory do nothing.
//
// While a container is read, the garbage collector also runs less often below the bound. By default
// it would run each time the memory in use has doubled, which is only a few MB.
type Memory struct {
	minimum, bound int64 // in bytes
	percent        int   // GOGC before the bound; 0 if it was not changed
	live           [1]metrics.Sample
}

const (
	usualPercent = 100 // GOGC by default
	lazyPercent  = 400 // GOGC while a container is read
)

// The bound while little memory is in use is the sum of these: bytes for a run, and for each of its
// goroutines.
const (
	memoryOfRun = 24 << 20
	memoryOfJob = 8 << 20
)

// BoundMemory sets a bound for a run with jobs goroutines. besides is the number of bytes that the
// run holds in addition. BoundMemory returns nil if the process already has a bound.
func BoundMemory(jobs int, besides int64) *Memory {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	m := &Memory{minimum: memoryOfRun + int64(jobs)*memoryOfJob + besides}
	m.live[0].Name = "/gc/heap/live:bytes"
	m.Adapt()
	if besides == 0 && os.Getenv("GOGC") == "" { // otherwise the bound is far above the memory in use
		m.percent = replacePercent(usualPercent, lazyPercent)
	}
	return m
}

// replacePercent sets GOGC to percent if it is old, and returns old. Another value stays, because
// the user has set it, or another part of the program for a reason of its own; then replacePercent
// returns 0.
func replacePercent(old, percent int) int {
	if before := debug.SetGCPercent(percent); before != old {
		debug.SetGCPercent(before)
		return 0
	}
	return old
}

// Adapt adapts the bound to the memory that is in use now.
func (m *Memory) Adapt() {
	if m == nil {
		return
	}
	metrics.Read(m.live[:])
	bound := m.minimum
	if v := m.live[0].Value; v.Kind() == metrics.KindUint64 {
		bound = max(bound, memoryOfRun/2+int64(v.Uint64())/2*3)
	}
	if bound != m.bound {
		m.bound = bound
		debug.SetMemoryLimit(bound)
	}
}

// Remove removes the bound.
func (m *Memory) Remove() {
	if m == nil {
		return
	}
	if m.percent != 0 {
		replacePercent(lazyPercent, m.percent)
	}
	debug.SetMemoryLimit(math.MaxInt64)
}
