// Package byteset finds the next byte of a set: what the scanners of markup and style
// sheets, and the decoding of values, spend most of their time with.
//
// The rule is the loop in Go. Where the processor has AVX2, 32 bytes are looked at at a
// time: a byte is in the set if the entries for its lower and its upper four bits have a
// bit in common. The build tag purego leaves that out. Pairs of bytes are found in the same way,
// and without AVX2 by a few rare bytes, each of which the standard library looks for.
//
// Files in reading order: index_amd64.go or index_other.go, byteset.go.
package byteset

import (
	"bytes"
	"math/bits"
)

// Set is a set of bytes. It is made by [New], and never changes.
type Set struct {
	lower, upper [16]uint8  // by four bits of a byte; rows of the set that are alike share a bit
	in           [256]uint8 // 1 for the bytes of the set
}

// New returns the set of the bytes that are in it. It panics if the sixteen rows of
// sixteen bytes, as in a table of ASCII, differ in more than eight ways.
func New(in func(c byte) bool) *Set {
	s := new(Set)
	bits := map[uint16]uint8{0: 0}
	for row := range 16 {
		var columns uint16
		for column := range 16 {
			if c := byte(row<<4 | column); in(c) {
				s.in[c] = 1
				columns |= 1 << column
			}
		}
		if _, ok := bits[columns]; !ok {
			bits[columns] = s.newBit(columns, len(bits)-1)
		}
		s.upper[row] = bits[columns]
	}
	return s
}

// newBit gives rows with these columns the bit n.
func (s *Set) newBit(columns uint16, n int) uint8 {
	if n == 8 {
		panic("byteset: too many kinds of rows")
	}
	for column := range 16 {
		s.lower[column] |= uint8(columns>>column&1) << n
	}
	return 1 << n
}

// Index returns the offset of the first byte of data from i on that is in s, or the
// length of data if there is none, also where i lies behind its end. It is faster in a
// part of at least 32 bytes of data than in less.
func (s *Set) Index(data []byte, i int) int {
	if hasVector && len(data) >= vectorLen {
		return index(&data[0], len(data), i, s)
	}
	return s.index(data, i)
}

// index is Index, eight bytes at a time. It tells which of the eight is in s without a branch,
// which processors would mostly guess wrong.
func (s *Set) index(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		b := (*[8]byte)(data[i:])
		if s.in[b[0]]|s.in[b[1]]|s.in[b[2]]|s.in[b[3]]|s.in[b[4]]|s.in[b[5]]|s.in[b[6]]|s.in[b[7]] != 0 {
			low := s.in[b[0]] | s.in[b[1]]<<1 | s.in[b[2]]<<2 | s.in[b[3]]<<3
			high := s.in[b[4]]<<4 | s.in[b[5]]<<5 | s.in[b[6]]<<6 | s.in[b[7]]<<7
			return i + bits.TrailingZeros8(low|high)
		}
	}
	for i < len(data) && s.in[data[i]] == 0 {
		i++
	}
	return min(i, len(data))
}

// vectorLen is the least number of bytes that index looks at.
const vectorLen = 32

// Pair is a set of pairs of bytes: each byte of one list before each of another one. It is made
// by [NewPair], and never changes.
type Pair struct {
	first, second [16]uint8 // by the lower four bits of a byte, the byte; noByte if there is none
	rare          string
}

// noByte is the entry of four bits that no byte has. It differs from every byte with its own four
// bits: 0x80 from those of others, and the bytes above ASCII are in no list.
const noByte = 0x80

// mostRare is the length of the longest list of rare bytes.
const mostRare = 3

// NewPair returns the set of pairs of a byte of first and one of second. Without vectors only
// pairs with a byte of rare are found: each of them is looked for alone, as the first byte if it is
// in first, else as the second. They should be rare in data. NewPair panics if a byte is not ASCII,
// if two bytes of a list have their lower four bits in common, or if rare has more than three
// bytes.
func NewPair(first, second, rare string) *Pair {
	if len(rare) > mostRare {
		panic("byteset: too many rare bytes")
	}
	return &Pair{byLowerBits(first), byLowerBits(second), rare}
}

func byLowerBits(list string) (t [16]uint8) {
	for i := range t {
		t[i] = noByte
	}
	for i := range len(list) {
		c := list[i]
		if c >= noByte || t[c&15] != noByte {
			panic("byteset: bytes of a pair that cannot be told apart")
		}
		t[c&15] = c
	}
	return t
}

// Search finds the pairs of a set in data. It is made by [Pair.In].
type Search struct {
	set  *Pair
	data []byte
	next [mostRare]int // by rare byte, the offset of the next pair that is found by it; -1 = not looked for
}

// In returns a search for the pairs of s in data.
func (s *Pair) In(data []byte) Search {
	return Search{s, data, [mostRare]int{-1, -1, -1}}
}

// From returns the offset of the first pair from i on, or the length of the data if there is none.
// It may leave out pairs that are not found without vectors. i must not be less than in the call
// before.
func (f *Search) From(i int) int {
	if !hasVector {
		return f.byRare(i)
	}
	if len(f.data) > vectorLen {
		i = indexPair(&f.data[0], len(f.data), i, f.set)
	}
	return f.set.index(f.data, i)
}

// byRare is From without vectors: each rare byte is looked for alone, as fast as the standard
// library does it.
func (f *Search) byRare(i int) int {
	first := len(f.data)
	for k := range len(f.set.rare) {
		if f.next[k] < i {
			f.next[k] = f.nextWith(f.set.rare[k], i)
		}
		first = min(first, f.next[k])
	}
	return first
}

// nextWith returns the offset of the first pair from i on that is found by c, or the length of the
// data.
func (f *Search) nextWith(c byte, i int) int {
	if has(&f.set.first, c) {
		for ; i+1 < len(f.data); i++ {
			n := bytes.IndexByte(f.data[i:len(f.data)-1], c)
			if n < 0 {
				break
			}
			i += n
			if has(&f.set.second, f.data[i+1]) {
				return i
			}
		}
		return len(f.data)
	}
	for ; i+1 < len(f.data); i++ {
		n := bytes.IndexByte(f.data[i+1:], c)
		if n < 0 {
			break
		}
		i += n
		if has(&f.set.first, f.data[i]) {
			return i
		}
	}
	return len(f.data)
}

// has reports whether c is in the list of a table by lower bits.
func has(t *[16]uint8, c byte) bool { return t[c&15] == c && c != noByte }

// index returns the offset of the first pair from i on in data, or the length of data.
func (s *Pair) index(data []byte, i int) int {
	for ; i+1 < len(data); i++ {
		if has(&s.first, data[i]) && has(&s.second, data[i+1]) {
			return i
		}
	}
	return len(data)
}
