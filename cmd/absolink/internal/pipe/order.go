package pipe

import "sync"

// readAhead limits the memory of the frames, in bytes. While they take more, no further frame is
// read.
const readAhead = 64 << 20

// order makes each answer wait for its turn, and limits the memory of the frames. An answer has its
// turn when the answers to all earlier frames are written.
type order struct {
	mu      sync.Mutex
	changed sync.Cond
	written int   // number of answers that are written
	memory  int64 // size of the frames in memory, in bytes
}

// await waits until the answer to frame n has its turn.
func (o *order) await(n int) {
	o.mu.Lock()
	for o.written < n-1 {
		o.changed.Wait()
	}
	o.mu.Unlock()
}

// hasTurn reports whether the answer to frame n has its turn.
func (o *order) hasTurn(n int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written == n-1
}

// done notes that the answer to frame n is written, and that the size bytes of its content are no
// longer needed.
func (o *order) done(n int, size int64) {
	o.mu.Lock()
	o.written = n
	o.memory -= size
	o.mu.Unlock()
	o.changed.Broadcast()
}

// reserve waits until a frame with n bytes of content may be read, and adds them to the memory of
// the frames.
func (o *order) reserve(n int64) {
	o.mu.Lock()
	for o.memory > readAhead {
		o.changed.Wait()
	}
	o.memory += n
	o.mu.Unlock()
}
