package place

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	var n names
	for i, name := range []string{"href", "icon_uri", "http-equiv", "a", "h1", "imagesrcset"} {
		if got := n.add(name); got != uint8(i+1) {
			t.Fatalf("add(%q) = %d, want %d", name, got, i+1)
		}
	}
	tests := []struct {
		name string
		want uint8
	}{
		{"href", 1}, {"HREF", 1}, {"hRef", 1}, {"hre", 0}, {"hreff", 0}, {"", 0},
		{"icon_uri", 2}, {"ICON_URI", 2}, {"icon\x7furi", 0}, {"icon_ur\x49", 2},
		{"http-equiv", 3}, {"HTTP-Equiv", 3}, {"http-equi\x56", 3}, {"http-equix", 0}, {"http\requiv", 0},
		{"a", 4}, {"A", 4}, {"\x01", 0}, {"h1", 5}, {"h\x11", 0}, {"imagesrcset", 6}, {"imagesrcsex", 0},
		{strings.Repeat("a", LongestName+1), 0},
	}
	for _, tt := range tests {
		for _, around := range []string{"", "="} { // at the end of the data, and before more data
			data := []byte("<x " + tt.name + strings.Repeat(around, 9))
			if got := n.findAt(data, 3, 3+len(tt.name)); got != tt.want {
				t.Errorf("findAt(%q, 3, %d) = %d, want %d", data, 3+len(tt.name), got, tt.want)
			}
		}
	}
}
