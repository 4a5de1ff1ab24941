package byteset

import (
	"bytes"
	"math/bits"
)

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

// index returns the offset of the first pair from i on in data, or the length of data.
func (s *Pair) index(data []byte, i int) int {
	for ; i+1 < len(data); i++ {
		if has(&s.first, data[i]) && has(&s.second, data[i+1]) {
			return i
		}
	}
	return len(data)
}
