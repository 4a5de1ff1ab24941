package run

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// memory bounds what the process takes while the items of a large container are worked on, or URLs
// are retrieved: what large ones leave would double it. Where much is in use for other reasons,
// such as the URIs that --unique has seen, the bound is half as much again: close to what is in
// use, the garbage collector would run all the time. A bound of the user (GOMEMLIMIT) stays.
type memory struct {
	least, bound int64
	live         [1]metrics.Sample
}

// The bound where little is in use. In it are what every run takes and what each goroutine keeps.
const (
	memoryOfRun = 24 << 20
	memoryOfJob = 8 << 20
)

// boundMemory returns a bound for jobs goroutines that together hold so many bytes more. It returns
// nil, for which all methods do nothing, where there is a bound already.
func boundMemory(jobs int, held int64) *memory {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	m := &memory{least: memoryOfRun + int64(jobs)*memoryOfJob + held}
	m.live[0].Name = "/gc/heap/live:bytes"
	m.follow()
	return m
}

// follow sets the bound by what is in use now.
func (m *memory) follow() {
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

// end takes the bound away.
func (m *memory) end() {
	if m != nil {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
