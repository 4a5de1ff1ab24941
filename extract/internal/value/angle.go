package value

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// URLs in angle brackets are separated by commas. Parameters (RFC 8288) or, in fields of mailing
// lists, comments follow each URL.

// nextAngle returns the span inside the next angle brackets, without white space, and the offset
// after them, where parameters may follow. next is -1 if there are no brackets.
func nextAngle(b []byte, i int) (s text.Span, next int) {
	for i < len(b) {
		i = text.SkipBlank(b, i)
		if i < len(b) && b[i] == '<' {
			n := bytes.IndexByte(b[i:], '>')
			if n < 0 {
				return s, -1
			}
			return text.Trimmed(b, text.Span{Start: i + 1, End: i + n}), i + n + 1
		}
		i = elementEnd(b, i, false)
	}
	return s, -1
}

// elementEnd returns the offset after the comma that ends the element at i. Commas in strings do
// not end it. If comments is set, commas in comments do not end it either.
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

// nextListURL returns the span of the next URL of a List field (RFC 2369), and the offset after its
// element, or -1. The URL is in angle brackets, and may have white space inside. Some senders write
// a URL with a scheme between blanks instead. Text in comments and strings is not a URL.
func nextListURL(b []byte, i int) (s text.Span, next int) {
	for i < len(b) {
		i = text.SkipBlank(b, i)
		switch {
		case i == len(b):
		case b[i] == '<':
			n := bytes.IndexByte(b[i:], '>')
			if n < 0 {
				return s, -1
			}
			return text.Trimmed(b, text.Span{Start: i + 1, End: i + n}), elementEnd(b, i+n+1, true)
		case b[i] == '(':
			i = commentEnd(b, i)
		case b[i] == '"':
			i = quotedEnd(b, i)
		case b[i] == ',':
			i++
		default:
			n := wordEnd(b, i)
			if isAddress(b[i:n]) {
				return text.Span{Start: i, End: n}, elementEnd(b, n, true)
			}
			i = max(n, i+1)
		}
	}
	return s, -1
}

// commentEnd returns the offset after the comment that begins at i.
func commentEnd(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// wordEnd returns the end of the word at i, without the punctuation of a sentence at its end. A
// comma ends the word if another URL follows.
func wordEnd(b []byte, i int) int {
	end := i
	for end < len(b) && !ascii.Space.Has(b[end]) && b[end] != '<' && b[end] != '>' && b[end] != '"' {
		if b[end] == ',' && isAddress(b[end+1:]) {
			break
		}
		end++
	}
	for end > i && bytes.IndexByte([]byte(".,;)"), b[end-1]) >= 0 {
		end--
	}
	return end
}

// isAddress reports whether b begins with a URL that cannot be ordinary words: it has an authority,
// or the scheme mailto.
func isAddress(b []byte) bool {
	if text.HasPrefixFold(b, "mailto:") {
		return len(b) > len("mailto:")
	}
	n := 0
	for n < len(b) && (ascii.Alnum.Has(b[n]) || b[n] == '+' || b[n] == '-' || b[n] == '.') {
		n++
	}
	rest, ok := bytes.CutPrefix(b[n:], []byte("://"))
	return n > 0 && ok && len(rest) > 0
}
