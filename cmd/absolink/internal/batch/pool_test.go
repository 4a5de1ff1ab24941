package batch_test

import (
	"runtime"
	"testing"

	"absolink/cmd/absolink/internal/batch"
)

// A single pool gives back the value that was put last, also after garbage collections. It makes
// only as many values as are in use at once.
func TestSinglePool(t *testing.T) {
	made := 0
	p := batch.Pool[*int]{New: func() *int { made++; return new(int) }, Single: true}
	a, b := p.Take(), p.Take()
	p.Put(a)
	p.Put(b)
	runtime.GC()
	runtime.GC()
	if p.Take() != b || p.Take() != a || made != 2 {
		t.Errorf("Take: got other values, or %d were made, want b, then a, and 2", made)
	}
}

func TestPool(t *testing.T) {
	made := 0
	p := batch.Pool[*int]{New: func() *int { made++; return &made }}
	if a, b := p.Take(), p.Take(); a != &made || b != &made || made != 2 {
		t.Errorf("Take of an empty pool: got %p and %p, %d made, want %p twice, 2 made", a, b, made, &made)
	}
	p.Put(new(int))
	if p.Take() == nil {
		t.Error("Take: got nil")
	}
}
