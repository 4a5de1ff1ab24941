package charset

import (
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// AppendQuery encodes a query, which is UTF-8, and appends it percent-encoded (URL Standard). A
// character that the charset does not have becomes a percent-encoded decimal character reference.
func (e *Encoding) AppendQuery(dst, query []byte) []byte {
	if e.Form == Shifting {
		return e.appendShifted(dst, query)
	}
	for len(query) > 0 {
		r, n := utf8.DecodeRune(query)
		query = query[n:]
		if b, ok := e.encode(r); ok {
			dst = appendBytes(dst, b)
		} else {
			dst = appendUnencodable(dst, r)
		}
	}
	return dst
}

// Writes reports whether queries are written in the charset. Queries of all other charsets are
// written in UTF-8 (Encoding Standard, "get an output encoding").
func (e *Encoding) Writes() bool { return e.Form == ASCII || e.Form == Shifting }

// encode returns the bytes of a character. ok is false if the charset has no such character. The
// bytes are valid until the next call. In ISO-2022-JP they are ASCII, or two bytes of JIS X 0208.
func (e *Encoding) encode(r rune) (b []byte, ok bool) {
	if r < utf8.RuneSelf {
		return append(e.buf[:0], byte(r)), true
	}
	if e.single != nil {
		c := slices.Index(e.single[utf8.RuneSelf:], r)
		return append(e.buf[:0], byte(c+utf8.RuneSelf)), c >= 0 && r != utf8.RuneError
	}
	if number, ok := lookUpRune(e.encodes, r); ok {
		return appendNumber(e.buf[:0], number), number > 0
	}
	var char [utf8.UTFMax]byte
	e.encoder.Reset()
	n, _, err := e.encoder.Transform(e.buf[:], utf8.AppendRune(char[:0], r), true)
	b = e.buf[:n]
	if err != nil || !e.isWritten(b) {
		return nil, false
	}
	if e.Form == Shifting {
		b[0], b[1] = b[0]&0x7f, b[1]&0x7f
	}
	return b, true
}

// isWritten reports whether the standard also writes b, the bytes that x/text wrote. The standard
// reads HKSCS in Big5 and JIS X 0212 in EUC-JP, but writes neither.
func (e *Encoding) isWritten(b []byte) bool {
	return !(e.Name == "big5" && b[0] < 0xa1 || e.family == eucJP && len(b) != 2)
}

// lookUpRune returns the bytes of a character as a number, or 0 if the character cannot be encoded.
// ok is false if no run has the character.
func lookUpRune(runs []run, r rune) (number uint32, ok bool) {
	i := sort.Search(len(runs), func(i int) bool { return runs[i].r > r }) - 1
	if i < 0 || uint32(r-runs[i].r) >= runs[i].n {
		return 0, false
	}
	number = runs[i].bytes
	if number > 0 {
		number += uint32(r - runs[i].r)
	}
	return number, true
}

// appendNumber appends a big-endian number without leading zeros.
func appendNumber(dst []byte, number uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		if number>>shift > 0 {
			dst = append(dst, byte(number>>shift))
		}
	}
	return dst
}

// appendBytes appends encoded bytes, percent-encoded by the special-query percent-encode set.
func appendBytes(dst, b []byte) []byte {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '#' || c == '<' || c == '>' || c == '\'' {
			dst = ascii.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendUnencodable appends "&#N;" percent-encoded.
func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	return append(strconv.AppendInt(dst, int64(r), 10), "%3B"...)
}

// appendShifted is AppendQuery for ISO-2022-JP.
func (e *Encoding) appendShifted(dst, query []byte) []byte {
	state := inASCII
	for len(query) > 0 {
		r, n := utf8.DecodeRune(query)
		query = query[n:]
		b, to, ok := e.encodeShifted(r, state)
		if to != state {
			dst = appendBytes(dst, escapeFor[to])
			state = to
		}
		switch {
		case ok:
			dst = appendBytes(dst, b)
		case r < utf8.RuneSelf:
			dst = appendUnencodable(dst, utf8.RuneError) // so that the query cannot contain an escape sequence
		default:
			dst = appendUnencodable(dst, r)
		}
	}
	if state != inASCII {
		dst = appendBytes(dst, escapeFor[inASCII])
	}
	return dst
}

// escapeFor has the escape sequences that are written, by the state that each begins.
var escapeFor = [...][]byte{inASCII: []byte("\x1b(B"), inRoman: []byte("\x1b(J"), inKanji: []byte("\x1b$B")}

// encodeShifted returns the bytes of a character, and the state that they need: state itself if
// possible. ok is false if the charset has no such character.
func (e *Encoding) encodeShifted(r rune, state shiftState) (b []byte, to shiftState, ok bool) {
	to = state
	if state == inKanji {
		to = inASCII
	}
	switch r {
	case 0xa5:
		return []byte{'\\'}, inRoman, true
	case 0x203e:
		return []byte{'~'}, inRoman, true
	case '\\', '~':
		to = inASCII
	case esc, 0x0e, 0x0f:
		return nil, to, false
	}
	b, ok = e.encode(r)
	if ok && r >= utf8.RuneSelf {
		to = inKanji
	}
	return b, to, ok
}
