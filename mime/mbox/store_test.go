package mbox

import (
	"bytes"
	"testing"
)

func TestClass(t *testing.T) {
	tests := []struct{ n, class, size int }{
		{0, 31, 1024}, {1, 31, 1024}, {1024, 31, 1024}, {1025, 32, 1280}, {1281, 33, 1536}, {1537, 34, 1792},
		{1793, 35, 2048}, {2048, 35, 2048}, {2049, 36, 2560}, {4 << 20, 79, 4 << 20}, {4<<20 + 1, 80, 5 << 20},
	}
	for _, tt := range tests {
		if class, size := class(tt.n); class != tt.class || size != tt.size {
			t.Errorf("class(%d) = %d, %d, want %d, %d", tt.n, class, size, tt.class, tt.size)
		}
	}
}

func TestBuffer(t *testing.T) {
	for n := 1; n < 100_000; n += 1 + n/7 {
		b := append(buffer(n), bytes.Repeat([]byte("x"), n)...)
		if len(b) != n || cap(b) < n || cap(b) > max(leastBuffer, n+n/4+1) {
			t.Errorf("clone of %d bytes has %d of %d", n, len(b), cap(b))
		}
		release(b)
		if again := buffer(n); len(again) != 0 || cap(again) < n {
			t.Errorf("buffer(%d) has %d of %d bytes", n, len(again), cap(again))
		}
	}
}
