package run

import (
	"context"
	"sync"
)

// room bounds how many bytes are on their way. One that is larger than all of it
// goes alone.
type room struct {
	most int64
	mu   sync.Mutex
	free sync.Cond // of mu
	used int64
}

func newRoom(most int64) *room {
	r := &room{most: most}
	r.free.L = &r.mu
	return r
}

// try takes room for n bytes if there is some.
func (r *room) try(n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used > 0 && r.used+n > r.most {
		return false
	}
	r.used += n
	return true
}

// take waits until there is room for n bytes. It reports false if ctx ends before.
func (r *room) take(ctx context.Context, n int64) bool {
	stop := context.AfterFunc(ctx, func() { r.mu.Lock(); r.free.Broadcast(); r.mu.Unlock() })
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.used > 0 && r.used+n > r.most {
		if ctx.Err() != nil {
			return false
		}
		r.free.Wait()
	}
	r.used += n
	return true
}

func (r *room) give(n int64) {
	r.mu.Lock()
	r.used -= n
	r.free.Signal()
	r.mu.Unlock()
}
