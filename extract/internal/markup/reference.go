package markup

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

// maxName is the length of the longest named reference with its semicolon. maxLegacy is the length
// of the longest one without a semicolon.
const (
	maxName   = len("CounterClockwiseContourIntegral;")
	maxLegacy = len("Aacute")
)

// NextReference decodes the character reference at data[i], which is '&' (HTML 13.2.5.72–80). attr
// reports whether data is an attribute value. In a value a named reference without a semicolon is
// not decoded if '=' or an alphanumeric follows. NextReference returns the decoded text and the
// offset after the reference. ok is false if the '&' is literal.
func NextReference(data []byte, i int, attr bool) (text string, end int, ok bool) {
	if i+1 < len(data) && data[i+1] == '#' {
		r, end, ok := numericReference(data, i+2)
		if !ok {
			return "", i, false
		}
		return string(r), end, true
	}
	return namedReference(data, i, attr)
}

// AppendUnescaped appends src to dst with its character references decoded. It allocates nothing if
// dst has room.
func AppendUnescaped(dst, src []byte, attr bool) []byte {
	for {
		n := bytes.IndexByte(src, '&')
		if n < 0 {
			return append(dst, src...)
		}
		dst = append(dst, src[:n]...)
		dst, n = AppendReference(dst, src, n, attr)
		src = src[n:]
	}
}

// AppendReference appends the decoded reference at data[i], which is '&', to dst. If no reference
// begins there, it appends the '&'. It returns the offset after the bytes that it read.
func AppendReference(dst, data []byte, i int, attr bool) ([]byte, int) {
	if i+1 < len(data) && data[i+1] == '#' {
		if r, end, ok := numericReference(data, i+2); ok {
			return utf8.AppendRune(dst, r), end
		}
	} else if text, end, ok := namedReference(data, i, attr); ok {
		return append(dst, text...), end
	}
	return append(dst, '&'), i + 1
}

// namedReference finds the longest name of the table at data[i+1:].
func namedReference(data []byte, i int, attr bool) (text string, end int, ok bool) {
	start := i + 1
	if bytes.HasPrefix(data[start:], []byte("amp;")) { // nearly all references in URLs
		return "&", start + len("amp;"), true
	}
	end = start
	for end < len(data) && end-start < maxName && class[data[end]]&alnum != 0 {
		end++
	}
	if end < len(data) && data[end] == ';' {
		if text, ok := lookupReference(data[start : end+1]); ok {
			return text, end + 1, true
		}
	}
	for e := min(end, start+maxLegacy); e > start+1; e-- {
		text, ok := lookupReference(data[start:e])
		if !ok {
			continue
		}
		if attr && e < len(data) && (data[e] == '=' || class[data[e]]&alnum != 0) {
			return "", i, false
		}
		return text, e, true
	}
	return "", i, false
}

// lookupReference finds a name of the table.
func lookupReference(name []byte) (text string, ok bool) {
	n := sort.Search(len(references), func(i int) bool { return references[i].name >= string(name) })
	if n == len(references) || references[n].name != string(name) {
		return "", false
	}
	return references[n].text, true
}

// numericReference decodes the number at data[i], after "&#".
func numericReference(data []byte, i int) (r rune, end int, ok bool) {
	base := 10
	if i < len(data) && data[i]|0x20 == 'x' {
		base = 16
		i++
	}
	start, n := i, 0
	for ; i < len(data); i++ {
		d := ascii.Hex(data[i])
		if d < 0 || d >= base {
			break
		}
		if n <= utf8.MaxRune {
			n = n*base + d
		}
	}
	if i == start {
		return 0, 0, false
	}
	if i < len(data) && data[i] == ';' {
		i++
	}
	return codePoint(n), i, true
}

// codePoint returns the character of a numeric reference (13.2.5.80). It is U+FFFD for an invalid
// number. A C1 control becomes the character of windows-1252 with this number, if there is one.
func codePoint(n int) rune {
	switch {
	case n == 0, !utf8.ValidRune(rune(n)):
		return utf8.RuneError
	case 0x80 <= n && n <= 0x9F:
		return windows1252[n-0x80]
	}
	return rune(n)
}

// windows1252 is the table of 13.2.5.80, from 0x80 on.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}
