package markup

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// PseudoAttributes calls yield with each name="value" of an instruction (Associating Style Sheets
// with XML documents, section 3). data[i:] is the rest of the instruction after its target. It
// stops at the first other text.
func PseudoAttributes(data []byte, i int, yield func(Attr)) {
	for i = text.SkipBlank(data, i); i < len(data); i = text.SkipBlank(data, i) {
		a := Attr{NameStart: i, HasValue: true}
		for i < len(data) && data[i] != '=' && !ascii.Space.Has(data[i]) {
			i++
		}
		a.NameEnd = i
		i = text.SkipBlank(data, i)
		if i == len(data) || data[i] != '=' {
			return
		}
		i = text.SkipBlank(data, i+1)
		if i == len(data) || data[i] != '"' && data[i] != '\'' {
			return
		}
		n := bytes.IndexByte(data[i+1:], data[i])
		if n < 0 {
			return
		}
		a.Quote = data[i]
		a.Start = i + 1
		a.End = i + 1 + n
		i += n + 2
		yield(a)
	}
}
