package markup

import "golang.org/x/sys/cpu"

// hasVector reports whether this processor can run what is in vector_amd64.s by vectors
// of 32 bytes.
var hasVector = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPCLMULQDQ

// hasWide reports whether it has vectors of 64 bytes too. Processors that have them
// without VBMI2 become slower by them for a while.
var hasWide = hasVector && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2

// skimVector goes from the offset i of data over tags that mean nothing to the scan and
// have nothing that f wants, as far as the offset limit, behind which there are
// vectorMargin bytes. It returns the offset of a '<', and how many attributes the start
// tag there, which is in t, has that f may want; -1 if what begins there is not as simple
// as that, or too near the end. list is the first wish of f. idle is all ones if no end
// tag means anything to the scan, and none of what only begins like one, else 0.
//
//go:noescape
func skimVector(data *byte, i, limit int, f *Filter, list *wish, t *SimpleTag, idle uint64) (at, n int)

// slashVector returns the first offset from i on at which "</" or "<!" stands in data;
// one between limit and the 64 bytes behind it if none begins before. There are
// vectorMargin bytes behind the offset limit.
//
//go:noescape
func slashVector(data *byte, i, limit int) int

// plainVector returns what PlainLength does of the first n bytes of data, of which there
// are at least plainMargin.
//
//go:noescape
func plainVector(data *byte, n int) int

// plainWide returns what PlainLength does. It needs hasWide.
//
//go:noescape
func plainWide(b []byte) int
