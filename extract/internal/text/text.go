package text

// Text is decoded bytes with the [Map] to the raw bytes from which they were decoded. The zero Text
// is the identity: Data is the raw bytes themselves. The Append methods build a Text from left to
// right. Reading is safe for concurrent use.
type Text struct {
	Data []byte // decoded
	Map
}

// Reset empties t and keeps its memory.
func (t *Text) Reset() {
	t.Data = t.Data[:0]
	t.Map.Reset()
}

// AppendSame appends a copy of b, the raw bytes at offset raw.
func (t *Text) AppendSame(raw int, b []byte) {
	t.AddSame(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// AppendToken appends a copy of b, which was decoded from the raw bytes of the span as an
// indivisible whole: a character reference, an escape, a multi-byte character.
func (t *Text) AppendToken(raw Span, b []byte) {
	t.AddToken(len(t.Data), len(b), raw)
	t.Data = append(t.Data, b...)
}

// AppendEscapes appends a copy of b, each byte of which was decoded from three raw bytes, such as
// =XX or %XX. The first three are at the raw offset raw.
func (t *Text) AppendEscapes(raw int, b []byte) {
	t.AddEscapes(len(t.Data), raw, len(b))
	t.Data = append(t.Data, b...)
}

// Raw returns the smallest raw span that covers the decoded span s. For an empty s it returns an
// empty span before the raw bytes of the next decoded byte.
func (t *Text) Raw(s Span) Span { return t.Map.Raw(s, len(t.Data)) }

// Identity reports whether decoded and raw offsets are the same. A nil t is the identity.
func (t *Text) Identity() bool { return t == nil || t.Map.Identity() }
