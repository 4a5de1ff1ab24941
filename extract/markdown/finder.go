package markdown

import (
	"bytes"
	"slices"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/page"
	"absolink/extract/internal/reading"
	own "absolink/extract/internal/text"
)

// finder finds the references of one document.
type finder struct {
	*page.Finder
	start  int    // offset in Data at which the Markdown begins
	source []byte // the Markdown that goldmark reads: Data from start on, with LF for a CR alone
	found  found
}

// documentOffset returns the offset in the document for an offset in the Markdown.
func (f *finder) documentOffset(at int) int {
	at += f.start
	return f.Source(own.Span{Start: at, End: at}).Start
}

// withLineFeeds returns data with a line feed for each carriage return that stands alone. In
// CommonMark (2.1) these are line ends, but not in goldmark. If there are none, withLineFeeds
// returns data itself.
func withLineFeeds(data []byte) []byte {
	var copied []byte
	for i := 0; ; i++ {
		n := bytes.IndexByte(data[i:], '\r')
		if n < 0 {
			break
		}
		i += n
		if i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		if copied == nil {
			copied = slices.Clone(data)
		}
		copied[i] = '\n'
	}
	if copied != nil {
		return copied
	}
	return data
}

// value returns the value of the destination between two offsets of f.Data. It decodes backslash
// escapes and character references (CommonMark 2.4 and 2.5).
func (f *finder) value(start, end int) reading.Value {
	raw := f.Data[start:end]
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '&') < 0 {
		return f.Text.Text(start, end)
	}
	v := f.Begin(own.Span{Start: start, End: end})
	plain := start // start of the bytes that are not yet appended
	for i := start; i < end; {
		var buf [8]byte
		char, next := unescaped(buf[:0], f.Data[:end], i)
		if next == i {
			i++
			continue
		}
		v.Broken = f.AppendCharset(plain, i) || v.Broken
		f.Decoded.AppendToken(own.Span{Start: i, End: next}, char)
		i = next
		plain = next
	}
	v.Broken = f.AppendCharset(plain, end) || v.Broken
	return f.Taken(v)
}

// unescaped decodes the escape or character reference at data[i]. It appends the character to dst,
// and returns the offset after the escape or reference. The offset is i if there is none.
func unescaped(dst, data []byte, i int) (out []byte, next int) {
	switch data[i] {
	case '\\':
		if i+1 < len(data) && isPunctuation(data[i+1]) {
			return append(dst, data[i+1]), i + 2
		}
	case '&':
		if n := referenceLength(data[i:]); n > 0 {
			out, next = markup.AppendReference(dst, data[:i+n], i, true)
			if next == i+n {
				return out, next
			}
		}
	}
	return dst, i
}

// longestReference is the number of bytes of the longest character reference,
// "&CounterClockwiseContourIntegral;".
const longestReference = 33

// referenceLength returns the length of the bytes at the start of b that look like a character
// reference, or 0. In CommonMark a reference ends with a semicolon.
func referenceLength(b []byte) int {
	for i := 1; i < min(len(b), longestReference); i++ {
		switch c := b[i]; {
		case c == ';':
			if i == 1 {
				return 0
			}
			return i + 1
		case c == '#' && i == 1, '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		default:
			return 0
		}
	}
	return 0
}

// hasReference reports whether b contains a character reference.
func hasReference(b []byte) bool {
	for i := range b {
		if b[i] != '&' {
			continue
		}
		var buf [8]byte
		if _, next := unescaped(buf[:0], b, i); next > i {
			return true
		}
	}
	return false
}
