package extract

import (
	"slices"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/text"
)

// Text is decoded bytes with a map to the raw bytes from which they were decoded. The zero Text is
// the identity: Data is the raw bytes themselves. The Append methods build a Text from left to
// right. Raw bytes that they skip between two calls, such as a soft line break, have no decoded
// bytes. Reading is safe for concurrent use.
type Text struct {
	Data []byte // decoded

	origin text.Map
}

// Reset empties t and keeps its memory.
func (t *Text) Reset() {
	t.Data = t.Data[:0]
	t.origin.Reset()
}

// Grow makes room for more decoded bytes, and for more runs: calls of the Append methods.
func (t *Text) Grow(bytes, runs int) {
	t.Data = slices.Grow(t.Data, bytes)
	t.origin.Grow(runs)
}

// AppendSame appends a copy of b, the raw bytes at offset raw.
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

// AppendDecoded appends b in UTF-8, as an indivisible whole that was decoded from the raw bytes of
// the span. label is the name that a message gives to the charset of b: a label of the Encoding
// Standard, or one of the other names that are used in mail. AppendDecoded appends nothing and
// returns false if the charset is unknown, or if b is invalid in it. In UTF-16, ISO-2022-JP and the
// charsets of mail with escape sequences, invalid bytes become U+FFFD instead.
func (t *Text) AppendDecoded(raw Span, b []byte, label string) bool {
	if charset.Mail(label) == nil {
		return false
	}
	data, ok := charset.InUTF8(b, label)
	if ok {
		t.AppendToken(raw, data)
	}
	return ok
}

// AppendBase64 appends a copy of b, which was decoded from consecutive base64 quartets at the raw
// offset raw. The last quartet may hold less than three bytes.
func (t *Text) AppendBase64(raw int, b []byte) {
	t.origin.AddBase64(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// AppendEscapes appends a copy of b, each byte of which was decoded from three raw bytes, such as
// =XX or %XX. The first three are at the raw offset raw.
func (t *Text) AppendEscapes(raw int, b []byte) {
	t.origin.AddEscapes(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// Identity reports whether decoded and raw offsets are the same. A nil t is the identity.
func (t *Text) Identity() bool { return t == nil || t.origin.Identity() }

// Raw returns the smallest raw span that covers the decoded span s. For an empty s it returns an
// empty span before the raw bytes of the next decoded byte.
func (t *Text) Raw(s Span) Span { return Span(t.origin.Raw(text.Span(s), len(t.Data))) }
