package resolve

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run the vectors.
var hasVector = cpu.X86.HasAVX2

// plainVector is plainBytes for plainVectorLen bytes or more, but for what is escaped: it
// reports whether there are any "%".
//
//go:noescape
func plainVector(s string) (plain, escapes bool)

// domainVector is domainEnd for domainVectorLen bytes or more. It is also 0 for a domain
// of one label, and for one that does not end in the 32 bytes from i on. i is 32 at most.
//
//go:noescape
func domainVector(s string, i int) int
