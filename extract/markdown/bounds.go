package markdown

import (
	"bytes"
	"errors"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"absolink/resolve/ascii"
)

// goldmark 1.8.7 takes memory for each line and each bracket, 795 MB for 2 MB of '['. Its time is
// quadratic in the depth of containers, in the lines of a paragraph with brackets, and in brackets
// that nothing closes. A document may take 256 MB and 5 seconds in all. So its memory and time are
// estimated before goldmark reads it. Steps that cannot be estimated are counted while the parsers
// of inlines run. If there are too many, a panic ends the parse.

// The bounds of a document.
const (
	largest    = 4 << 20   // bytes
	mostMemory = 150 << 20 // bytes, as estimated
	mostTime   = 400 << 20 // steps, as estimated and counted
	deepest    = 200       // containers: quotes, lists and footnotes
)

// The memory in bytes that goldmark takes for a line and for certain characters, as measured.
const (
	lineMemory    = 430
	itemMemory    = 950 // a line that begins with the mark of a list, or a heading
	markMemory    = 400 // the mark of a container
	cellMemory    = 500 // of a table
	bracketMemory = 800
	tagMemory     = 640 // "<" and what may begin a URL
)

// The steps of goldmark for a closing bracket, and for each byte that it searches for the end of
// something, such as a destination.
const (
	bracketSteps = 100
	searchSteps  = 4
)

// estimate is the estimate for a document.
type estimate struct {
	memory, time int64 // a document of 4 MB may have an estimate above 2 GiB
	columns      []int // of the marks of the containers that are open, or may be
	paragraph    paragraph
}

// paragraph is a run of lines that are not blank.
type paragraph struct {
	lines int
	cells int // in the delimiter row with the most cells
}

// isBeyondBounds reports whether a document is too large or too complex for goldmark.
func isBeyondBounds(source []byte) bool {
	if len(source) > largest {
		return true
	}
	var e estimate
	for len(source) > 0 {
		n := bytes.IndexByte(source, '\n') + 1
		if n == 0 {
			n = len(source)
		}
		if !e.line(source[:n]) {
			return true
		}
		source = source[n:]
	}
	return !e.endParagraph()
}

// line adds a line, and returns false if the document is beyond its bounds.
func (e *estimate) line(line []byte) bool {
	prefix, item := e.containers(line)
	if len(e.columns) > deepest {
		return false
	}
	e.time += int64(len(e.columns)) * int64(prefix)
	e.memory += lineMemory
	if item {
		e.memory += itemMemory - lineMemory
	}
	p := &e.paragraph
	if len(bytes.TrimSpace(line)) == 0 {
		return e.endParagraph()
	}
	p.lines++
	bars := 0
	e.memory += int64(bytes.Count(line, []byte("www."))) * tagMemory
	for _, c := range line {
		switch c {
		case '[':
			e.memory += bracketMemory
		case ']':
			e.time += bracketSteps
		case '<', ':':
			e.memory += tagMemory
		case '|':
			bars++
		}
	}
	if isDelimiters(line) {
		p.cells = max(p.cells, bars+1)
	}
	return e.memory <= mostMemory && e.time <= mostTime
}

// endParagraph adds what depends on a whole paragraph, and returns false if the document is beyond
// its bounds.
func (e *estimate) endParagraph() bool {
	p := &e.paragraph
	e.memory += int64(p.lines) * int64(p.cells) * cellMemory
	*p = paragraph{}
	return e.memory <= mostMemory && e.time <= mostTime
}

// containers notes the marks of containers at the beginning of a line. It returns the number of
// bytes before the text, and whether one of the marks begins an item, or the line is a heading.
func (e *estimate) containers(line []byte) (prefix int, item bool) {
	first := true
	i := 0
	for i < len(line) {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		n := markLength(line[i:])
		if n == 0 {
			break
		}
		for first && len(e.columns) > 0 && e.columns[len(e.columns)-1] >= i {
			e.columns = e.columns[:len(e.columns)-1]
		}
		first = false
		e.columns = append(e.columns, i)
		e.memory += markMemory
		if len(e.columns) > deepest {
			return i, item
		}
		item = item || line[i] != '>'
		i += n
	}
	return i, item || i < len(line) && line[i] == '#'
}

// markLength returns the length of the mark of a container at the start of b, or 0.
func markLength(b []byte) int {
	switch b[0] {
	case '>':
		return 1
	case '[':
		return footnoteMark(b)
	case '-', '+', '*':
		return spaced(b, 1)
	}
	n := 0
	for n < len(b) && n < 9 && ascii.Digit.Has(b[n]) {
		n++
	}
	if n > 0 && n < len(b) && (b[n] == '.' || b[n] == ')') {
		return spaced(b, n+1)
	}
	return 0
}

// spaced returns n if white space or nothing follows the first n bytes of b, otherwise 0.
func spaced(b []byte, n int) int {
	if n < len(b) && !isSpace(b[n]) {
		return 0
	}
	return n
}

// isDelimiters reports whether a line may be the delimiter row of a table.
func isDelimiters(line []byte) bool {
	for _, c := range line {
		switch c {
		case '|', '-', ':', '>', ' ', '\t', '\r', '\n':
		default:
			return false
		}
	}
	return bytes.IndexByte(line, '-') >= 0
}

// errTooMuchWork is the panic that ends a parse.
var errTooMuchWork = errors.New("the document makes the parser too slow")

// work counts steps of the parsers of inlines.
type work int64

// add adds steps. It panics if there are too many.
func (w *work) add(n int64) {
	*w += work(n)
	if *w > mostTime {
		panic(errTooMuchWork)
	}
}

// nodeSteps is the number of steps for a visit of a node, and for a character that a regular
// expression reads.
const nodeSteps = 40

// siblings adds the steps in which goldmark checks that the text after the last open bracket has no
// link.
func (w *work) siblings(n ast.Node) {
	for ; n != nil && n.Kind().String() != "LinkLabelState"; n = n.PreviousSibling() {
		w.add(nodeSteps)
		w.siblings(n.LastChild())
	}
}

// counter is a text.Reader that counts the steps of FindClosure and Match.
type counter struct {
	text.Reader
	work *work
}

// lineCounter is a counter that also counts each line that is peeked at.
type lineCounter struct{ counter }

func (c *lineCounter) PeekLine() ([]byte, text.Segment) {
	line, s := c.Reader.PeekLine()
	c.work.add(int64(len(line)) * searchSteps)
	return line, s
}

func (c *counter) FindClosure(opener, closer byte, o text.FindClosureOptions) (*text.Segments, bool) {
	_, before := c.Position()
	s, ok := c.Reader.FindClosure(opener, closer, o)
	_, after := c.Position()
	c.work.add(int64(max(after.Start-before.Start, 0)+1) * searchSteps)
	return s, ok
}

func (c *counter) ReadRune() (r rune, size int, err error) {
	c.work.add(nodeSteps)
	return c.Reader.ReadRune()
}

func (c *counter) Match(e *regexp.Regexp) bool {
	line, at := c.Position()
	match := e.FindReaderSubmatchIndex(c)
	c.SetPosition(line, at)
	if match == nil {
		return false
	}
	c.Advance(match[1] - match[0])
	return true
}
