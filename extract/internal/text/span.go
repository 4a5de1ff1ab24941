package text

// Span is a half-open range of bytes.
type Span struct{ Start, End int }
