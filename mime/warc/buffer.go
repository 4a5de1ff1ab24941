package warc

import (
	"math/bits"
	"sync"
)

// A large record stays in the buffer into which it was read. Buffers are pooled by size. Otherwise
// each record would occupy a buffer of the largest size.

// leastBuffer is the size of the smallest buffer. Each further pool has buffers of twice the size.
const leastBuffer = 2 * minWindow

var buffers [6]sync.Pool // of *[]byte

// buffer returns a buffer of at least this size.
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

// release keeps a buffer for the next call of buffer.
func release(b []byte) {
	if len(b) == 0 {
		return
	}
	k := bits.Len(uint(len(b)-1) / leastBuffer)
	if k < len(buffers) && len(b) == leastBuffer<<k {
		kept := b // a copy, so that a buffer that is not kept causes no allocation
		buffers[k].Put(&kept)
	}
}
