package markdown

import (
	"errors"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// The parsers of parse.go count the steps that bounds.go cannot estimate. If a document takes more
// than mostTime of them, a panic ends the parse.

// errTooMuchWork is the value of the panic that ends a parse.
var errTooMuchWork = errors.New("the document makes the parser too slow")

// work counts steps of a parse.
type work int64

// add adds n steps. It panics if there are too many.
func (w *work) add(n int64) {
	*w += work(n)
	if *w > mostTime {
		panic(errTooMuchWork)
	}
}

// openBracket is the name of goldmark's kind for an open bracket, which is not exported.
const openBracket = "LinkLabelState"

// addLinkSearch adds the steps in which goldmark searches the text after the last open bracket for
// a link, because a link contains no other link. last is the last node of the text.
func (w *work) addLinkSearch(last ast.Node) {
	for n := last; n != nil && n.Kind().String() != openBracket; n = n.PreviousSibling() {
		w.add(nodeSteps)
		w.addLinkSearch(n.LastChild())
	}
}

// counter is a text.Reader that counts the steps of FindClosure and Match.
type counter struct {
	text.Reader
	work *work
}

// lineCounter is a counter that also counts the bytes of each line that a parser looks at.
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

// Match does what the Match of text.Reader does, but reads with ReadRune of c, which counts.
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
