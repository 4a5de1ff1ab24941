package markup

import (
	"strings"
	"testing"
)

func TestPlainEnd(t *testing.T) {
	if n := PlainEnd(nil, 0); n != 0 {
		t.Errorf("PlainEnd(nil, 0) = %d", n)
	}
	for _, special := range []string{"&", "\r", "\x00", "\x80", "\xff"} {
		for size := range 140 {
			for at := range size {
				b := []byte(strings.Repeat("\t", size))
				copy(b[at:], special)
				if got := PlainEnd(b, at/2); got != at {
					t.Fatalf("PlainEnd(%q, %d) = %d, want %d", b, at/2, got, at)
				}
			}
			if b := []byte(strings.Repeat("a", size)); PlainEnd(b, size/2) != size {
				t.Errorf("PlainEnd of %d letters = %d", size, PlainEnd(b, size/2))
			}
		}
	}
}
