package css

import (
	"bytes"

	"absolink/extract/internal/byteset"
	"absolink/resolve/ascii"
)

// class groups bytes by the tokens that they can begin.
type class uint8

const (
	plain class = iota
	quote
	slash
	paren
	closing
	escape
	atSign
	ending // ends the prelude of an at-rule
)

var classes = [256]class{
	'"': quote, '\'': quote,
	'/': slash, '(': paren, ')': closing, '\\': escape, '@': atSign,
	'{': ending, '}': ending, ';': ending,
}

// Bytes that end a run of literal bytes: in a string with either quote, and in an unquoted url. The
// runs can be long, because style sheets contain whole pictures and fonts.
var (
	doubleQuoted = byteset.New(func(c byte) bool { return c == '"' || c == '\\' || c < ' ' })
	singleQuoted = byteset.New(func(c byte) bool { return c == '\'' || c == '\\' || c < ' ' })
	unquoted     = byteset.New(func(c byte) bool {
		return c <= ' ' || c == '"' || c == '\'' || c == '(' || c == ')' || c == '\\' || c == 0x7f
	})
)

// quoted returns the bytes that end a run of literal bytes in a string with the given quote.
func quoted(quote byte) *byteset.Set {
	if quote == '"' {
		return doubleQuoted
	}
	return singleQuoted
}

// stringEnd returns the offset after the string whose quote is at i, and whether the string
// contains escapes or NUL. good is false if a line end cuts the string off.
func (s *Scanner) stringEnd(i int) (end int, escaped, good bool) {
	q := s.data[i]
	stop := quoted(q)
	for i = stop.Index(s.data, i+1); i < len(s.data); i = stop.Index(s.data, i+1) {
		switch c := s.data[i]; c {
		case q:
			return i + 1, escaped, true
		case '\n', '\r', '\f':
			return i, escaped, false
		case 0:
			escaped = true
		case '\\':
			escaped = true
			i = escapeEnd(s.data, i) - 1
		}
	}
	return len(s.data), escaped, true
}

// commentEnd returns the offset after the comment that begins with the '/' at i. Without a comment
// it returns the offset after the '/'.
func commentEnd(data []byte, i int) int {
	i++
	if i >= len(data) || data[i] != '*' {
		return i
	}
	n := bytes.Index(data[i+1:], []byte("*/"))
	if n < 0 {
		return len(data)
	}
	return i + n + 3
}

// isNameByte reports whether c may be in a name without an escape.
func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80 || c == 0
}

// nameEnd returns the end of the name that begins at i (4.3.11).
func nameEnd(data []byte, i int) int {
	for i < len(data) {
		switch {
		case isNameByte(data[i]):
			i++
		case data[i] == '\\' && (i+1 >= len(data) || !isNewline(data[i+1])):
			i = escapeEnd(data, i)
		default:
			return i
		}
	}
	return i
}

// skipSpace returns the offset after the white space at i.
func skipSpace(data []byte, i int) int {
	for i < len(data) && ascii.Space.Has(data[i]) {
		i++
	}
	return i
}
