package warc

import (
	"io"
	"strings"
	"sync"
	"testing"

	"absolink/testdata/effort"
)

// A large record is in a buffer of about its size, whatever was read before it.
func TestBuffer(t *testing.T) {
	records := effort.Pick(60, 8)
	var all strings.Builder
	for i := range records {
		all.WriteString(response("http://a.test/", strings.Repeat("x", 100<<10+i%7*effort.Pick(400, 100)<<10)))
	}
	for _, text := range []string{all.String(), gz(all.String())} {
		r := NewReader(strings.NewReader(text), Options{})
		for n := 0; ; n++ {
			rec, err := r.Next()
			if err == io.EOF {
				if n != records {
					t.Errorf("got %d records, want %d", n, records)
				}
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if size := len(rec.memory.large); size > 4*len(rec.Data) {
				t.Errorf("record %d of %d bytes lies in %d bytes", n, len(rec.Data), size)
			}
			if n%3 > 0 {
				rec.Release()
			}
		}
	}
	buffers = [len(buffers)]sync.Pool{} // all buffers below are new
	for _, size := range []int{1, leastBuffer - 1, leastBuffer, leastBuffer + 1, 2*leastBuffer + 1, 1 << 20,
		4 << 20, 4<<20 + 1, effort.Pick(70<<20, 5<<20)} {
		b := buffer(size)
		if len(b) < size || size <= 4<<20 && len(b) >= max(2*size, 2*leastBuffer) {
			t.Errorf("buffer(%d): got %d bytes", size, len(b))
		}
		kept := false
		tries := 20 // under the race detector a pool loses some values at random
		if size > 4<<20 {
			tries = 1
		}
		for range tries {
			release(b)
			again := buffer(size)
			if len(again) < size {
				t.Errorf("buffer(%d) after release: got %d bytes", size, len(again))
			}
			kept = kept || &again[0] == &b[0]
			b = again
		}
		if want := size <= 4<<20; kept != want {
			t.Errorf("buffer(%d) after release: the same bytes %v, want %v", size, kept, want)
		}
	}
}
