package extract

import (
	"unicode/utf16"
	"unicode/utf8"
)

// decodeWide decodes d.Data from UTF-16 into d.whole. A byte order mark stays
// out, a lone surrogate or half a unit becomes U+FFFD.
func (d *Doc) decodeWide(w wide) {
	data, t := d.Data, &d.whole
	t.mapped = true
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
		t.appendUnit(Span{i, i + n}, r)
		i += n - 2
	}
	if i < len(data) {
		t.AppendToken(Span{i, len(data)}, replacement)
	}
}

func unit(data []byte, i int, w wide) uint16 {
	if w == utf16LE {
		return uint16(data[i]) | uint16(data[i+1])<<8
	}
	return uint16(data[i])<<8 | uint16(data[i+1])
}

// appendUnit appends r, which stands in the raw span. Runs of ASCII become one
// run each, since the map of a large document would be many times its size else.
func (t *Text) appendUnit(raw Span, r rune) {
	if r >= utf8.RuneSelf {
		var buf [utf8.UTFMax]byte
		t.AppendToken(raw, utf8.AppendRune(buf[:0], r))
		return
	}
	if n := len(t.runs); n > 0 && t.runs[n-1].form == pairs && t.runs[n-1].raw.End == raw.Start {
		t.runs[n-1].raw.End = raw.End
		t.Data = append(t.Data, byte(r))
		return
	}
	t.append(raw, []byte{byte(r)}, pairs)
}
