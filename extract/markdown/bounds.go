package markdown

import (
	"bytes"

	"absolink/resolve/ascii"
)

// goldmark 1.8.7 takes memory for each line and each bracket: 795 MB for 2 MB of '['. Its time is
// quadratic in the depth of containers, in the lines of a paragraph with brackets, and in brackets
// that nothing closes. A document may take at most 256 MB and 5 seconds. So both are estimated from
// the lines of the document before goldmark reads it.
//
// The unit of time is a step. Some steps depend on the structure that goldmark finds. They are
// counted during the parse: see steps.go.

// The bounds of a document.
const (
	largest    = 4 << 20   // size in bytes
	mostMatter = 1 << 20   // size of front matter in bytes
	mostMemory = 150 << 20 // bytes, as estimated
	mostTime   = 400 << 20 // steps; both the estimated and the counted steps must stay below it
	deepest    = 200       // containers in each other: quotes, lists and footnotes
)

// The memory in bytes that goldmark takes, as measured.
const (
	lineMemory    = 430 // of a line
	itemMemory    = 950 // of a line that is a heading, or has the mark of an item or footnote
	markMemory    = 400 // of the mark of a container
	cellMemory    = 500 // of a cell of a table
	bracketMemory = 800 // of a '['
	tagMemory     = 640 // of a '<', which may begin a tag, and of a ':' or "www.", which may be in a URL
	escapeMemory  = 100 // of a backslash, whose offset is kept if it is in a destination
)

// The steps that goldmark takes.
const (
	bracketSteps = 100 // for a ']'
	searchSteps  = 4   // for a byte that is searched for the end of a destination or the like
	nodeSteps    = 40  // for a visit of a node, and for a character that a regular expression reads
)

// estimate is the estimated cost of the lines of a document so far.
type estimate struct {
	memory    int64 // bytes; a document of 4 MB may have more than 2 GiB
	time      int64 // steps
	marks     []int // for each container that may be open, the offset of its mark in the line
	paragraph paragraph
}

// paragraph is a run of lines that are not blank.
type paragraph struct {
	lines int
	cells int // in the longest delimiter row of a table
}

// isBeyondBounds reports whether Markdown is too complex for goldmark.
func isBeyondBounds(source []byte) bool {
	var e estimate
	for len(source) > 0 {
		n := bytes.IndexByte(source, '\n') + 1
		if n == 0 {
			n = len(source)
		}
		if !e.addLine(source[:n]) {
			return true
		}
		source = source[n:]
	}
	return !e.endParagraph()
}

// addLine adds the cost of a line. It returns false if the document is beyond its bounds.
func (e *estimate) addLine(line []byte) bool {
	text, isItem := e.addMarks(line)
	if len(e.marks) > deepest {
		return false
	}
	e.time += int64(len(e.marks)) * int64(text)
	if isItem {
		e.memory += itemMemory
	} else {
		e.memory += lineMemory
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return e.endParagraph()
	}
	e.addCharacters(line)
	return e.isWithinBounds()
}

func (e *estimate) isWithinBounds() bool { return e.memory <= mostMemory && e.time <= mostTime }

// addCharacters adds the cost of the characters in a line, and adds the line to the paragraph.
func (e *estimate) addCharacters(line []byte) {
	e.memory += int64(bytes.Count(line, []byte("www."))) * tagMemory
	bars := 0
	for _, c := range line {
		switch c {
		case '[':
			e.memory += bracketMemory
		case ']':
			e.time += bracketSteps
		case '<', ':':
			e.memory += tagMemory
		case '\\':
			e.memory += escapeMemory
		case '|':
			bars++
		}
	}
	p := &e.paragraph
	p.lines++
	if mayDelimit(line) {
		p.cells = max(p.cells, bars+1)
	}
}

// endParagraph adds the cost of the cells of a table, which is known at the end of the paragraph.
// It returns false if the document is beyond its bounds.
func (e *estimate) endParagraph() bool {
	p := &e.paragraph
	e.memory += int64(p.lines) * int64(p.cells) * cellMemory
	*p = paragraph{}
	return e.isWithinBounds()
}

// addMarks adds the cost of the marks of containers at the beginning of a line. It returns the
// offset of the text after the marks. isItem says that the line is a heading, or has the mark of an
// item or a footnote. If there are more than deepest marks, addMarks stops at once.
func (e *estimate) addMarks(line []byte) (text int, isItem bool) {
	hasMark := false
	at := indentation(line)
	for at < len(line) && len(e.marks) <= deepest {
		n := markLength(line[at:])
		if n == 0 {
			break
		}
		if !hasMark {
			e.closeContainers(at)
		}
		hasMark = true
		isItem = isItem || line[at] != '>'
		e.marks = append(e.marks, at)
		e.memory += markMemory
		at += n
		at += indentation(line[at:])
	}
	isHeading := at < len(line) && line[at] == '#'
	return at, isItem || isHeading
}

// indentation returns the number of blanks and tabs at the start of b.
func indentation(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

// closeContainers begins a line whose first mark is at an offset. It closes the containers whose
// marks do not stand before this offset.
func (e *estimate) closeContainers(at int) {
	n := len(e.marks)
	for n > 0 && e.marks[n-1] >= at {
		n--
	}
	e.marks = e.marks[:n]
}

// markLength returns the length of the mark of a container at the start of b, or 0.
func markLength(b []byte) int {
	switch b[0] {
	case '>':
		return 1
	case '[':
		return footnoteMark(b)
	case '-', '+', '*':
		return spacedLength(b, 1)
	}
	n := 0
	for n < len(b) && n < 9 && ascii.Digit.Has(b[n]) {
		n++
	}
	if n > 0 && n < len(b) && (b[n] == '.' || b[n] == ')') {
		return spacedLength(b, n+1)
	}
	return 0
}

// spacedLength returns n, the length of the mark at the start of b, if white space or nothing
// follows the mark. Otherwise it returns 0.
func spacedLength(b []byte, n int) int {
	if n < len(b) && !isSpace(b[n]) {
		return 0
	}
	return n
}

// mayDelimit reports whether a line may be the delimiter row of a table, perhaps in a quote.
func mayDelimit(line []byte) bool {
	for _, c := range line {
		switch c {
		case '|', '-', ':', '>', ' ', '\t', '\r', '\n':
		default:
			return false
		}
	}
	return bytes.IndexByte(line, '-') >= 0
}
