package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/text"

	own "absolink/extract/internal/text"
)

// destination is the destination of a link, an image or a definition.
type destination struct {
	own.Span      // without brackets, in the Markdown
	pointed  bool // it stands in < and >
	sure     bool // CommonMark and goldmark find the same destination
}

// cursor reads the lines of a block.
type cursor struct {
	source []byte
	lines  *text.Segments
	line   int
	at     int // offset of the next byte
}

// stop returns the end of the current line.
func (c *cursor) stop() int {
	if c.line >= c.lines.Len() {
		return c.at
	}
	return c.lines.At(c.line).Stop
}

// inline returns the destination of an inline link or image (CommonMark 6.3). The cursor is at its
// opening parenthesis. want is the destination that goldmark has found.
func (c *cursor) inline(want []byte) destination {
	if c.at >= c.stop() || c.source[c.at] != '(' {
		return c.disputed(want)
	}
	c.at++
	c.skipSpace()
	if c.at < c.stop() && c.source[c.at] == ')' {
		return destination{own.Span{Start: c.at, End: c.at}, false, len(want) == 0}
	}
	return c.destination(want)
}

// definition returns the destination of a definition (CommonMark 4.7). The cursor is at its
// beginning.
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

// skipLabel moves behind the bracket that ends a label. It returns false if there is none.
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

// skipSpace moves behind blanks and line ends.
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

// maxParentheses is the number of parentheses that may be open in a destination. The reference
// parsers have this limit.
const maxParentheses = 32

// destination returns the destination at the cursor.
func (c *cursor) destination(want []byte) destination {
	end := c.stop()
	if c.at < end && c.source[c.at] == '<' {
		start := c.at + 1
		n := pointedEnd(c.source[start:end])
		if n < 0 {
			return c.disputed(want)
		}
		return c.compared(destination{own.Span{Start: start, End: start + n}, true, true}, want)
	}
	n := bareEnd(c.source[c.at:end])
	if n <= 0 {
		return c.disputed(want)
	}
	return c.compared(destination{own.Span{Start: c.at, End: c.at + n}, false, true}, want)
}

// compared returns d if goldmark has found it, too. Otherwise it returns a disputed destination.
func (c *cursor) compared(d destination, want []byte) destination {
	at := offsetIn(c.source, want)
	after := d.End
	if d.pointed {
		after++
	}
	ends := after >= c.stop() || isSpace(c.source[after]) || c.source[after] == ')'
	if !ends || !bytes.Equal(c.source[d.Start:d.End], want) || at >= 0 && at != d.Start {
		return c.disputed(want)
	}
	return d
}

// disputed returns the destination that goldmark has found, and that is not sure. If want is a
// copy, the destination is empty.
func (c *cursor) disputed(want []byte) destination {
	at := offsetIn(c.source, want)
	if at < 0 {
		at = min(c.at, len(c.source))
		want = nil
	}
	return destination{own.Span{Start: at, End: at + len(want)}, false, false}
}

// pointedEnd returns the length of the destination before a >, or -1.
func pointedEnd(b []byte) int {
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

// bareEnd returns the length of a destination without brackets, or -1 if its parentheses are not
// balanced.
func bareEnd(b []byte) int {
	open := 0
	i := 0
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c <= ' ' || c == 0x7f:
			return balanced(i, open)
		case c == '\\' && i+1 < len(b) && isPunctuation(b[i+1]):
			i++
		case c == '(':
			open++
			if open > maxParentheses {
				return -1
			}
		case c == ')':
			if open == 0 {
				return i
			}
			open--
		}
	}
	return balanced(i, open)
}

// balanced returns n, or -1 if a parenthesis is open.
func balanced(n, open int) int {
	if open > 0 {
		return -1
	}
	return n
}

// isPunctuation reports whether c is an ASCII punctuation character (CommonMark 2.1).
func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// offsetIn returns the offset in source of a part of it, or -1 if part is a copy.
func offsetIn(source, part []byte) int {
	at := cap(source) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(source) || &source[at] != &part[0] {
		return -1
	}
	return at
}
