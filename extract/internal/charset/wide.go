package charset

import (
	"unicode/utf16"
	"unicode/utf8"

	"absolink/extract/internal/text"
)

// isUTF16 reports whether the charset is UTF-16.
func (e *Encoding) isUTF16() bool { return e.Form == UTF16LE || e.Form == UTF16BE }

// decodeWide appends data, which is UTF-16, to t, without the byte order mark. A lone surrogate or
// half a unit becomes U+FFFD.
func decodeWide(t *text.Text, data []byte, w Form) {
	i := 0
	if len(data) >= 2 && unit(data, 0, w) == 0xfeff {
		i = 2
	}
	for ; i+1 < len(data); i += 2 {
		r := rune(unit(data, i, w))
		n := 2
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			if i+3 < len(data) {
				if both := utf16.DecodeRune(rune(unit(data, i, w)), rune(unit(data, i+2, w))); both != utf8.RuneError {
					r, n = both, 4
				}
			}
		}
		text.AppendUnit(t, text.Span{Start: i, End: i + n}, r)
		i += n - 2
	}
	if i < len(data) {
		t.AppendToken(text.Span{Start: i, End: len(data)}, []byte(replacement))
	}
}

// unit returns the UTF-16 unit at i.
func unit(data []byte, i int, w Form) uint16 {
	if w == UTF16LE {
		return uint16(data[i]) | uint16(data[i+1])<<8
	}
	return uint16(data[i])<<8 | uint16(data[i+1])
}
