package extract

// Span is a half-open range of bytes. The zero value is the empty span at 0. Neither offset is
// negative.
type Span struct{ Start, End int }

// Edit replaces the bytes of a span by New; nil deletes them.
type Edit struct {
	Span
	New []byte
}

// Apply appends src with the edits made to dst and returns the result. The edits must be sorted by
// Start, must not overlap and must be within src; otherwise Apply panics. Every byte outside the
// edits is copied.
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

// Compare orders edits by their start, as [Apply] requires. To sort edits that were made link by
// link, call slices.SortStableFunc(edits, Edit.Compare).
func (e Edit) Compare(o Edit) int { return e.Start - o.Start }
