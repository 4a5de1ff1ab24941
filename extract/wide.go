package extract

import (
	"bytes"
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

// decodeShifts decodes d.Data from ISO-2022-JP into d.whole. What stands between
// two ASCII states, with the escape sequences around it, is one token: an edit
// leaves the state as it was. A document with ASCII characters in another state,
// as JIS X 0201 Roman has them, could not be edited; it is not read.
func (d *Doc) decodeShifts() {
	data, t := d.Data, &d.whole
	t.mapped = true
	for i := 0; i < len(data); {
		n := 0
		for i+n < len(data) && !shifted(data[i+n]) {
			n++
		}
		t.AppendSame(i, data[i:i+n])
		if i += n; i == len(data) {
			return
		}
		end := shiftEnd(data, i)
		out, err := d.named.enc.NewDecoder().Bytes(data[i:end])
		if err != nil {
			out = replacement
		}
		if bytes.ContainsFunc(out, func(r rune) bool { return r < utf8.RuneSelf }) {
			d.problem(i, "unsupported-charset")
			t.Data, t.runs = t.Data[:0], t.runs[:0]
			return
		}
		t.AppendToken(Span{i, end}, out)
		i = end
	}
}

const esc = 0x1b

// shifted reports whether c is no ASCII character in ISO-2022-JP.
func shifted(c byte) bool { return c == esc || c >= 0x80 || c == 0x0e || c == 0x0f }

// shiftEnd returns the offset after the bytes at data[i] that are not in the
// ASCII state, and the escape sequence that leads back to it.
func shiftEnd(data []byte, i int) int {
	if data[i] != esc {
		return i + 1
	}
	if n := bytes.Index(data[i:], []byte("\x1b(B")); n >= 0 {
		return i + n + 3
	}
	return len(data)
}
