package component

import (
	"strings"
	"testing"
)

const (
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower = "abcdefghijklmnopqrstuvwxyz"
)

// Each byte by itself.
func TestBytes(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		want := c
		if n := strings.IndexByte(upper, c); n >= 0 {
			want = lower[n]
		}
		if got := Lower(c); got != want {
			t.Errorf("Lower(%q) = %q, want %q", c, got, want)
		}
		if got, want := IsASCII("a"+string([]byte{c})), c < 128; got != want {
			t.Errorf("IsASCII(a%q) = %v, want %v", c, got, want)
		}
	}
}

func TestIsEscape(t *testing.T) {
	for s, want := range map[string]bool{
		"%20": true, "%fFx": true, "%00": true, "": false, "%": false,
		"%2": false, "%g0": false, "%0g": false, "x20": false, "%%20": false,
	} {
		if got := IsEscape(s); got != want {
			t.Errorf("IsEscape(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestEqualFold(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"HTTP", "http", true}, {"a", "ab", false}, {"ab",
			"a", false}, {"[", "{", false}, {"@", "`", false},
		{"k", "\u212a", false}, {"\xc3\xa4", "\xc3\x84", false}, {"x1", "X1", true},
	} {
		if got := EqualFold(tt.a, tt.b); got != tt.want {
			t.Errorf("EqualFold(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestIndexAny(t *testing.T) {
	for _, tt := range []struct {
		s, chars string
		want     int
	}{{"", "/", 0}, {"ab", "/?", 2}, {"a?b/", "/?", 1}, {"/", "/", 0}} {
		if got := IndexAny(tt.s, tt.chars); got != tt.want {
			t.Errorf("IndexAny(%q, %q) = %d, want %d", tt.s, tt.chars, got, tt.want)
		}
	}
}
