package charset

import "unicode/utf8"

// In ISO-2022-JP (Encoding Standard 12.2) escape sequences set the meaning of the bytes after them.
// Only another escape sequence ends a state; a line end or an invalid byte does not.

// shiftState is the meaning of the bytes in ISO-2022-JP.
type shiftState uint8

const (
	inASCII    shiftState = iota
	inRoman               // ASCII except \ and ~
	inKatakana            // JIS X 0201, one byte per character
	inKanji               // JIS X 0208, two bytes per character
	inMore                // JIS X 0212, two bytes per character
	inOther               // an unknown set, two bytes per character
)

// allowsMarkup reports whether the bytes of tags can be in this state.
func (s shiftState) allowsMarkup() bool { return s <= inRoman }

const esc = 0x1b

// escapes are the escape sequences and their states.
var escapes = [...]struct {
	sequence string
	state    shiftState
}{{"\x1b(B", inASCII}, {"\x1b(J", inRoman}, {"\x1b(I", inKatakana}, {"\x1b$@", inKanji}, {"\x1b$B", inKanji}}

// escapeLen returns the length of the escape sequence at the start of b, or 0, and the state that
// it begins.
func (e *Encoding) escapeLen(b []byte) (n int, to shiftState) {
	const length = 3
	switch {
	case len(b) < length || b[0] != esc:
		return 0, 0
	case e.moreSets && len(b) > length && string(b[:length]) == "\x1b$(" && '@' <= b[length] && b[length] <= '_':
		if b[length] == 'D' {
			return length + 1, inMore
		}
		return length + 1, inOther
	}
	for _, e := range escapes {
		if string(b[:length]) == e.sequence {
			return length, e.state
		}
	}
	return 0, 0
}

// shiftReader reads text in ISO-2022-JP from its beginning on. The zero value is ready after
// Encoding is set.
type shiftReader struct {
	Encoding    *Encoding
	state       shiftState
	afterEscape bool // the escape sequence was the last thing read
}

// plainLen returns the number of bytes at the start of b that are ASCII characters.
func (s *shiftReader) plainLen(b []byte) (n int) {
	if !s.state.allowsMarkup() {
		return 0
	}
	for n < len(b) && b[n] < utf8.RuneSelf && b[n] != esc && b[n] != 0x0e &&
		b[n] != 0x0f && (s.state == inASCII || b[n] != '\\' && b[n] != '~') {
		n++
	}
	s.afterEscape = s.afterEscape && n == 0
	return n
}

// append appends the text of the bytes at data[i], which are not plain, and returns the offset
// after them. It appends nothing for an escape sequence, unless another escape sequence comes
// directly before it. ok is false if U+FFFD replaces bytes that are not a character.
func (s *shiftReader) append(dst, data []byte, i int) (out []byte, next int, ok bool) {
	b := data[i:]
	if n, to := s.Encoding.escapeLen(b); n > 0 {
		again := s.afterEscape
		s.state, s.afterEscape = to, true
		if again {
			return append(dst, replacement...), i + n, false
		}
		return dst, i + n, true
	}
	s.afterEscape = false
	switch c := b[0]; {
	case c == esc || c >= utf8.RuneSelf:
	case s.state >= inKanji:
		return s.kanji(dst, data, i)
	case s.state == inKatakana && 0x21 <= c && c <= 0x5f:
		return utf8.AppendRune(dst, rune(c)-0x21+0xff61), i + 1, true
	case s.state == inRoman && c == '\\':
		return utf8.AppendRune(dst, 0xa5), i + 1, true
	case s.state == inRoman && c == '~':
		return utf8.AppendRune(dst, 0x203e), i + 1, true
	}
	return append(dst, replacement...), i + 1, false
}

// kanji appends the character at data[i]. If the bytes are not a character, the error includes the
// second byte, unless that begins an escape sequence.
func (s *shiftReader) kanji(dst, data []byte, i int) (out []byte, next int, ok bool) {
	n := 1
	if isKanji(data[i]) && i+1 < len(data) && data[i+1] != esc {
		n = 2
	}
	if n == 2 && isKanji(data[i+1]) && s.state != inOther {
		b := []byte{0x8f, data[i] | 0x80, data[i+1] | 0x80}
		if s.state == inKanji {
			b = b[1:]
		}
		if text, ok := s.Encoding.lookup(b); ok {
			return append(dst, text...), i + n, true
		}
	}
	return append(dst, replacement...), i + n, false
}

func isKanji(c byte) bool { return 0x21 <= c && c <= 0x7e }
