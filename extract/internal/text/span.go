package text

// Span is a half-open range of bytes. The zero value is the empty span at 0.
type Span struct{ Start, End int }
