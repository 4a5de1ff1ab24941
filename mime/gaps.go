package mime

import (
	"bytes"
	"strings"
)

// attributeGaps returns the offsets of the white space that stands before an
// attribute of an HTML tag, in order. A line end there changes nothing but the
// white space of a tag. It errs on the side of none: text that switches
// character sets has no gaps, nor has what follows an unclosed comment, quote or
// raw text element.
func attributeGaps(b []byte) (gaps []int) {
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.Contains(b, []byte("~{")) || bytes.IndexByte(b, 0) >= 0 {
		return nil
	}
	for pos := 0; ; {
		i := bytes.IndexByte(b[pos:], '<')
		if i < 0 {
			return gaps
		}
		pos += i + 1
		switch rest := b[pos:]; {
		case bytes.HasPrefix(rest, []byte("!--")):
			pos = after(b, pos+3, "-->")
		case len(rest) > 0 && isLetter(rest[0]):
			name := b[pos:skipTo(b, pos, " \t\r\n\f/>")]
			gaps, pos = tagGaps(gaps, b, pos+len(name))
			if rawText[string(bytes.ToLower(name))] {
				pos = afterRaw(b, pos, name)
			}
		}
	}
}

// tagGaps appends the gaps of the tag whose attributes begin at pos and returns
// the offset after the tag.
func tagGaps(gaps []int, b []byte, pos int) ([]int, int) {
	for pos < len(b) {
		gap := pos
		pos = skip(b, pos, " \t\r\n\f/")
		switch {
		case pos == len(b):
			return gaps, pos
		case b[pos] == '>':
			return gaps, pos + 1
		case b[gap] == ' ' || b[gap] == '\t':
			gaps = append(gaps, gap)
		}
		pos = skipTo(b, pos+1, "= \t\r\n\f/>")
		if value := skip(b, pos, " \t\r\n\f"); value < len(b) && b[value] == '=' {
			pos = valueEnd(b, skip(b, value+1, " \t\r\n\f"))
		}
	}
	return gaps, pos
}

// valueEnd returns the offset after the attribute value at pos.
func valueEnd(b []byte, pos int) int {
	if pos < len(b) && (b[pos] == '"' || b[pos] == '\'') {
		return after(b, pos+1, string(b[pos]))
	}
	return skipTo(b, pos, " \t\r\n\f>")
}

var rawText = map[string]bool{"script": true, "style": true, "textarea": true, "title": true, "xmp": true,
	"iframe": true, "noembed": true, "noframes": true, "plaintext": true}

// afterRaw returns the offset of the end tag of a raw text element.
func afterRaw(b []byte, pos int, name []byte) int {
	for {
		i := bytes.Index(b[pos:], []byte("</"))
		if i < 0 {
			return len(b)
		}
		pos += i + 2
		if len(b)-pos >= len(name) && bytes.EqualFold(b[pos:pos+len(name)], name) {
			return pos
		}
	}
}

// after returns the offset after the next occurrence of s, or that of the end.
func after(b []byte, pos int, s string) int {
	pos = min(pos, len(b))
	if i := bytes.Index(b[pos:], []byte(s)); i >= 0 {
		return pos + i + len(s)
	}
	return len(b)
}

func skip(b []byte, pos int, set string) int {
	for pos < len(b) && strings.IndexByte(set, b[pos]) >= 0 {
		pos++
	}
	return pos
}

func skipTo(b []byte, pos int, set string) int {
	for pos < len(b) && strings.IndexByte(set, b[pos]) < 0 {
		pos++
	}
	return min(pos, len(b))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
