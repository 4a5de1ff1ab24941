package byteset

import (
	"bytes"
	"strings"
	"testing"
)

// sets are those that are tried, with what is in them.
var sets = []struct {
	name string
	in   func(c byte) bool
}{
	{"none", func(byte) bool { return false }},
	{"all", func(byte) bool { return true }},
	{"NUL", func(c byte) bool { return c == 0 }},
	{"not ASCII", func(c byte) bool { return c >= 0x80 }},
	{"first and last", func(c byte) bool { return c == 0 || c == 0xff }},
	{"punctuation", func(c byte) bool { return bytes.IndexByte([]byte("\"'\\@/(&\r"), c) >= 0 }},
	{"controls and DEL", func(c byte) bool { return c < 0x20 || c == 0x7f }},
	{"eight kinds of rows", func(c byte) bool { return c>>4 == c&15 && c < 0x80 }},
}

// Each byte is found at each place of data of all lengths that differ in how they are
// looked at, from each offset.
func TestIndex(t *testing.T) {
	for _, set := range sets {
		s := New(set.in)
		for n := range 100 {
			data := bytes.Repeat([]byte{'a'}, n)
			checkIndex(t, s, set.name, data)
			for at := range data {
				data[at] = byte(7*n + 13*at)
				checkIndex(t, s, set.name, data)
				data[at] = 'a'
			}
		}
	}
}

// checkIndex looks at data from each offset.
func checkIndex(t *testing.T, s *Set, name string, data []byte) {
	t.Helper()
	for i := range len(data) + 2 {
		want := indexOf(data, i, func(c byte) bool { return s.in[c] != 0 })
		if got := s.Index(data, i); got != want {
			t.Fatalf("%s: Index(%q, %d) = %d, want %d", name, data, i, got, want)
		}
		if got := s.index(data, i); got != want {
			t.Fatalf("%s: byte by byte: index(%q, %d) = %d, want %d", name, data, i, got, want)
		}
	}
}

// indexOf is what Index is to return.
func indexOf(data []byte, i int, in func(c byte) bool) int {
	for i < len(data) && !in(data[i]) {
		i++
	}
	return min(i, len(data))
}

// Every byte is in the set or not, as it was made.
func TestNew(t *testing.T) {
	for _, set := range sets {
		s := New(set.in)
		data := bytes.Repeat([]byte{0}, 64)
		for c := range 256 {
			for i := range data {
				data[i] = byte(c)
			}
			if got, want := s.Index(data, 1) == 1, set.in(byte(c)); got != want {
				t.Errorf("%s: byte %#x is in the set: %v, want %v", set.name, c, got, want)
			}
		}
	}
}

func TestNewPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New makes a set of nine kinds of rows")
		}
	}()
	New(func(c byte) bool { return c>>4 == c&15 && c < 0x90 })
}

// Each pair is found at each place of data of all lengths that differ in how they are looked at,
// from each offset; a byte of a pair alone is none.
func TestPair(t *testing.T) {
	const first, second = "<{@q", "?%{#"
	s := NewPair(first, second)
	for n := range 100 {
		data := bytes.Repeat([]byte{'a'}, n)
		checkPair(t, s, first, second, data)
		for at := range data {
			for k := range 6 {
				data[at] = []byte("<{q?<\x80")[k]
				if at+1 < n {
					data[at+1] = []byte("?{#{x\xbf")[k]
				}
				checkPair(t, s, first, second, data)
			}
			copy(data, bytes.Repeat([]byte{'a'}, n))
		}
	}
}

// checkPair looks at data from each offset, in each of the ways.
func checkPair(t *testing.T, s *Pair, first, second string, data []byte) {
	t.Helper()
	want := make([]int, len(data)+2)
	for i := len(data) + 1; i >= 0; i-- {
		want[i] = len(data)
		if i < len(data) {
			want[i] = want[i+1]
		}
		if i+1 < len(data) && strings.IndexByte(first, data[i]) >= 0 && strings.IndexByte(second, data[i+1]) >= 0 {
			want[i] = i
		}
	}
	onward := s.In(data)
	without := s.In(data)
	for i, want := range want {
		alone := s.In(data)
		if got := alone.From(i); got != want {
			t.Fatalf("From(%d) of %q = %d, want %d", i, data, got, want)
		}
		if got := onward.From(i); got != want {
			t.Fatalf("From(%d) of %q after the offsets before = %d, want %d", i, data, got, want)
		}
		if got := without.bySeconds(i); got != want {
			t.Fatalf("without vectors: From(%d) of %q = %d, want %d", i, data, got, want)
		}
		if got := s.index(data, i); got != want {
			t.Fatalf("byte by byte: index(%q, %d) = %d, want %d", data, i, got, want)
		}
	}
}

// Every pair of bytes is in the set or not, as it was made.
func TestPairs(t *testing.T) {
	s := NewPair("\x00a\x7f", "\x00b")
	data := make([]byte, 64)
	for c := range 256 {
		for d := range 256 {
			data[40] = byte(c)
			data[41] = byte(d)
			data[42] = 'x'
			for i := range data[:40] {
				data[i] = 'x'
			}
			want := (c == 0 || c == 'a' || c == 0x7f) && (d == 0 || d == 'b')
			find := s.In(data[:43])
			if got := find.From(0) == 40; got != want {
				t.Fatalf("%#x %#x is a pair: %v, want %v", c, d, got, want)
			}
		}
	}
}

func TestNewPairPanics(t *testing.T) {
	for _, list := range []string{"1a!", "\x80", "a\xff", "abcde"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewPair takes %q", list)
				}
			}()
			NewPair("x", list)
		}()
	}
}
