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
