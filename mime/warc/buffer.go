package warc

import (
	"math/bits"
	"sync"
)

// A large record lies in the buffer that it was read into. Buffers are kept by their size, since
// each record would else lie in one for the largest of all.

// leastBuffer is the size of the smallest buffer. Those of the next pool are twice as large.
const leastBuffer = 2 * minWindow

var buffers [6]sync.Pool // of *[]byte

// buffer returns a buffer of at least a size.
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
		kept := b // so that nothing is allocated for what is not kept
		buffers[k].Put(&kept)
	}
}
