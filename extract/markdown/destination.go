package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/text"

	own "absolink/extract/internal/text"
)

// destination is the destination of a link, an image or a definition.
type destination struct {
	own.Span      // offsets in the Markdown, without < and >
	pointed  bool // the destination stands in < and >
	sure     bool // CommonMark and goldmark find the same destination
}

// cursor is a position in the lines of a block.
type cursor struct {
	source []byte
	lines  *text.Segments
	line   int // index of the current line in lines
	at     int // offset of the next byte in source
}

// stop returns the end of the current line.
func (c *cursor) stop() int {
	if c.line >= c.lines.Len() {
		return c.at
	}
	return c.lines.At(c.line).Stop
}

// inline returns the destination of an inline link or image (CommonMark 6.3). The cursor is at the
// '(' before the destination. want is the destination that goldmark has found.
func (c *cursor) inline(want []byte) destination {
	if c.at >= c.stop() || c.source[c.at] != '(' {
		return c.disputed(want)
	}
	c.at++
	c.skipSpace()
	if c.at < c.stop() && c.source[c.at] == ')' {
		return destination{Span: own.Span{Start: c.at, End: c.at}, sure: len(want) == 0}
	}
	return c.destination(want)
}

// definition returns the destination of a definition (CommonMark 4.7). The cursor is at the
// beginning of the definition. want is the destination that goldmark has found.
func (c *cursor) definition(want []byte) destination {
	c.skipSpace()
	if c.at >= c.stop() || c.source[c.at] != '[' {
		return c.disputed(want)
	}
	c.at++
	if !c.skipLabel() || c.at >= c.stop() || c.source[c.at] != ':' {
		return c.disputed(want)
	}
	c.at++
	c.skipSpace()
	return c.destination(want)
}

// skipLabel moves after the ']' that ends a label. It returns false if there is none.
func (c *cursor) skipLabel() bool {
	for c.line < c.lines.Len() {
		for c.at < c.stop() {
			switch c.source[c.at] {
			case '\\':
				c.at++
			case '[':
				return false
			case ']':
				c.at++
				return true
			}
			c.at++
		}
		c.nextLine()
	}
	return false
}

// nextLine moves to the beginning of the next line.
func (c *cursor) nextLine() {
	c.line++
	if c.line < c.lines.Len() {
		c.at = c.lines.At(c.line).Start
	}
}

// skipSpace moves after white space and line ends.
func (c *cursor) skipSpace() {
	for {
		for c.at < c.stop() {
			if !isSpace(c.source[c.at]) {
				return
			}
			c.at++
		}
		if c.line+1 >= c.lines.Len() {
			return
		}
		c.nextLine()
	}
}

func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// destination returns the destination at the cursor. want is the destination that goldmark has
// found.
func (c *cursor) destination(want []byte) destination {
	rest := c.source[c.at:c.stop()]
	d := destination{Span: own.Span{Start: c.at}, sure: true}
	var n int
	if len(rest) > 0 && rest[0] == '<' {
		d.pointed = true
		d.Start++
		n = pointedLength(rest[1:])
	} else {
		n = plainLength(rest)
	}
	if n < 0 {
		return c.disputed(want)
	}
	d.End = d.Start + n
	return c.compared(d, want)
}

// compared returns d if goldmark has found the same destination. Otherwise it returns a disputed
// destination.
func (c *cursor) compared(d destination, want []byte) destination {
	after := d.End
	if d.pointed {
		after += len(">")
	}
	if after < c.stop() && !isSpace(c.source[after]) && c.source[after] != ')' {
		return c.disputed(want)
	}
	if at := offsetIn(c.source, want); at >= 0 && at != d.Start {
		return c.disputed(want)
	}
	if !bytes.Equal(c.source[d.Start:d.End], want) {
		return c.disputed(want)
	}
	return d
}

// disputed returns the destination that goldmark has found, as one that is not sure. If goldmark
// has copied the bytes, their offset is unknown, and the result is empty.
func (c *cursor) disputed(want []byte) destination {
	at := offsetIn(c.source, want)
	if at < 0 {
		at = min(c.at, len(c.source))
		want = nil
	}
	return destination{Span: own.Span{Start: at, End: at + len(want)}}
}

// pointedLength returns the length of the destination at the start of b, up to its '>'. It returns
// -1 if there is no such '>'. The '<' is before b.
func pointedLength(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			if i+1 < len(b) && isPunctuation(b[i+1]) {
				i++
			}
		case '>':
			return i
		case '<', '\n', '\r':
			return -1
		}
	}
	return -1
}

// maxParentheses is the number of parentheses that may be open in a destination. The reference
// parsers of CommonMark have this limit.
const maxParentheses = 32

// plainLength returns the length of the destination without < and > at the start of b. It returns
// -1 if the destination is empty, or has unbalanced or too many open parentheses.
func plainLength(b []byte) int {
	open := 0
	n := 0
	for n < len(b) && b[n] > ' ' && b[n] != 0x7f {
		c := b[n]
		if c == ')' && open == 0 {
			break
		}
		switch {
		case c == '\\' && n+1 < len(b) && isPunctuation(b[n+1]):
			n++
		case c == '(' && open == maxParentheses:
			return -1
		case c == '(':
			open++
		case c == ')':
			open--
		}
		n++
	}
	if open > 0 || n == 0 {
		return -1
	}
	return n
}

// isPunctuation reports whether c is an ASCII punctuation character (CommonMark 2.1).
func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// offsetIn returns the offset of part in source. It returns -1 if part is empty, or is not a slice
// of source. The capacities tell the offset, because the capacity of a slice of source ends where
// that of source ends.
func offsetIn(source, part []byte) int {
	at := cap(source) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(source) || &source[at] != &part[0] {
		return -1
	}
	return at
}
