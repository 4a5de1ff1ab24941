package mbox

import (
	"strings"
	"testing"
)

func TestSeparator(t *testing.T) {
	long := "From " + strings.Repeat("x", maxSeparator-6) + "\n"
	tests := []struct {
		name, in string
		blank    bool
		want     int
	}{
		{"blank line, field", "From a\nA: b\n", true, 7},
		{"blank line, date", "From a Thu Jan  1 00:00:00 2026\nno field\n", true, 32},
		{"field, date", "From a Thu Jan  1 00:00:00 2026\nA: b\n", false, 32},
		{"blank line alone", "From a\nno field\n", true, 0},
		{"field alone", "From a\nA: b\n", false, 0},
		{"date alone", "From a Thu Jan  1 00:00:00 2026\nno field\n", false, 0},
		{"blank line, quoted separator", "From a\n>From b\n", true, 7},
		{"blank line, date, end", "From a Thu Jan  1 00:00:00 2026", true, 31},
		{"blank line, end", "From a", true, 0},
		{"no sender", "From \nA: b\n", true, 6},
		{"CRLF", "From a\r\nA: b\r\n", true, 8},
		{"field with a blank before its colon", "From a\nA : b\n", true, 7},
		{"line that is a field", "From : a\nA: b\n", true, 0},
		{"line that is a field, tab", "From \t: a\nA: b\n", true, 0},
		{"another case", "from a\nA: b\n", true, 0},
		{"no blank", "Frome\nA: b\n", true, 0},
		{"indented field", "From a\n A: b\n", true, 0},
		{"address", "From a\nhttp://x/\n", true, 0},
		{"field without a name", "From a\n: b\n", true, 0},
		{"longest line", long + "A: b\n", true, maxSeparator},
		{"line too long", "From x" + long[5:] + "A: b\n", true, 0},
		{"longest field name", "From a\n" + strings.Repeat("x", maxName-1) + ": b\n", true, 7},
		{"field name too long", "From a\n" + strings.Repeat("x", maxName) + ": b\n", true, 0},
	}
	for _, tt := range tests {
		if got := separatorLen([]byte(tt.in), '\n', tt.blank); got != tt.want {
			t.Errorf("%s: separator(%q, %v) = %d, want %d", tt.name, tt.in, tt.blank, got, tt.want)
		}
	}
}

func TestDated(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"a@x Thu Jan  1 00:00:00 2026\n", true},
		{"a@x Thu Jan 01 00:00:00 2026\r\n", true},
		{"Thu Jan  1 0:00 2026", true},
		{"- Thu Jan 01 00:00:00 2026", true},
		{"a@x Thu Jan  1 00:00:00 +0100 2026", true},
		{"a@x Thu Jan  1 00:00:00 PST 2026", true},
		{"a@x Thu Jan  1 00:00:00 MET DST 2026", true},
		{"a@x Thu Jan  1 00:00:00 2026 -0800", true},
		{"a@x  Thu Jan  1 00:00:00 2026 remote from host", true},
		{"\"A. B\" <a@x>\tThu Jan  1 00:00:00 2026", true},
		{"a at x Sat Mar 7 Sun Feb 29 12:30:59 2004", true},
		{"", false},
		{"a@x", false},
		{"a@x Thu Jan  1", false},
		{"a@x Thu Jan  1 00:00:00", false},
		{"a@x Thu Jan  1 00:00:00 a b c 2026", false},
		{"a@x Thu Jan  1 00:00:00 26", false},
		{"a@x Thu Jan  1 00 2026", false},
		{"a@x Thu Jan  1 00:0 2026", false},
		{"a@x Thu Jan 100 00:00:00 2026", false},
		{"a@x Thu Jum  1 00:00:00 2026", false},
		{"a@x Thx Jan  1 00:00:00 2026", false},
		{"a@x Thu, 1 Jan 2026 00:00:00 +0000", false},
		{"a@x 2026-01-01 00:00:00", false},
	}
	for _, tt := range tests {
		if got := hasDate([]byte(tt.line)); got != tt.want {
			t.Errorf("dated(%q) = %v, want %v", tt.line, got, tt.want)
		}
	}
}
