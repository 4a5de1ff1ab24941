package mbox

import (
	"bytes"
	"io"
	"math/rand"
	"os"
	"testing"
)

// The bytes of a message come back, wherever they are held: in memory up to the bound, in the file
// of the mailbox, or in a temporary file.
func TestStore(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	const hold = 600 << 10
	box := make([]byte, 1<<20+100)
	r.Read(box)
	dir := t.TempDir()
	for _, piped := range []bool{false, true} {
		src := new(source)
		if !piped {
			src.file = bytes.NewReader(box)
		}
		s := store{src: src, maxInMemory: hold, dir: dir}
		for _, n := range []int{0, 1, 1000, pieceSize - 1, pieceSize, pieceSize + 1, 2 * pieceSize, hold - 1, hold,
			hold + 1, 100, 1 << 20, hold, 3} {
			if !s.empty() {
				t.Fatalf("piped %v: before %d bytes the store is not empty", piped, n)
			}
			at := r.Intn(len(box) - n)
			want := box[at : at+n]
			for rest := want; len(rest) > 0; {
				k := min(1+r.Intn(100<<10), len(rest))
				if err := s.add(rest[:k]); err != nil {
					t.Fatal(err)
				}
				rest = rest[k:]
			}
			if s.empty() != (n == 0) {
				t.Errorf("piped %v: with %d bytes the store is empty: %v", piped, n, s.empty())
			}
			m := &Message{Offset: int64(at), size: int64(n)}
			s.moveTo(m)
			got := m.Data
			if (m.Data != nil) != (n <= hold) || (m.file != nil) != (piped && n > hold) {
				t.Errorf("piped %v: %d bytes are in memory: %v, in a temporary file: %v",
					piped, n, m.Data != nil, m.file != nil)
			}
			if m.Data == nil {
				var err error
				if got, err = io.ReadAll(io.NewSectionReader(m.reader, 0, int64(n)+1)); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, want) {
				t.Errorf("piped %v: %d bytes come back as %d others", piped, n, len(got))
			}
			if m.file != nil {
				m.file.Close()
			}
		}
		for s.size <= hold {
			if err := s.add(box[:100<<10]); err != nil {
				t.Fatal(err)
			}
		}
		s.drop()
		if !s.empty() || s.file != nil || len(s.pieces) > 0 {
			t.Errorf("piped %v: after drop the store has %d bytes", piped, s.size)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the directory of temporary files has %v, %v, want nothing", left, err)
	}
}

// A buffer is at most a quarter larger than its message, and buffers of one pool have one size.
func TestBufferSizes(t *testing.T) {
	sizes := make(map[int]int) // of the buffers of a pool
	last := 0
	for n := 0; n < 1<<22; n += 1 + n/100 {
		k, size := sizeClass(n)
		if size < n || size > max(n+n/4+1, minBuffer) {
			t.Fatalf("a buffer for %d bytes has %d", n, size)
		}
		if known, ok := sizes[k]; ok && known != size || k < last || k >= len(pools) {
			t.Fatalf("a buffer for %d bytes has %d, in pool %d after %d of %d", n, size, k, last, known)
		}
		sizes[k] = size
		last = k
		if same, whole := sizeClass(size); same != k || whole != size {
			t.Fatalf("a buffer of %d bytes belongs to pool %d, with size %d, want %d", size, same, whole, k)
		}
		if _, next := sizeClass(size + 1); next <= size {
			t.Fatalf("a buffer for %d bytes has %d", size+1, next)
		}
	}
}
