package unpack

import (
	"fmt"
	"testing"
)

// Names that differ at most in case get numbers, also beside names that look numbered.
func TestNamesAreUnique(t *testing.T) {
	tests := []struct{ stem, ext, want string }{
		{"a", ".png", "a.png"},
		{"a", ".png", "a-2.png"},
		{"A", ".PNG", "A-3.PNG"},
		{"a-4", ".png", "a-4.png"},
		{"a", ".png", "a-5.png"},
		{"a-5", ".png", "a-5-2.png"},
		{"a", ".jpg", "a.jpg"},
		{"a", ".png", "a-6.png"},
	}
	var n names
	for i, tt := range tests {
		if got := n.uniqueName(tt.stem, tt.ext); got != tt.want {
			t.Errorf("name %d, uniqueName(%q, %q): got %q, want %q", i+1, tt.stem, tt.ext, got, tt.want)
		}
	}
}

// The work for many files of one name grows linearly with their number.
func TestManyFilesOfOneName(t *testing.T) {
	var n names
	const files = 8000
	for range files {
		n.uniqueName("a", ".png")
	}
	if got, want := n.uniqueName("a", ".png"), fmt.Sprintf("a-%d.png", files+1); got != want {
		t.Errorf("after %d files: got %q, want %q", files, got, want)
	}
	if got := n.next["a.png"]; got != files+2 {
		t.Errorf("after %d files the next number is %d, want %d: each number is tried once", files, got, files+2)
	}
}
