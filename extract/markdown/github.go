package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Tables (GitHub Flavored Markdown 0.29 Section 4.10), footnotes and struck text (6.5) are parsed
// here, only as far as links depend on them. The package goldmark/extension would compile regular
// expressions at each start of the program.

// tables is the transformer of paragraphs that contain a table. Each cell becomes a block of text,
// because a link ends with its cell. The cells follow the rest of the paragraph, in no particular
// order.
type tables struct{}

func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	lines := p.Lines()
	columns := 0
	at := 1 // the line of the delimiter row
	for ; at < lines.Len(); at++ {
		row := lines.At(at)
		columns = delimiters(row.Value(source))
		if columns > 0 {
			break
		}
	}
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
		p.Parent().RemoveChild(p.Parent(), p) // tells goldmark that the next line is not its underline
	}
}

// delimiters returns the number of columns of a delimiter row. It returns 0 if line is not one.
func delimiters(line []byte) (columns int) {
	if indent, _ := util.IndentWidth(line, 0); indent > 3 {
		return 0
	}
	row := util.TrimRightSpace(util.TrimLeftSpace(line))
	if len(row) > 0 && row[0] == '|' {
		row = row[1:]
	}
	for len(row) > 0 {
		n := delimiter(row)
		if n == 0 {
			return 0
		}
		columns++
		row = row[n:]
	}
	return columns
}

// delimiter returns the length of the cell of a delimiter row at the start of row, with the bar
// behind it. It returns 0 if there is none.
func delimiter(row []byte) (n int) {
	skip := func(chars string, most int) (skipped int) {
		for n < len(row) && skipped < most && strings.IndexByte(chars, row[n]) >= 0 {
			n++
			skipped++
		}
		return skipped
	}
	skip(" \t\v\f", len(row))
	skip(":", 1)
	if skip("-", len(row)) == 0 {
		return 0
	}
	skip(":", 1)
	skip(" \t\v\f", len(row))
	if n < len(row) && skip("|", 1) == 0 {
		return 0
	}
	return n
}

// cells returns the cells of a row. A bar behind a backslash belongs to the cell.
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

// footnotes is the parser of footnotes. A footnote contains the blocks that are indented by four
// columns, as an item of a list does. GitHub has no specification of them: cmark-gfm counts.
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

// footnoteMark returns the length of the mark of a footnote, such as "[^1]: ", at the start of
// line. It returns 0 if there is none.
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

// strikes is the parser of struck text: one or two tildes, the same number on both sides.
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
