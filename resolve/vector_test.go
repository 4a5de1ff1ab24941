package resolve

import (
	"strings"
	"testing"
)

// Each byte, and a dot behind a slash, is seen at each place of references of all lengths
// that differ in how they are looked at.
func TestPlainVector(t *testing.T) {
	if !hasVector {
		t.Skip("this processor has no vectors that references are looked at with")
	}
	for n := vectorLen; n <= 100; n++ {
		b := []byte(strings.Repeat("a", n))
		for i := range b {
			for c := range 256 {
				b[i] = byte(c)
				want := class[c]&(odd|percent) == 0
				if got := plainVector(string(b)); got != want {
					t.Fatalf("plainVector(%q) = %v, want %v", b, got, want)
				}
			}
			b[i] = 'a'
			if i == 0 {
				continue
			}
			b[i-1], b[i] = '/', '.'
			if plainVector(string(b)) {
				t.Fatalf("plainVector(%q) = true, want false", b)
			}
			b[i-1], b[i] = '.', '/'
			if !plainVector(string(b)) {
				t.Fatalf("plainVector(%q) = false, want true", b)
			}
			b[i-1], b[i] = 'a', 'a'
		}
	}
}
