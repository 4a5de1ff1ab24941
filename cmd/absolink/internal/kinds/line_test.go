package kinds

import (
	"strings"
	"testing"
)

// A line ends with LF, CRLF or CR, wherever it is.
func TestCutLine(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, n := range []int{0, 1, 255, 256, 257, 511, 512, 700} {
			for _, rest := range []string{"", "x", "\n", "x\r", strings.Repeat("y", 600) + "\n"} {
				want := strings.Repeat("x", n)
				if end == "\r" && strings.HasPrefix(rest, "\n") {
					continue // one end of a line
				}
				line, after := CutLine([]byte(want + end + rest))
				if string(line) != want || string(after) != rest {
					t.Errorf("CutLine of %d bytes, %q and %q: got %d bytes and %q", n, end, rest, len(line), after)
				}
			}
		}
	}
	if line, rest := CutLine([]byte("abc")); string(line) != "abc" || rest != nil {
		t.Errorf("CutLine without an end: got %q and %q", line, rest)
	}
}
