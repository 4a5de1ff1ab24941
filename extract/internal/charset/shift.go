package charset

import "unicode/utf8"

// ISO-2022-JP (Encoding Standard 12.2): escape sequences say what the bytes after them
// are. Nothing but another one ends a state, neither a line end nor a byte that is wrong.

// State is what bytes are in ISO-2022-JP.
type State uint8

const (
	InASCII    State = iota
	InRoman          // ASCII but for \ and ~
	InKatakana       // JIS X 0201, one byte each
	InKanji          // JIS X 0208, two bytes each
	InMore           // JIS X 0212, two bytes each
	InOther          // a set that is not known, two bytes each
)

// Markup reports whether tags can stand in the state.
func (s State) Markup() bool { return s <= InRoman }

const esc = 0x1b

// escapes are the sequences that lead to the states.
var escapes = [...]struct {
	sequence string
	state    State
}{{"\x1b(B", InASCII}, {"\x1b(J", InRoman}, {"\x1b(I", InKatakana}, {"\x1b$@", InKanji}, {"\x1b$B", InKanji}}

// Escape returns the length of the sequence that b begins with, 0 if it is none, and the
// state that it leads to.
func (e *Encoding) Escape(b []byte) (n int, to State) {
	const length = 3
	switch {
	case len(b) < length || b[0] != esc:
		return 0, 0
	case e.sets && len(b) > length && string(b[:length]) == "\x1b$(" && '@' <= b[length] && b[length] <= '_':
		if b[length] == 'D' {
			return length + 1, InMore
		}
		return length + 1, InOther
	}
	for _, e := range escapes {
		if string(b[:length]) == e.sequence {
			return length, e.state
		}
	}
	return 0, 0
}

// Shifts reads text in ISO-2022-JP from its begin on. The zero Shifts is ready, but for
// the Encoding.
type Shifts struct {
	Encoding *Encoding
	State    State
	bare     bool // nothing stands between the escape sequence before and what comes
}

// Plain returns how many bytes at the start of b stand for themselves.
func (s *Shifts) Plain(b []byte) (n int) {
	if !s.State.Markup() {
		return 0
	}
	for n < len(b) && b[n] < utf8.RuneSelf && b[n] != esc && b[n] != 0x0e && b[n] != 0x0f && (s.State == InASCII || b[n] != '\\' && b[n] != '~') {
		n++
	}
	s.bare = s.bare && n == 0
	return n
}

// Append appends what the bytes at data[i] stand for, which are not plain, and returns the
// offset after them. It is nothing for an escape sequence, unless that follows another one
// with nothing in between. ok is false where U+FFFD stands for bytes that are no character.
func (s *Shifts) Append(dst, data []byte, i int) (out []byte, next int, ok bool) {
	b := data[i:]
	if n, to := s.Encoding.Escape(b); n > 0 {
		again := s.bare
		s.State, s.bare = to, true
		if again {
			return append(dst, replacement...), i + n, false
		}
		return dst, i + n, true
	}
	s.bare = false
	switch c := b[0]; {
	case c == esc || c >= utf8.RuneSelf:
	case s.State >= InKanji:
		return s.kanji(dst, data, i)
	case s.State == InKatakana && 0x21 <= c && c <= 0x5f:
		return utf8.AppendRune(dst, rune(c)-0x21+0xff61), i + 1, true
	case s.State == InRoman && c == '\\':
		return utf8.AppendRune(dst, 0xa5), i + 1, true
	case s.State == InRoman && c == '~':
		return utf8.AppendRune(dst, 0x203e), i + 1, true
	}
	return append(dst, replacement...), i + 1, false
}

// kanji appends the character at data[i]. Where it is none, its second byte goes with the
// first one, whatever it is, unless it begins an escape sequence.
func (s *Shifts) kanji(dst, data []byte, i int) (out []byte, next int, ok bool) {
	n := 1
	if isKanji(data[i]) && i+1 < len(data) && data[i+1] != esc {
		n = 2
	}
	if n == 2 && isKanji(data[i+1]) && s.State != InOther {
		b := []byte{0x8f, data[i] | 0x80, data[i+1] | 0x80}
		if s.State == InKanji {
			b = b[1:]
		}
		if text, ok := s.Encoding.lookup(b); ok {
			return append(dst, text...), i + n, true
		}
	}
	return append(dst, replacement...), i + n, false
}

func isKanji(c byte) bool { return 0x21 <= c && c <= 0x7e }

// appendShifted is AppendQuery for ISO-2022-JP.
func (e *Encoding) appendShifted(dst, query []byte, special bool) []byte {
	state := InASCII
	for len(query) > 0 {
		r, n := utf8.DecodeRune(query)
		query = query[n:]
		b, to, ok := e.shifted(r, state)
		if to != state {
			dst = appendBytes(dst, leads[to], special)
			state = to
		}
		switch {
		case ok:
			dst = appendBytes(dst, b, special)
		case r < utf8.RuneSelf:
			dst = appendUnencodable(dst, utf8.RuneError) // no escape sequence is smuggled in
		default:
			dst = appendUnencodable(dst, r)
		}
	}
	if state != InASCII {
		dst = appendBytes(dst, leads[InASCII], special)
	}
	return dst
}

// leads are the escape sequences that are written, by the state that they lead to.
var leads = [...][]byte{InASCII: []byte("\x1b(B"), InRoman: []byte("\x1b(J"), InKanji: []byte("\x1b$B")}

// shifted returns the bytes of a character and the state that they are written in, which
// is the present one where that will do. ok is false if there are none.
func (e *Encoding) shifted(r rune, state State) (b []byte, to State, ok bool) {
	if to = state; state == InKanji {
		to = InASCII
	}
	switch r {
	case 0xa5:
		return []byte{'\\'}, InRoman, true
	case 0x203e:
		return []byte{'~'}, InRoman, true
	case '\\', '~':
		to = InASCII
	case esc, 0x0e, 0x0f:
		return nil, to, false
	}
	if b, ok = e.encode(r); ok && r >= utf8.RuneSelf {
		to = InKanji
	}
	return b, to, ok
}
