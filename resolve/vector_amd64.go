package resolve

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run plainVector.
var hasVector = cpu.X86.HasAVX2

// plainVector reports whether s, of vectorLen bytes or more, has nothing that plainBytes
// would have to look at: it is plain, and nothing in it is escaped.
//
//go:noescape
func plainVector(s string) bool
