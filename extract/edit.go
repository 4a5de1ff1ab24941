package extract

import (
	"absolink/extract/internal/text"
)

// Span is a half-open range of bytes: {Start, End int}, of which neither must be negative.
type Span = text.Span

// Text is decoded bytes, its field Data, with a map from decoded offsets to the raw
// bytes they were decoded from. The zero Text is the identity: Data is the raw bytes
// themselves. It is built from left to right with AppendSame, AppendToken,
// AppendBase64 and AppendEscapes; what they leave out between two calls is raw bytes
// without decoded ones. Raw returns the raw span of a decoded one, Identity reports
// whether both are the same, Reset empties a Text and keeps its memory. Reading is safe
// for concurrent use.
type Text = text.Text

// Edit replaces the bytes of a span by New; nil deletes them.
type Edit struct {
	Span
	New []byte
}

// Apply appends src with the edits made to dst and returns the result. The edits must be sorted
// by Start, must not overlap and must lie inside src; otherwise Apply panics. Every byte outside
// them is copied.
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

// Compare orders edits by where they begin, which is the order that [Apply] wants: edits
// that were made link by link are sorted by slices.SortStableFunc(edits, Edit.Compare).
func (e Edit) Compare(o Edit) int { return e.Start - o.Start }
