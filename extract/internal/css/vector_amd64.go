package css

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run startVector.
var hasVector = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// startVector is nextStart without the first two bytes and the last one: i is at least 2,
// and where it finds nothing it returns the offset of the last byte. It may also return that of a NUL.
//
//go:noescape
func startVector(data []byte, i int) int
