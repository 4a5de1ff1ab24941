package extract

import (
	"slices"

	"absolink/extract/internal/text"
)

// Text is decoded bytes with a map from decoded offsets to the raw bytes they were decoded from.
// The zero Text is the identity: Data is the raw bytes themselves. The Append methods build a Text
// from left to right; what they leave out between two calls, such as a soft line break, is raw
// bytes without decoded ones. Reading is safe for concurrent use.
type Text struct {
	Data []byte // decoded

	origin text.Map
}

// Reset empties t and keeps its memory.
func (t *Text) Reset() {
	t.Data = t.Data[:0]
	t.origin.Reset()
}

// Grow makes room for that many decoded bytes more, and for as many calls of Append methods as runs
// says.
func (t *Text) Grow(bytes, runs int) {
	t.Data = slices.Grow(t.Data, bytes)
	t.origin.Grow(runs)
}

// AppendSame appends a copy of b, which stands as it is at the raw offset raw.
func (t *Text) AppendSame(raw int, b []byte) {
	t.origin.AddSame(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// AppendToken appends a copy of b, which was decoded from the raw bytes of the span as an
// indivisible whole: a character reference, an escape, a multi-byte character.
func (t *Text) AppendToken(raw Span, b []byte) {
	t.origin.AddToken(len(t.Data), len(b), text.Span(raw))
	t.Data = append(t.Data, b...)
}

// AppendBase64 appends a copy of b, which was decoded from quartets of base64 that stand without a
// break at the raw offset raw. The last one may hold less than three bytes.
func (t *Text) AppendBase64(raw int, b []byte) {
	t.origin.AddBase64(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// AppendEscapes appends a copy of b, each byte of which was decoded from three raw bytes, as =XX
// and %XX are; the first ones stand at the raw offset raw.
func (t *Text) AppendEscapes(raw int, b []byte) {
	t.origin.AddEscapes(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// Identity reports whether decoded and raw offsets are the same. A nil t is the identity.
func (t *Text) Identity() bool { return t == nil || t.origin.Identity() }

// Raw returns the smallest raw span that covers the decoded span s. An empty s gives an empty span,
// before the raw bytes of the decoded byte that follows.
func (t *Text) Raw(s Span) Span { return Span(t.origin.Raw(text.Span(s), len(t.Data))) }
