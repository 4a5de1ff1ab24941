package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// angle returns the span inside of the next angle brackets, white space trimmed, and the
// offset behind them. URLs in brackets are separated by commas; behind each there are
// parameters or, in fields of mailing lists (RFC 2369), comments.
func angle(b []byte, i int, comments bool) (s text.Span, next int) {
	for i < len(b) {
		if i = text.SkipBlank(b, i); i < len(b) && b[i] == '<' {
			n := bytes.IndexByte(b[i:], '>')
			if n < 0 {
				return s, -1
			}
			return text.Trimmed(b, text.Span{Start: i + 1, End: i + n}), i + n + 1
		}
		i = elementEnd(b, i, comments)
	}
	return s, -1
}

// elementEnd returns the offset behind the comma that ends the element at i. Commas in
// strings do not, nor do those in comments.
func elementEnd(b []byte, i int, comments bool) int {
	for depth := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			i = quotedEnd(b, i) - 1
		case c == '(' && comments:
			depth++
		case c == ')' && comments:
			depth = max(depth-1, 0)
		case c == ',' && depth == 0:
			return i + 1
		}
	}
	return i
}
