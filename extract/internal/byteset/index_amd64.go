//go:build !purego

package byteset

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run index.
var hasVector = cpu.X86.HasAVX2

// index returns the offset from i on of the first of the n bytes at data that is in s, or
// n if there is none; n is at least vectorLen.
//
//go:noescape
func index(data *byte, n, i int, s *Set) int

// indexPair returns an offset from i on in the n bytes at data before which no pair of s stands
// from i on: that of the first pair, or one of the last vectorLen, or i if it is behind them.
//
//go:noescape
func indexPair(data *byte, n, i int, s *Pair) int
