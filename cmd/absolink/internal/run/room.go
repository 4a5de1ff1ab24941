package run

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// room limits the total size of the inputs in progress. The zero value has no limit.
type room struct{ semaphore *semaphore.Weighted }

// largestShare is the largest number of bytes that one input takes of a room, even if the input is
// larger.
const largestShare = 64 << 20

// newRoom returns a room for n inputs of any size, or for more inputs if they are small.
func newRoom(n int) room { return room{semaphore.NewWeighted(int64(n) * largestShare)} }

// enter waits until the room has space for an input of size bytes, or until ctx is done. The caller
// must call leave after the work on the input.
func (r room) enter(ctx context.Context, size int64) (leave func()) {
	share := min(size, largestShare)
	if r.semaphore == nil || r.semaphore.Acquire(ctx, share) != nil {
		return func() {}
	}
	return func() { r.semaphore.Release(share) }
}
