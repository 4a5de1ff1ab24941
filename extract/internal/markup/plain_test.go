package markup

import (
	"strings"
	"testing"
)

func TestPlainLength(t *testing.T) {
	eachWidth(func() { checkPlainLength(t) })
}

func checkPlainLength(t *testing.T) {
	t.Helper()
	if n := PlainLength(nil); n != 0 {
		t.Errorf("PlainLength(nil) = %d", n)
	}
	for _, special := range []string{"&", "\r", "\x00", "\x80", "\xff"} {
		for size := range 140 {
			for at := range size {
				b := []byte(strings.Repeat("\t", size))
				copy(b[at:], special)
				if got := PlainLength(b); got != at || plainWords(b) != at {
					t.Fatalf("PlainLength(%q) = %d, of words %d, want %d", b, got, plainWords(b), at)
				}
			}
			if b := []byte(strings.Repeat("a", size)); PlainLength(b) != size || plainWords(b) != size {
				t.Errorf("PlainLength of %d letters = %d, of words %d", size, PlainLength(b), plainWords(b))
			}
		}
	}
}
