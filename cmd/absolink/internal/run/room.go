package run

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// room bounds the bytes of the inputs that are worked on at once. The zero value has no bound.
type room struct{ semaphore *semaphore.Weighted }

// largestShare is the largest number of bytes for which an input counts. A larger input counts as
// this many bytes.
const largestShare = 64 << 20

// newRoom returns room for n inputs of any size, or for more small inputs.
func newRoom(n int) room { return room{semaphore.NewWeighted(int64(n) * largestShare)} }

// enter waits until there is room for an input of size bytes, or until ctx is done. The caller must
// call leave when the work on the input is done.
func (r room) enter(ctx context.Context, size int64) (leave func()) {
	share := min(size, largestShare)
	if r.semaphore == nil || r.semaphore.Acquire(ctx, share) != nil {
		return func() {}
	}
	return func() { r.semaphore.Release(share) }
}
