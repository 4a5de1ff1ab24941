// Package byteset finds the next byte of a set. The scanners of markup and style sheets and the
// decoding of values spend most of their time here.
//
// The loop in Go defines the result. On a processor with AVX2, the search reads 32 bytes at a time.
// A byte is in the set if the entries for its lower and its upper four bits have a bit in common.
// The build tag purego disables AVX2. Pairs of bytes are found in the same way. Without AVX2, the
// standard library searches for a few rare bytes of the pairs.
//
// Files in reading order: byteset.go (the sets), index_amd64.go or index_other.go (the search with
// AVX2), search.go.
package byteset

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

// has reports whether c is in the list of a table by lower bits.
func has(t *[16]uint8, c byte) bool { return t[c&15] == c && c != noByte }
