package batch

import "sync"

// Pool keeps values such as workers, to use them again. A value that was taken belongs to its taker
// until Put.
type Pool[T any] struct {
	New func() T // returns a new value; must be set

	// Single says that only one goroutine uses the pool. Then its values outlive garbage
	// collections. Otherwise a Pool is safe for concurrent use.
	Single bool

	shared sync.Pool
	single []T
}

// Take returns a free value, or a new value if all are in use.
func (p *Pool[T]) Take() T {
	if n := len(p.single) - 1; n >= 0 {
		v := p.single[n]
		p.single = p.single[:n]
		return v
	}
	if v, ok := p.shared.Get().(T); ok {
		return v
	}
	return p.New()
}

// Put gives a value back to the pool. Do not give back a value whose use has panicked: its state is
// unknown.
func (p *Pool[T]) Put(v T) {
	if p.Single {
		p.single = append(p.single, v)
		return
	}
	p.shared.Put(v)
}
