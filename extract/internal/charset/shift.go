package charset

import "unicode/utf8"

// ISO-2022-JP (Encoding Standard 12.2): escape sequences say what the bytes after them
// are. Nothing but another one ends a state, neither a line end nor a byte that is wrong.

// shiftState is what bytes are in ISO-2022-JP.
type shiftState uint8

const (
	inASCII    shiftState = iota
	inRoman               // ASCII but for \ and ~
	inKatakana            // JIS X 0201, one byte each
	inKanji               // JIS X 0208, two bytes each
	inMore                // JIS X 0212, two bytes each
	inOther               // a set that is not known, two bytes each
)

// markup reports whether tags can stand in the state.
func (s shiftState) markup() bool { return s <= inRoman }

const esc = 0x1b

// escapes are the sequences that lead to the states.
var escapes = [...]struct {
	sequence string
	state    shiftState
}{{"\x1b(B", inASCII}, {"\x1b(J", inRoman}, {"\x1b(I", inKatakana}, {"\x1b$@", inKanji}, {"\x1b$B", inKanji}}

// escape returns the length of the escape sequence that b begins with, 0 if it begins with
// another byte, and the state that it leads to.
func (e *Encoding) escape(b []byte) (n int, to shiftState) {
	const length = 3
	switch {
	case len(b) < length || b[0] != esc:
		return 0, 0
	case e.sets && len(b) > length && string(b[:length]) == "\x1b$(" && '@' <= b[length] && b[length] <= '_':
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

// shifts reads text in ISO-2022-JP from its begin on. The zero shifts is ready, but for
// the Encoding.
type shifts struct {
	Encoding *Encoding
	state    shiftState
	bare     bool // nothing stands between the escape sequence before and what comes
}

// plain returns how many bytes at the start of b stand for themselves.
func (s *shifts) plain(b []byte) (n int) {
	if !s.state.markup() {
		return 0
	}
	for n < len(b) && b[n] < utf8.RuneSelf && b[n] != esc && b[n] != 0x0e &&
		b[n] != 0x0f && (s.state == inASCII || b[n] != '\\' && b[n] != '~') {
		n++
	}
	s.bare = s.bare && n == 0
	return n
}

// append appends what the bytes at data[i] stand for, which are not plain, and returns the
// offset after them. It is nothing for an escape sequence, unless that follows another one
// with nothing in between. ok is false where U+FFFD stands for bytes that are not a character.
func (s *shifts) append(dst, data []byte, i int) (out []byte, next int, ok bool) {
	b := data[i:]
	if n, to := s.Encoding.escape(b); n > 0 {
		again := s.bare
		s.state, s.bare = to, true
		if again {
			return append(dst, replacement...), i + n, false
		}
		return dst, i + n, true
	}
	s.bare = false
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

// kanji appends the character at data[i]. Where the bytes are not a character, the second goes with
// the first one, whatever it is, unless it begins an escape sequence.
func (s *shifts) kanji(dst, data []byte, i int) (out []byte, next int, ok bool) {
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
