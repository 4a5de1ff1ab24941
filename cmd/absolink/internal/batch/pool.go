package batch

import "sync"

// Pool keeps values from one use to the next, such as workers. Only one goroutine at a time uses a
// value.
type Pool[T any] struct {
	New func() T

	// Single says that only one goroutine uses the pool. Values then outlive garbage collections.
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

// Put gives a value back. A value whose use panicked must not be given back: its state is unknown.
func (p *Pool[T]) Put(v T) {
	if p.Single {
		p.single = append(p.single, v)
		return
	}
	p.shared.Put(v)
}
