package warc

import (
	"math/bits"
	"sync"
)

// A large record stays in the buffer into which it was read. Each size of buffer has its own pool.
// With one pool for all sizes, each record would occupy a buffer of the largest size.

// leastBuffer is the size of the buffers in the first pool. The buffers in each further pool are
// twice as large.
const leastBuffer = 2 * minWindow

var buffers [6]sync.Pool // of *[]byte

// buffer returns a buffer of at least size bytes.
func buffer(size int) []byte {
	k := bits.Len(uint(size-1) / leastBuffer)
	if k >= len(buffers) {
		return make([]byte, size)
	}
	if b, ok := buffers[k].Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, leastBuffer<<k)
}

// release puts a buffer back, for a later call of buffer. The caller must not use b afterwards.
func release(b []byte) {
	k := bits.Len(uint(len(b)-1) / leastBuffer)
	if k < len(buffers) && len(b) == leastBuffer<<k {
		kept := b // kept escapes to the heap instead of b, so other paths allocate nothing
		buffers[k].Put(&kept)
	}
}
