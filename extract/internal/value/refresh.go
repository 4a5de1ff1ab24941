package value

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// refreshURL returns the span of the URL of a refresh, and the quote around it or 0. It follows the
// shared declarative refresh steps of the HTML Standard (4.2.5.3). ok is false if b has no URL.
func refreshURL(b []byte) (s text.Span, quote byte, ok bool) {
	i, ok := refreshTime(b)
	if !ok || i == len(b) {
		return s, 0, false
	}
	s = text.Span{Start: i + urlLength(b[i:]), End: len(b)}
	if s.Start == s.End || b[s.Start] != '"' && b[s.Start] != '\'' {
		return text.Trimmed(b, s), 0, true
	}
	quote = b[s.Start]
	s.Start++
	if n := bytes.IndexByte(b[s.Start:], quote); n >= 0 {
		s.End = s.Start + n
	}
	return s, quote, true
}

// refreshTime reads the delay and the separator before the URL. It returns the offset of the URL.
// ok is false if b is not a refresh.
func refreshTime(b []byte) (i int, ok bool) {
	i = text.SkipBlank(b, 0)
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start && (i == len(b) || b[i] != '.') {
		return 0, false
	}
	for i < len(b) && ('0' <= b[i] && b[i] <= '9' || b[i] == '.') {
		i++
	}
	if i < len(b) && b[i] != ';' && b[i] != ',' && !ascii.Space.Has(b[i]) {
		return 0, false
	}
	i = text.SkipBlank(b, i)
	if i < len(b) && (b[i] == ';' || b[i] == ',') {
		i++
	}
	return text.SkipBlank(b, i), true
}

// urlLength returns the length of "url =" and the white space around it at the start of b, or 0.
func urlLength(b []byte) int {
	if !text.HasPrefixFold(b, "url") {
		return 0
	}
	i := text.SkipBlank(b, len("url"))
	if i == len(b) || b[i] != '=' {
		return 0
	}
	return text.SkipBlank(b, i+1)
}
