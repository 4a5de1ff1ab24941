package extract

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Edit replaces the bytes of a span by New.
type Edit struct {
	Span
	New []byte
}

// Apply appends src with the edits made to dst and returns the result. Edits are
// sorted by Start and do not overlap; Apply panics where they are not or lie
// outside src. Every byte outside them is copied.
func Apply(dst, src []byte, edits []Edit) []byte {
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start {
			panic("extract: edits overlap or are not sorted")
		}
		dst = append(dst, src[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, src[at:]...)
}
