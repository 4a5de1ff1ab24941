package batch

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Memory bounds the memory of the process while the items of a large container are read, or URLs
// are retrieved. Without a bound the garbage of large items would double the memory. If much memory
// is in use for other reasons, such as the URIs that --unique has seen, the bound is 1.5 times the
// memory in use. With a closer bound the garbage collector would run all the time. A bound that the
// user has set (GOMEMLIMIT) stays. The methods of a nil Memory do nothing.
type Memory struct {
	minimum, bound int64 // in bytes
	live           [1]metrics.Sample
}

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
	return m
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
	if m != nil {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
