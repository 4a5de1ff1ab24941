package mbox

import (
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// For twice the size, twice as many bytes are examined, whatever the bytes are. A reader that
// examined everything again for each line would examine four times as many.
func TestLinear(t *testing.T) {
	for _, tt := range []struct {
		name, start, again string
		least              int // messages
	}{
		{"lines that are no separators", "", "From \n", 1},
		{"lines after blank lines", "", "\nFrom a\n", 1},
		{"separators alone", "", "\n" + date, 100},
		{"messages without a blank line", "", date + "A: b\n", 100},
		{"header without an end", date, "A: b\n", 1},
		{"line without an end", date, "From ", 1},
		{"separators that are too long", "", "\n\nFrom " + strings.Repeat("Thu Jan 1 ", 200) + "\nA: b\n", 1},
		{"quotes without an end", date + "\n", ">", 1},
		{"counts that lead away", "", date + "Content-Length: 100000\n\nx\n\n", 100},
		{"counts that lead past the end", "", date + "Content-Length: 4000000000\n\nx\n\n", 100},
		{"counts in a header", date, "Content-Length: 4\n", 1},
		{"count that goes on", date + "Content-Length: 4\n", " \n", 1},
	} {
		looked := func(size int) int64 {
			box := tt.start + strings.Repeat(tt.again, size/len(tt.again))
			r := newReader(stream{strings.NewReader(box)}, Options{Variant: CL, TempDir: t.TempDir()}, smallWindow)
			if n := len(list(r)); n < tt.least {
				t.Fatalf("%s: %d messages, want at least %d", tt.name, n, tt.least)
			}
			return r.w.examined
		}
		sizes := effort.Pick([]int{50 << 10, 100 << 10, 200 << 10, 400 << 10}, []int{50 << 10, 100 << 10})
		for last, i := looked(sizes[0]), 1; i < len(sizes); i++ {
			n := looked(sizes[i])
			if n < int64(sizes[i])/2 || n > 5*last/2 {
				t.Errorf("%s: %d bytes are looked at in %d, %d in %d", tt.name, n, sizes[i], last, sizes[i-1])
			}
			last = n
		}
	}
}

// The number of reported defects is limited.
func TestManyDefects(t *testing.T) {
	m, err := NewReader(strings.NewReader(date+"A: b\n\n"+strings.Repeat("From x\n", 1000)), Options{}).Next()
	if err != nil || len(m.Defects) != maxDefects {
		t.Errorf("Next: %d defects, %v, want %d", len(m.Defects), err, maxDefects)
	}
}
