package mbox

import (
	"bytes"
	"strings"
	"testing"
)

func TestSeeker(t *testing.T) {
	flags, blanks := strings.Repeat("F", 3000), strings.Repeat(" ", 3000)
	tests := []struct {
		name, in string
		eol      byte
		want     int
	}{
		{"nothing", "", '\n', -1},
		{"too short", "\nFrom", '\n', -1},
		{"alone", "\nFrom ", '\n', 0},
		{"no line end", "xFrom ", '\n', -1},
		{"another line end", "\nFrom \rFrom ", '\r', 6},
		{"quoted", "\n>From a\nFrom a", '\n', 8},
		{"behind many letters", flags + "\nFrom a", '\n', 3000},
		{"behind many blanks", blanks + "\nFrom a", '\n', 3000},
		{"behind both", flags + blanks + flags + "\nFrom " + blanks, '\n', 9000},
		{"in the end", blanks + flags + "\nFrom", '\n', -1},
	}
	for _, tt := range tests {
		s := seeker{eol: tt.eol}
		if got := s.index([]byte(tt.in)); got != tt.want {
			t.Errorf("%s: index: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A seeker finds the same index as bytes.Index, whatever it has seen before.
func FuzzSeeker(f *testing.F) {
	f.Add("F\nFrom  \nFrom F", uint8(9))
	f.Add("\nFrom From \nFrom", uint8(200))
	f.Fuzz(func(t *testing.T, in string, n uint8) {
		for _, byBlank := range []bool{false, true} {
			text := []byte(strings.Repeat(in, int(n)+1))
			s := seeker{eol: '\n', byBlank: byBlank}
			for {
				want := bytes.Index(text, []byte("\nFrom "))
				if got := s.index(text); got != want {
					t.Fatalf("index(%q), byBlank %v: got %d, want %d", text, byBlank, got, want)
				}
				if want < 0 {
					break
				}
				text = text[want+1:]
			}
		}
	})
}
