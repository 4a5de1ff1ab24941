package markdown

import (
	"bytes"
	"slices"
	"sort"

	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/markup"
	"absolink/extract/internal/page"
	"absolink/extract/internal/reading"
	own "absolink/extract/internal/text"
)

// finder finds the references of one document.
type finder struct {
	*page.Finder
	readable []byte // Data as goldmark can read it, with the same offsets
	start    int    // offset in Data at which the Markdown begins
	source   []byte // the Markdown: readable from start on
	found    found
}

// newFinder returns a finder for the text of p, from its byte order mark on.
func newFinder(p *page.Finder) *finder {
	f := &finder{Finder: p, start: p.Text.Start()}
	f.readable = f.withoutTrailBytes(withLineFeeds(p.Data))
	f.source = f.readable[f.start:]
	return f
}

// documentOffset returns the offset in the document for an offset in the Markdown.
func (f *finder) documentOffset(at int) int {
	at += f.start
	return f.Source(own.Span{Start: at, End: at}).Start
}

// readableOf returns the part of readable for a span of the document.
func (f *finder) readableOf(s own.Span) []byte {
	if f.Doc.Whole.Identity() {
		return f.readable[s.Start:s.End]
	}
	offset := func(at int) int {
		return sort.Search(len(f.Data), func(i int) bool { return f.Source(own.Span{Start: i, End: i}).Start >= at })
	}
	return f.readable[offset(s.Start):offset(s.End)]
}

// text returns a segment of the Markdown in UTF-8.
func (f *finder) text(s text.Segment) []byte {
	e := f.Charset()
	raw := s.Value(f.source)
	if e == nil || own.IsASCII(raw) {
		return raw
	}
	return withLineFeeds(e.Decode(nil, f.Data[f.start+s.Start:f.start+s.Stop]))
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

// withoutTrailBytes returns data with the highest bit set in all bytes of characters that are not
// ASCII. In Shift_JIS, for example, a byte of such a character may be a backslash or a bracket.
// data is f.Data, or has the same characters at the same offsets. In UTF-8, withoutTrailBytes
// returns data itself.
func (f *finder) withoutTrailBytes(data []byte) []byte {
	if own.IsASCII(data) || f.Charset() == nil {
		return data
	}
	copied := slices.Clone(data)
	for i := 0; i < len(data); {
		n := own.ASCIILength(data[i:])
		i += n
		if n > 0 {
			continue
		}
		var buf [8]byte
		_, next, _ := f.Char(buf[:0], f.Data, i)
		for ; i < next; i++ {
			copied[i] |= 0x80
		}
	}
	return copied
}

// backslash replaces a backslash in a value, as programs do that write Markdown as HTML. A browser
// would read the character itself as a slash.
const backslash = "%5C"

// value returns the value of the destination between two offsets of f.Data. It decodes backslash
// escapes and character references (CommonMark 2.4 and 2.5).
func (f *finder) value(start, end int) reading.Value {
	raw := f.readable[:end]
	if bytes.IndexByte(raw[start:], '\\') < 0 && bytes.IndexByte(raw[start:], '&') < 0 {
		return f.Text.Text(start, end)
	}
	v := f.Begin(own.Span{Start: start, End: end})
	plain := start // start of the bytes that are not yet appended
	for i := start; i < end; {
		var buf [8]byte
		char, next := unescaped(buf[:0], raw, i)
		switch {
		case next == i && raw[i] == '\\':
			char = append(char, backslash...)
			next++
		case string(char) == `\`:
			char = append(char[:0], backslash...)
		case next == i:
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

// autolinkValue returns the value of an autolink, or of a URL in text, at a span of f.Data. The
// value begins with prefix.
func (f *finder) autolinkValue(at own.Span, prefix string) reading.Value {
	raw := f.readable[:at.End]
	if prefix == "" && bytes.IndexByte(raw[at.Start:], '\\') < 0 {
		return f.Text.Text(at.Start, at.End)
	}
	v := f.Begin(at)
	f.Decoded.AppendToken(own.Span{Start: at.Start, End: at.Start}, []byte(prefix))
	plain := at.Start
	for i := at.Start; i < at.End; i++ {
		if raw[i] == '\\' {
			v.Broken = f.AppendCharset(plain, i) || v.Broken
			f.Decoded.AppendToken(own.Span{Start: i, End: i + 1}, []byte(backslash))
			plain = i + 1
		}
	}
	v.Broken = f.AppendCharset(plain, at.End) || v.Broken
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
