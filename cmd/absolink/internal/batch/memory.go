package batch

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Memory bounds the memory of the process while the items of a large container are worked on, or
// URLs are retrieved: the garbage of large ones would double it. If much is in use for other
// reasons, such as the URIs that --unique has seen, the bound is half as much again: close to what
// is in use, the garbage collector would run all the time. A bound of the user (GOMEMLIMIT) stays.
// The methods of a nil Memory do nothing.
type Memory struct {
	least, bound int64
	live         [1]metrics.Sample
}

// The bound if little is in use: the memory of a run, and the memory that each goroutine keeps.
const (
	memoryOfRun = 24 << 20
	memoryOfJob = 8 << 20
)

// BoundMemory sets a bound for jobs goroutines that together hold so many bytes more. It returns
// nil if there is a bound already.
func BoundMemory(jobs int, held int64) *Memory {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	m := &Memory{least: memoryOfRun + int64(jobs)*memoryOfJob + held}
	m.live[0].Name = "/gc/heap/live:bytes"
	m.Follow()
	return m
}

// Follow sets the bound by the memory that is in use now.
func (m *Memory) Follow() {
	if m == nil {
		return
	}
	metrics.Read(m.live[:])
	bound := m.least
	if v := m.live[0].Value; v.Kind() == metrics.KindUint64 {
		bound = max(bound, memoryOfRun/2+int64(v.Uint64())/2*3)
	}
	if bound != m.bound {
		m.bound = bound
		debug.SetMemoryLimit(bound)
	}
}

// End removes the bound.
func (m *Memory) End() {
	if m != nil {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
