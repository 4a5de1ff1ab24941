package container

import (
	"context"
	"io"
	"iter"
	"slices"
	"testing"

	"golang.org/x/sync/semaphore"
)

// sized is an item that only holds memory.
type sized struct {
	Item
	size     int64
	released *int
}

func (i sized) Held() int64 { return i.size }
func (i sized) Release()    { *i.released++ }

// sizes yields items of these sizes.
type sizes struct {
	left     []int64
	released int
}

func (s *sizes) Next() (Item, error) {
	if len(s.left) == 0 {
		return nil, io.EOF
	}
	item := sized{size: s.left[0], released: &s.released}
	s.left = s.left[1:]
	return item, nil
}

// A bundle is full with bundleSize bytes or maxBundleItems items, whichever comes first. It has the
// share of the semaphore that its bytes need.
func TestBundles(t *testing.T) {
	for _, tt := range []struct {
		size   int64
		items  int
		want   []int // the number of items of each bundle
		weight int64 // of the first bundle
	}{
		{1, 0, nil, 0},
		{1, 1, []int{1}, 1},
		{1, 2*maxBundleItems + 3, []int{maxBundleItems, maxBundleItems, 3}, maxBundleItems},
		{0, maxBundleItems + 1, []int{maxBundleItems, 1}, 0},
		{bundleSize / 4, 10, []int{4, 4, 2}, bundleSize},
		{bundleSize - 1, 3, []int{2, 1}, 2 * (bundleSize - 1)},
		{bundleSize, 3, []int{1, 1, 1}, bundleSize},
		{maxInFlight, 2, []int{1, 1}, maxInFlight},
		{2 * maxInFlight, 2, []int{1, 1}, maxInFlight},
	} {
		w := &walk{items: &sizes{left: slices.Repeat([]int64{tt.size}, tt.items)}}
		inFlight := semaphore.NewWeighted(maxInFlight)
		var err error
		var got []int
		for b := range w.bundles(t.Context(), inFlight, &err) {
			if b.size != tt.size*int64(len(b.items)) || len(got) == 0 && b.weight != tt.weight {
				t.Errorf("%d items of %d bytes: a bundle of %d items has size %d and weight %d, want the weight %d",
					tt.items, tt.size, len(b.items), b.size, b.weight, tt.weight)
			}
			inFlight.Release(b.weight)
			got = append(got, len(b.items))
		}
		if !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("%d items of %d bytes: bundles of %v, error %v, want %v", tt.items, tt.size, got, err, tt.want)
		}
		if !inFlight.TryAcquire(maxInFlight) {
			t.Errorf("%d items of %d bytes: a part of the semaphore is still taken", tt.items, tt.size)
		}
	}
}

// An item waits until it fits into maxInFlight bytes with the items in flight. If it must wait, the
// items before it are yielded first. An item that is not worked on is released.
func TestBundlesWait(t *testing.T) {
	const some = bundleSize / 2
	for _, tt := range []struct {
		sizes []int64 // the last item has to wait
		want  int     // bundles before it
	}{
		{[]int64{maxInFlight, 1}, 1},
		{[]int64{1, maxInFlight}, 1},
		{[]int64{maxInFlight - some, some, 1}, 2},
		{[]int64{maxInFlight - some, some - 1, 2}, 2},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that waiting fails
		items := &sizes{left: tt.sizes}
		w := &walk{items: items}
		var err error
		next, stop := iter.Pull(w.bundles(ctx, semaphore.NewWeighted(maxInFlight), &err))
		got := 0
		for _, ok := next(); ok; _, ok = next() {
			got++
		}
		stop()
		if got != tt.want || items.released != 1 || len(items.left) > 0 || err != nil {
			t.Errorf("items of %d bytes: %d bundles, %d items released, %d left, error %v, want %d bundles",
				tt.sizes, got, items.released, len(items.left), err, tt.want)
		}
	}
}
