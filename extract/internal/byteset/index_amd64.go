//go:build !purego

package byteset

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run index.
var hasVector = cpu.X86.HasAVX2

// index returns the offset of the first byte from i on that is in s, among the n bytes at data.
// It returns n if there is no such byte. n is at least vectorLen.
//
//go:noescape
func index(data *byte, n, i int, s *Set) int

// indexPair returns an offset in the n bytes at data. No pair of s begins between i and this
// offset. It is the offset of the first pair, or one of the last vectorLen offsets, or i if i is
// greater than those.
//
//go:noescape
func indexPair(data *byte, n, i int, s *Pair) int
