package kinds

import (
	"strings"
	"testing"
)

// The first line of a file of Apple Mail counts only if it is a length.
func TestLengthLine(t *testing.T) {
	tests := []struct {
		head            string
		length, message int64
		ok              bool
	}{
		{"12\nx", 12, 3, true},
		{"12        \nx", 12, 11, true},
		{"12\r\n", 12, 4, true},
		{"0\n", 0, 2, true},
		{"\n", 0, 0, false},
		{" 12\n", 0, 0, false},
		{"-1\n", 0, 0, false},
		{"+1\n", 0, 0, false},
		{"1e3\n", 0, 0, false},
		{"99999999999999999999\n", 0, 0, false},
		{"12", 0, 0, false},
		{"1" + strings.Repeat(" ", MaxLengthLine) + "\n", 0, 0, false},
	}
	for _, tt := range tests {
		length, message, ok := LengthLine([]byte(tt.head))
		if ok != tt.ok || ok && (length != tt.length || message != tt.message) {
			t.Errorf("LengthLine(%q): got %d, %d, %v, want %d, %d, %v",
				tt.head, length, message, ok, tt.length, tt.message, tt.ok)
		}
	}
}
