package charset

import (
	"sort"
	"unicode/utf8"
)

// replacement is U+FFFD, the text for bytes that are not a character.
const replacement = "\ufffd"

// Append appends the character at data[i], whose first byte is not ASCII, in UTF-8. It returns the
// offset after it. ok is false if the bytes are not a character; then Append appends U+FFFD. final
// means that no byte follows data. If it is not set, an ASCII byte follows.
func (e *Encoding) Append(dst, data []byte, i int, final bool) (out []byte, next int, ok bool) {
	if e == nil || e.Form == UTF8 {
		return AppendUTF8(dst, data, i)
	}
	if e.single != nil {
		r := e.single[data[i]]
		return utf8.AppendRune(dst, r), i + 1, r != utf8.RuneError
	}
	b := data[i:]
	n, whole := e.sequenceLen(b, final)
	if whole {
		if text, ok := e.lookup(b[:n]); ok {
			return append(dst, text...), i + n, true
		}
		if n < 4 {
			n = brokenLen(b[:n])
		}
	}
	return append(dst, replacement...), i + n, false
}

// brokenLen returns the length of an invalid sequence. An ASCII byte at its end does not count, and
// is read again.
func brokenLen(b []byte) int {
	if n := len(b); n > 1 && b[n-1] < utf8.RuneSelf {
		return n - 1
	}
	return len(b)
}

// sequenceLen returns the length of the sequence at the start of b. If whole is false, the sequence
// is invalid.
func (e *Encoding) sequenceLen(b []byte, final bool) (n int, whole bool) {
	switch {
	case e.isSingle(b[0]):
		return 1, true
	case !e.isLead(b[0]) || len(b) == 1:
		return 1, false
	case e.family == gb && isDigit(b[1]):
		return fourByteLen(b, final)
	case e.family == eucJP && b[0] == 0x8f && 0xa1 <= b[1] && b[1] <= 0xfe:
		return min(3, len(b)), len(b) > 2
	}
	return 2, true
}

// isSingle reports whether the byte is a character by itself.
func (e *Encoding) isSingle(c byte) bool {
	switch e.family {
	case gb:
		return c == 0x80
	case shiftJIS:
		return c == 0x80 || 0xa1 <= c && c <= 0xdf
	}
	return false
}

// isLead reports whether the byte begins a sequence of several bytes.
func (e *Encoding) isLead(c byte) bool {
	switch e.family {
	case shiftJIS:
		return 0x81 <= c && c <= 0x9f || 0xe0 <= c && c <= 0xfc
	case eucJP:
		return c == 0x8e || c == 0x8f || 0xa1 <= c && c <= 0xfe
	}
	return 0x81 <= c && c <= 0xfe
}

// fourByteLen returns the length of a sequence of gb18030 whose second byte is a digit. If the
// sequence is invalid, the length is 1, because reading continues after its first byte.
func fourByteLen(b []byte, final bool) (n int, whole bool) {
	switch {
	case len(b) > 2 && (b[2] < 0x81 || b[2] == 0xff), len(b) > 3 && !isDigit(b[3]):
		return 1, false
	case len(b) > 3:
		return 4, true
	case final:
		return len(b), false
	}
	return 1, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lookup returns the character of a sequence. ok is false if the charset does not have it. text is
// valid until the next call.
func (e *Encoding) lookup(b []byte) (text []byte, ok bool) {
	if r, ok := lookUpBytes(e.decodes, b); ok {
		return utf8.AppendRune(e.buf[:0], r), true
	}
	e.decoder.Reset()
	n, _, err := e.decoder.Transform(e.buf[:], b, true)
	text = e.buf[:n]
	if err != nil || n < 2 || string(text[:min(n, 3)]) == replacement && (n > 3 || len(b) < 4) {
		return nil, false
	}
	return text, true
}

// lookUpBytes returns the character of a sequence. ok is false if no run has the sequence.
func lookUpBytes(runs []run, b []byte) (r rune, ok bool) {
	var number uint32
	for _, c := range b {
		number = number<<8 | uint32(c)
	}
	i := sort.Search(len(runs), func(i int) bool { return runs[i].bytes > number }) - 1
	if i < 0 || number-runs[i].bytes >= runs[i].n {
		return 0, false
	}
	return runs[i].r + rune(number-runs[i].bytes), true
}

// Decode appends the text of data. The charset must not be UTF-16 or ISO-2022-JP, nor of the form
// Listed.
func (e *Encoding) Decode(dst, data []byte) []byte {
	if e != nil && e.Form == Opaque && len(data) > 0 {
		return append(dst, replacement...)
	}
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			dst = append(dst, data[i])
			i++
			continue
		}
		dst, i, _ = e.Append(dst, data, i, true)
	}
	return dst
}

// AppendUTF8 is Append for UTF-8.
func AppendUTF8(dst, data []byte, i int) (out []byte, next int, ok bool) {
	r, n := utf8.DecodeRune(data[i:])
	if r == utf8.RuneError && n == 1 {
		return append(dst, replacement...), i + subpart(data[i:]), false
	}
	return append(dst, data[i:i+n]...), i + n, true
}

// subpart returns the length of the maximal subpart of the ill-formed UTF-8 sequence at the start
// of b (Unicode 15, table 3-7), which becomes one U+FFFD.
func subpart(b []byte) int {
	low, high := byte(0x80), byte(0xbf)
	need := 0
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf:
		need = 1
	case 0xe0 <= c && c <= 0xef:
		need = 2
		low, high = pick(c == 0xe0, 0xa0, low), pick(c == 0xed, 0x9f, high)
	case 0xf0 <= c && c <= 0xf4:
		need = 3
		low, high = pick(c == 0xf0, 0x90, low), pick(c == 0xf4, 0x8f, high)
	}
	n := 1
	for ; n <= need && n < len(b) && low <= b[n] && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}

// pick returns a if cond is true, and otherwise b.
func pick(cond bool, a, b byte) byte {
	if cond {
		return a
	}
	return b
}
