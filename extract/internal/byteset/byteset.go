// Package byteset finds the next byte of a set. The scanners of markup and style sheets and the
// decoding of values spend most of their time here.
//
// The loop in Go defines the result. On a processor with AVX2, the search reads 32 bytes at a time.
// A byte is in the set if the entries for its lower and its upper four bits have a bit in common.
// The build tag purego disables AVX2. Pairs of bytes are found in the same way. Without AVX2, the
// standard library searches for a few rare bytes of the pairs.
//
// Files in reading order: index_amd64.go or index_other.go, byteset.go.
package byteset

import (
	"bytes"
	"math/bits"
)

// Set is a set of bytes. [New] creates it, and it never changes.
type Set struct {
	lower, upper [16]uint8  // by four bits of a byte; equal rows of the set share a bit
	in           [256]uint8 // 1 for the bytes of the set
}

// New returns the set of the bytes for which in is true. The set has sixteen rows of sixteen bytes,
// as in a table of ASCII. New panics if the rows differ in more than eight ways.
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

// Index returns the offset of the first byte of data from i on that is in s. It returns the length
// of data if no byte is in s, or if i is after the end. The search is faster if data has at least
// 32 bytes.
func (s *Set) Index(data []byte, i int) int {
	if hasVector && len(data) >= vectorLen {
		return index(&data[0], len(data), i, s)
	}
	return s.index(data, i)
}

// index is Index in Go, eight bytes at a time. It finds the byte among the eight without a branch,
// because processors would mostly mispredict it.
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

// vectorLen is the smallest number of bytes that the assembly index searches.
const vectorLen = 32

// Pair is a set of pairs of bytes: each byte of one list before each byte of another. [NewPair]
// creates it, and it never changes.
type Pair struct {
	first, second [16]uint8 // the byte by its lower four bits, or noByte
	rare          string
}

// noByte is the entry for four bits that no byte of the list has. It equals no byte of a list,
// because lists contain only ASCII.
const noByte = 0x80

// mostRare is the length of the longest list of rare bytes.
const mostRare = 3

// NewPair returns the set of the pairs of a byte of first and a byte of second. Without vectors
// only pairs with a byte of rare are found. Each rare byte is searched for separately: as the first
// byte if it is in first, otherwise as the second. These bytes should be rare in data. NewPair
// panics if a byte is not ASCII, if two bytes of a list have the same lower four bits, or if rare
// has more than three bytes.
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

// Search finds the pairs of a set in data. [Pair.In] creates it.
type Search struct {
	set  *Pair
	data []byte
	next [mostRare]int // by rare byte: the offset of the next pair with it, or -1 if unknown
}

// In returns a search for the pairs of s in data.
func (s *Pair) In(data []byte) Search {
	return Search{s, data, [mostRare]int{-1, -1, -1}}
}

// From returns the offset of the first pair from i on, or the length of the data. Without vectors
// it skips pairs that have no rare byte. i must not be less than in the previous call.
func (f *Search) From(i int) int {
	if !hasVector {
		return f.byRare(i)
	}
	if len(f.data) > vectorLen {
		i = indexPair(&f.data[0], len(f.data), i, f.set)
	}
	return f.set.index(f.data, i)
}

// byRare is From without vectors. It searches for each rare byte separately with the standard
// library, which is fast.
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

// nextWith returns the offset of the first pair from i on with the rare byte c, or the length of
// the data.
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
