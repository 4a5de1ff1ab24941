package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// This file parses tables (GitHub Flavored Markdown 0.29 Section 4.10), footnotes and struck text
// (Section 6.5), only as far as links and the texts of links and headings depend on them. The
// package goldmark/extension would compile regular expressions at each start of the program.

// tables is the transformer of paragraphs that contain a table. Each cell becomes a block of text,
// so that no link reaches into the next cell. The cells follow the rest of the paragraph, in no
// particular order.
type tables struct{}

func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	lines := p.Lines()
	at, columns := delimiterRow(source, lines)
	if columns == 0 || len(cells(source, lines.At(at-1))) != columns {
		return
	}
	for i := at - 1; i < lines.Len(); i++ {
		if i == at {
			continue
		}
		row := cells(source, lines.At(i))
		for _, s := range row[:min(len(row), columns)] { // further cells are not shown
			cell := ast.NewTextBlock()
			cell.Lines().Append(s)
			p.Parent().InsertAfter(p.Parent(), p, cell)
		}
	}
	lines.SetSliced(0, at-1)
	if at == 1 {
		p.Parent().RemoveChild(p.Parent(), p) // otherwise the next line could become its underline
	}
}

// rows is the parser of paragraphs, and of the rows of tables in them. An indented line ends a
// table: GitHub shows it as code. So rows skips the line, and ends the paragraph there.
type rows struct{ parser.BlockParser }

func (p rows) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	indent, _ := util.IndentWidth(line, reader.LineOffset())
	if indent > 3 && !util.IsBlank(line) && pc.Get(foundKey).(*found).table.isIn(node, reader.Source()) {
		reader.AdvanceToEOL()
		return parser.Close
	}
	return p.BlockParser.Continue(node, reader, pc)
}

// tableSearch is the search for a table in a paragraph. It looks at each line only once.
type tableSearch struct {
	paragraph ast.Node
	next      int // index of the next line that may be a delimiter row
	found     bool
}

// isIn reports whether the lines of a paragraph so far contain a table.
func (t *tableSearch) isIn(paragraph ast.Node, source []byte) bool {
	if t.paragraph != paragraph {
		*t = tableSearch{paragraph: paragraph, next: 1}
	}
	lines := paragraph.Lines()
	for ; !t.found && t.next < lines.Len(); t.next++ {
		line := lines.At(t.next)
		columns := columnCount(line.Value(source))
		t.found = columns > 0 && len(cells(source, lines.At(t.next-1))) == columns
	}
	return t.found
}

// delimiterRow returns the index of the first delimiter row in the lines of a paragraph, and its
// number of columns. A row of cells must precede it. columns is 0 if there is none.
func delimiterRow(source []byte, lines *text.Segments) (at, columns int) {
	for at := 1; at < lines.Len(); at++ {
		line := lines.At(at)
		if columns := columnCount(line.Value(source)); columns > 0 {
			return at, columns
		}
	}
	return 0, 0
}

// columnCount returns the number of columns of a delimiter row. It returns 0 if line is not one.
func columnCount(line []byte) (columns int) {
	if indent, _ := util.IndentWidth(line, 0); indent > 3 {
		return 0
	}
	row := util.TrimRightSpace(util.TrimLeftSpace(line))
	row = bytes.TrimPrefix(row, []byte("|"))
	for len(row) > 0 {
		rest, ok := cutDelimiters(row)
		if !ok {
			return 0
		}
		columns++
		row = rest
	}
	return columns
}

// cutDelimiters returns row without its first cell, such as " :--- |". It returns false if this is
// not a cell of a delimiter row.
func cutDelimiters(row []byte) (rest []byte, ok bool) {
	const space = " \t\v\f"
	cell := bytes.TrimLeft(row, space)
	cell = bytes.TrimPrefix(cell, []byte(":"))
	rest = bytes.TrimLeft(cell, "-")
	if len(rest) == len(cell) {
		return nil, false
	}
	rest = bytes.TrimPrefix(rest, []byte(":"))
	rest = bytes.TrimLeft(rest, space)
	if len(rest) == 0 {
		return nil, true
	}
	return bytes.CutPrefix(rest, []byte("|"))
}

// cells returns the cells of a row. A '|' after a backslash belongs to the cell.
func cells(source []byte, row text.Segment) (list []text.Segment) {
	row = row.TrimLeftSpace(source)
	row = row.TrimRightSpace(source)
	at := row.Start
	if at < row.Stop && source[at] == '|' {
		at++
	}
	for at < row.Stop {
		end := at
		for end < row.Stop && (source[end] != '|' || end > at && source[end-1] == '\\') {
			end++
		}
		list = append(list, text.NewSegment(at, end))
		at = end + 1
	}
	return list
}

// footnotes is the parser of footnotes. A footnote contains the blocks after it that are indented
// by four columns, like an item of a list. GitHub has no specification of footnotes, so this parser
// follows cmark-gfm.
type footnotes struct{}

func (footnotes) Trigger() []byte { return []byte{'['} }

func (footnotes) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	mark := util.TrimLeftSpace(line)
	n := footnoteMark(mark)
	if n == 0 {
		return nil, parser.NoChildren
	}
	reader.Advance(len(line) - len(mark) + n)
	return ast.NewBlockquote(), parser.HasChildren
}

// footnoteMark returns the length of the mark of a footnote at the start of line, such as "[^1]: ".
// It returns 0 if there is none.
func footnoteMark(line []byte) (n int) {
	if !bytes.HasPrefix(line, []byte("[^")) {
		return 0
	}
	label, _, _ := bytes.Cut(line[len("[^"):], []byte("]"))
	n = len("[^]:") + len(label)
	if util.IsBlank(label) || n > len(line) || line[n-1] != ':' {
		return 0
	}
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

func (footnotes) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	n, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	if n < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(n, padding)
	return parser.Continue | parser.HasChildren
}

func (footnotes) Close(ast.Node, text.Reader, parser.Context) {}
func (footnotes) CanInterruptParagraph() bool                 { return true }
func (footnotes) CanAcceptIndentedLine() bool                 { return false }

// strikes is the parser of struck text, which has one or two tildes on each side, the same number.
type strikes struct{}

func (strikes) Trigger() []byte { return []byte{'~'} }

func (s strikes) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	d := parser.ScanDelimiter(line, block.PrecendingCharacter(), 1, s)
	if d == nil {
		return nil
	}
	if d.Length > 2 {
		block.Advance(d.Length)
		return ast.NewTextSegment(at.WithStop(at.Start + d.Length))
	}
	d.Segment = at.WithStop(at.Start + d.Length)
	block.Advance(d.Length)
	pc.PushDelimiter(d)
	return d
}

func (strikes) IsDelimiter(c byte) bool { return c == '~' }

func (strikes) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return closer.Char == '~' && opener.OriginalLength == closer.OriginalLength
}

func (strikes) OnMatch(int) ast.Node { return ast.NewEmphasis(1) }
