package ascii

import (
	"strconv"
	"testing"
)

func TestHex(t *testing.T) {
	for c := range 256 {
		want := -1
		if n, err := strconv.ParseUint(string([]byte{byte(c)}), 16, 8); err == nil {
			want = int(n)
		}
		if got := Hex(byte(c)); got != want {
			t.Errorf("Hex(%q) = %d, want %d", byte(c), got, want)
		}
	}
}

func TestAppendPercent(t *testing.T) {
	for _, tt := range []struct {
		c    byte
		want string
	}{{0, "x%00"}, {' ', "x%20"}, {0xAF, "x%AF"}, {0xff, "x%FF"}} {
		if got := string(AppendPercent([]byte("x"), tt.c)); got != tt.want {
			t.Errorf("AppendPercent(x, %q) = %q, want %q", tt.c, got, tt.want)
		}
	}
}
