package mbox

import (
	"strings"
	"testing"
	"time"
)

// Eight times the bytes take no more than about eight times the time, whatever
// they are; what looked at everything again for each line would take 64 times.
// The shortest times of many rounds count, so that a busy machine decides nothing.
func TestLinearTime(t *testing.T) {
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
		duration := func(size int) time.Duration {
			box := tt.start + strings.Repeat(tt.again, size/len(tt.again))
			begin := time.Now()
			n := len(list(newReader(stream{strings.NewReader(box)}, Options{Variant: CL, TempDir: t.TempDir()}, smallWindow)))
			if n < tt.least {
				t.Fatalf("%s: %d messages, want at least %d", tt.name, n, tt.least)
			}
			return time.Since(begin)
		}
		small, large := time.Hour, time.Hour
		for round := 0; round == 0 || large > 32*small && round < 40; round++ {
			small, large = min(small, duration(50<<10)), min(large, duration(400<<10))
		}
		if large > 32*small {
			t.Errorf("%s: %v for eight times the bytes that take %v", tt.name, large, small)
		}
	}
}

// Defects are reported as far as they help.
func TestManyDefects(t *testing.T) {
	m, err := NewReader(strings.NewReader(date+"A: b\n\n"+strings.Repeat("From x\n", 1000)), Options{}).Next()
	if err != nil || len(m.Defects) != maxDefects {
		t.Errorf("Next: %d defects, %v, want %d", len(m.Defects), err, maxDefects)
	}
}
