package mime

import (
	"bytes"
	"strings"

	"absolink/extract"
	"absolink/resolve/ascii"
)

// gaps returns the places where a line end may be put into the leaf. Text that
// is no markup has none, nor has XML in which HTML sees other comments.
func (l *Leaf) gaps() []int {
	switch l.Entity.Format() {
	case extract.HTML:
		return attributeGaps(l.raw)
	case extract.XHTML, extract.XML, extract.SVG, extract.Feed, extract.OPML:
		if bytes.Contains(l.raw, []byte("<!--")) || bytes.Contains(l.raw, []byte("<![CDATA[")) {
			return nil
		}
		return attributeGaps(l.raw)
	}
	return nil
}

// attributeGaps returns the offsets of the white space that stands before an
// attribute of an HTML tag, in order. A line end there changes nothing but the
// white space of a tag. It errs on the side of none: text that switches
// character sets has no gaps, nor has what follows an unclosed comment, quote or
// raw text element, an element in which other rules hold for these (foreign
// content, select, frameset), or a script that may hold another in a comment.
func attributeGaps(b []byte) (gaps []int) {
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.Contains(b, []byte("~{")) || bytes.IndexByte(b, 0) >= 0 {
		return nil
	}
	for pos := 0; ; {
		i := bytes.IndexByte(b[pos:], '<')
		if i < 0 || pos+i+1 == len(b) {
			return gaps
		}
		switch pos += i + 1; {
		case ascii.IsAlpha(b[pos]):
			end := skipTo(b, pos, " \t\r\n\f/>")
			name := string(bytes.ToLower(b[pos:end])) // longer than it was, where it is no UTF-8
			gaps, pos = tagGaps(gaps, b, end)
			switch {
			case otherRules[name]:
				return gaps
			case rawText[name]:
				pos = afterRaw(b, pos, name)
			}
		default:
			pos = afterOther(b, pos)
		}
	}
}

// afterOther returns the offset after what begins with a "<" before pos and is
// no start tag: an end tag, a comment, a declaration or the "<" itself.
func afterOther(b []byte, pos int) int {
	switch rest := b[pos:]; {
	case bytes.HasPrefix(rest, []byte("!--")):
		return afterComment(b, pos+3)
	case len(rest) > 1 && rest[0] == '/' && ascii.IsAlpha(rest[1]):
		_, pos = tagGaps(nil, b, skipTo(b, pos+1, " \t\r\n\f/>"))
		return pos
	case rest[0] == '!' || rest[0] == '?' || rest[0] == '/':
		return after(b, pos, ">")
	}
	return pos
}

// afterComment returns the offset after the comment whose text begins at pos.
func afterComment(b []byte, pos int) int {
	for _, empty := range [...]string{">", "->"} {
		if bytes.HasPrefix(b[pos:], []byte(empty)) {
			return pos + len(empty)
		}
	}
	return min(after(b, pos, "-->"), after(b, pos, "--!>"))
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

var (
	rawText = map[string]bool{"script": true, "style": true, "textarea": true, "title": true, "xmp": true,
		"iframe": true, "noembed": true, "noframes": true}
	otherRules = map[string]bool{"svg": true, "math": true, "select": true, "frameset": true, "plaintext": true}
)

// afterRaw returns the offset of the end tag of a raw text element.
func afterRaw(b []byte, pos int, name string) int {
	for from := pos; ; {
		i := bytes.Index(b[from:], []byte("</"))
		if i < 0 {
			return len(b)
		}
		from += i + 2
		end := from + len(name)
		if end < len(b) && bytes.EqualFold(b[from:end], []byte(name)) && strings.IndexByte(" \t\r\n\f/>", b[end]) >= 0 {
			if name == "script" && bytes.Contains(b[pos:from], []byte("<!--")) {
				return len(b)
			}
			return from - 2
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
