package byteset

import (
	"bytes"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// sets are the tested sets with their bytes.
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

// lengths returns lengths of data. In the short form, those from 36 on are around the multiples of
// 32, the number of bytes that are read at a time.
func lengths() (list []int) {
	for n := range 100 {
		if effort.Whole() || n < 36 || (n+1)%32 < 3 {
			list = append(list, n)
		}
	}
	return list
}

// Each byte is found at each position and from each offset. The data has all lengths that are
// searched in different ways.
func TestIndex(t *testing.T) {
	for _, set := range sets {
		s := New(set.in)
		for _, n := range lengths() {
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

// checkIndex searches data from each offset.
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

// indexOf is the expected result of Index.
func indexOf(data []byte, i int, in func(c byte) bool) int {
	for i < len(data) && !in(data[i]) {
		i++
	}
	return min(i, len(data))
}

// Every byte is in the set exactly if New was told so.
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

// Each pair is found at each position and from each offset. The data has all lengths that are
// searched in different ways. A single byte of a pair is not found.
func TestPair(t *testing.T) {
	const first, second = "<{@q", "?%{#"
	s := NewPair(first, second, "{?%")
	for _, n := range lengths() {
		data := bytes.Repeat([]byte{'a'}, n)
		checkPair(t, s, first, second, data)
		for at := range data {
			for k := range 7 {
				data[at] = []byte("<{q?<q\x80")[k]
				if at+1 < n {
					data[at+1] = []byte("?{#{x%\xbf")[k]
				}
				checkPair(t, s, first, second, data)
			}
			copy(data, bytes.Repeat([]byte{'a'}, n))
		}
	}
}

// checkPair searches data from each offset, in each of the ways.
func checkPair(t *testing.T, s *Pair, first, second string, data []byte) {
	t.Helper()
	wants := nextPairs(first, second, data, func(c, d byte) bool { return true })
	wantsRare := nextPairs(first, second, data, func(c, d byte) bool {
		return strings.IndexByte(s.rare, c) >= 0 || strings.IndexByte(first, d) < 0 && strings.IndexByte(s.rare, d) >= 0
	})
	wantsFrom := wants
	if !hasVector {
		wantsFrom = wantsRare
	}
	onward := s.In(data)
	without := s.In(data)
	for i := range wants {
		alone := s.In(data)
		if got, want := alone.From(i), wantsFrom[i]; got != want {
			t.Fatalf("From(%d) of %q = %d, want %d", i, data, got, want)
		}
		if got, want := onward.From(i), wantsFrom[i]; got != want {
			t.Fatalf("From(%d) of %q after the offsets before = %d, want %d", i, data, got, want)
		}
		if got, want := without.byRare(i), wantsRare[i]; got != want {
			t.Fatalf("without vectors: From(%d) of %q = %d, want %d", i, data, got, want)
		}
		if got, want := s.index(data, i), wants[i]; got != want {
			t.Fatalf("byte by byte: index(%q, %d) = %d, want %d", data, i, got, want)
		}
	}
}

// nextPairs returns the offset of the next pair that counts, for each offset of data and two after
// it.
func nextPairs(first, second string, data []byte, counts func(c, d byte) bool) []int {
	next := make([]int, len(data)+2)
	at := len(data)
	for i := len(data) + 1; i >= 0; i-- {
		if i+1 < len(data) {
			c, d := data[i], data[i+1]
			if strings.IndexByte(first, c) >= 0 && strings.IndexByte(second, d) >= 0 && counts(c, d) {
				at = i
			}
		}
		next[i] = at
	}
	return next
}

// If each first byte is rare, every pair of bytes is in the set exactly if NewPair was told so.
func TestPairs(t *testing.T) {
	s := NewPair("\x00a\x7f", "\x00b", "\x00a\x7f")
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
	for _, lists := range [][2]string{{"1a!", ""}, {"\x80", ""}, {"a\xff", ""}, {"ab", "abab"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewPair takes %q", lists)
				}
			}()
			NewPair("x", lists[0], lists[1])
		}()
	}
}
