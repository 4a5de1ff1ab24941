package markup

import (
	"strings"
	"testing"
)

func TestPlainLength(t *testing.T) {
	for _, special := range []string{"&", "\r", "\x00", "\x80", "\xff"} {
		for size := range 140 {
			for at := range size {
				b := []byte(strings.Repeat("\t", size))
				copy(b[at:], special)
				if got := PlainLength(b); got != at {
					t.Fatalf("PlainLength(%q) = %d, want %d", b, got, at)
				}
			}
			if got := PlainLength([]byte(strings.Repeat("a", size))); got != size {
				t.Errorf("plainLength of %d letters = %d, want %d", size, got, size)
			}
		}
	}
}
