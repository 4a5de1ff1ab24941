package markdown

import (
	"bytes"
	"slices"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// goldmark calls a parser for each kind of inline. The parsers here pass the work on to those of
// goldmark, and note where a link or a piece of HTML was found. Emphasis and the like are not
// parsed, since no link depends on them.

// found is the result of parsing a document. All offsets are offsets in the Markdown.
type found struct {
	links       []link
	definitions []destination
	uses        []use // of definitions
	autolinks   []autolink
	html        []text.Segment // pieces of HTML, in no particular order
	headings    []*ast.Heading
	starts      []int          // offsets at which blocks begin
	table       tableSearch    // in the open paragraph
	context     parser.Context // goldmark's context of the parse, which has the definitions
	work        work
}

// link is an inline link or image.
type link struct {
	destination
	image bool
	text  text.Segment // the text, with the "[" or "![" before it and without the "]" after it
}

// use is a link or image that uses a definition.
type use struct {
	at    int // offset of the destination of the definition
	image bool
}

// autolink is an autolink, or a URL in text.
type autolink struct {
	Start, End int    // offsets, without < and >
	prefix     string // "http://" or "mailto:" if the document leaves it out, otherwise ""
	bare       bool   // a URL in text
	email      bool
}

// foundKey is the key of the *found in the context of a parser.
var foundKey = parser.NewContextKey()

// parsers are the parsers of CommonMark and of GitHub Flavored Markdown.
var parsers = [2]func() parser.Parser{
	sync.OnceValue(func() parser.Parser { return newParser(false) }),
	sync.OnceValue(func() parser.Parser { return newParser(true) }),
}

func newParser(github bool) parser.Parser {
	inlines := []util.PrioritizedValue{
		util.Prioritized(codeSpans{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(links{parser.NewLinkParser()}, 200),
		util.Prioritized(autolinks{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(rawHTML{parser.NewRawHTMLParser()}, 400),
	}
	blocks := parser.DefaultBlockParsers()
	paragraphs := []util.PrioritizedValue{
		util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100)}
	if github {
		inlines = append(inlines, util.Prioritized(bareURLs{}, 450))
		blocks = slices.DeleteFunc(blocks, func(v util.PrioritizedValue) bool {
			return v.Value == parser.NewParagraphParser()
		})
		blocks = append(blocks, util.Prioritized(footnotes{}, 999),
			util.Prioritized(rows{parser.NewParagraphParser()}, 1000))
		paragraphs = append(paragraphs, util.Prioritized(tables{}, 200))
	}
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(paragraphs...))
}

// parse parses source as CommonMark, or as GitHub Flavored Markdown. It returns false if goldmark
// has too much work with it.
func (f *found) parse(source []byte, github bool) (ok bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case errTooMuchWork:
			ok = false
		default:
			panic(r)
		}
	}()
	p := parsers[0]()
	if github {
		p = parsers[1]()
	}
	f.context = parser.NewContext()
	f.context.Set(foundKey, f)
	f.noteBlocks(p.Parse(text.NewReader(source), parser.WithContext(f.context)), source)
	return true
}

// noteBlocks notes where the blocks below a node begin. It also notes the headings, the definitions
// and the blocks of HTML.
func (f *found) noteBlocks(parent ast.Node, source []byte) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			f.starts = append(f.starts, n.Lines().At(0).Start)
		}
		switch n := n.(type) {
		case *ast.Heading:
			f.headings = append(f.headings, n)
		case *ast.LinkReferenceDefinition:
			f.definitions = append(f.definitions, definitionOf(n, source))
		case *ast.HTMLBlock:
			f.html = append(f.html, n.Lines().Sliced(0, n.Lines().Len())...)
			if n.HasClosure() {
				f.html = append(f.html, n.ClosureLine)
			}
		default:
			if n.Type() == ast.TypeBlock {
				f.noteBlocks(n, source)
			}
		}
	}
}

// links is the parser of links and images.
type links struct{ parser.InlineParser }

func (p links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

func (p links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	if line[0] != ']' {
		return p.InlineParser.Parse(parent, block, pc) // goldmark only notes the open bracket
	}
	f := pc.Get(foundKey).(*found)
	if pc.IsInLinkLabel() {
		f.work.addLinkSearch(parent.LastChild())
		f.work.add(int64(parent.Lines().Len()) + int64(destinationSearch(line))*searchSteps)
	}
	n, _ := block.Position()
	node := p.InlineParser.Parse(parent, &counter{Reader: block, work: &f.work}, pc)
	after := cursor{source: block.Source(), lines: parent.Lines(), line: n, at: at.Start + len("]")}
	switch l := node.(type) {
	case *ast.Link:
		f.noteLink(link{text: text.NewSegment(l.Pos(), at.Start)}, l.Destination, l.Reference, after)
	case *ast.Image:
		f.noteLink(link{text: text.NewSegment(l.Pos(), at.Start), image: true}, l.Destination, l.Reference, after)
	}
	return node
}

// destinationSearch returns about how many bytes goldmark searches for the destination after the
// ']' at the start of line.
func destinationSearch(line []byte) int {
	if len(line) < 2 || line[1] != '(' {
		return 1
	}
	n := bytes.IndexAny(line[2:], " \t\n")
	if bytes.HasPrefix(line[2:], []byte("<")) {
		n = bytes.IndexByte(line, '>')
	}
	if n < 0 {
		n = len(line)
	}
	return n
}

// noteLink notes a link or image, or its use of a definition. dest is the destination that goldmark
// has found, and reference is nil if the link is inline. after is the position after the text and
// its ']'.
func (f *found) noteLink(l link, dest []byte, reference *ast.ReferenceLink, after cursor) {
	if reference == nil {
		l.destination = after.inline(dest)
		f.links = append(f.links, l)
		return
	}
	if at := offsetIn(after.source, dest); at >= 0 {
		f.uses = append(f.uses, use{at, l.image})
	}
}

// definitions is the parser of definitions. After each bracket that may end a label, goldmark may
// search all lines of the paragraph for the end of a title. So the number of steps is the number of
// brackets times the number of lines.
type definitions struct{ parser.ParagraphTransformer }

func (p definitions) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := n.Lines()
	first := lines.At(0)
	if line := bytes.TrimLeft(first.Value(reader.Source()), " \t"); len(line) == 0 || line[0] != '[' {
		return
	}
	brackets := 0
	for i := range lines.Len() {
		s := lines.At(i)
		brackets += bytes.Count(reader.Source()[s.Start:s.Stop], []byte("]:"))
	}
	pc.Get(foundKey).(*found).work.add(int64(lines.Len()) * int64(brackets) * searchSteps)
	p.ParagraphTransformer.Transform(n, reader, pc)
}

// definitionOf returns the destination of a definition.
func definitionOf(n *ast.LinkReferenceDefinition, source []byte) destination {
	c := cursor{source: source, lines: n.Lines()}
	if n.Lines().Len() > 0 {
		c.at = n.Lines().At(0).Start
	}
	return c.definition(n.Destination)
}

// autolinks is the parser of autolinks.
type autolinks struct{ parser.InlineParser }

func (p autolinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := p.InlineParser.Parse(parent, block, pc)
	if a, ok := node.(*ast.AutoLink); ok {
		f := pc.Get(foundKey).(*found)
		label := a.Label(block.Source())
		start := offsetIn(block.Source(), label)
		if start < 0 {
			return node
		}
		noted := autolink{Start: start, End: start + len(label), email: a.AutoLinkType == ast.AutoLinkEmail}
		if noted.email {
			noted.prefix = "mailto:"
		}
		f.autolinks = append(f.autolinks, noted)
	}
	return node
}

// rawHTML is the parser of tags and comments within text.
type rawHTML struct{ parser.InlineParser }

func (p rawHTML) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	f := pc.Get(foundKey).(*found)
	node := p.InlineParser.Parse(parent, &counter{Reader: block, work: &f.work}, pc)
	if n, ok := node.(*ast.RawHTML); ok {
		f.html = append(f.html, n.Segments.Sliced(0, n.Segments.Len())...)
	}
	return node
}

// codeSpans is the parser of code spans.
type codeSpans struct{ parser.InlineParser }

func (p codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	f := pc.Get(foundKey).(*found)
	return p.InlineParser.Parse(parent, &lineCounter{counter{Reader: block, work: &f.work}}, pc)
}

// bareURLs is the parser of URLs in text. goldmark calls it at each ':' and '.'.
type bareURLs struct{}

func (bareURLs) Trigger() []byte { return []byte{':', '.'} }

func (bareURLs) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, at := block.PeekLine()
	before := textBefore(parent, at.Start)
	if at.Padding > 0 || before == nil {
		return nil
	}
	source := block.Source()
	lineNumber, _ := block.Position()
	n, prefix := urlStart(source[parent.Lines().At(lineNumber).Start:at.Start], line)
	start := at.Start - n
	if n < 0 || start < before.Segment.Start {
		return nil
	}
	lineEnd := at.Start + len(bytes.TrimRight(line, "\r\n"))
	length := urlLength(source[start:lineEnd], n)
	if length <= n {
		return nil
	}
	before.Segment.Stop = start
	f := pc.Get(foundKey).(*found)
	f.autolinks = append(f.autolinks, autolink{Start: start, End: start + length, prefix: prefix, bare: true})
	block.Advance(length - n)
	return ast.NewTextSegment(text.NewSegment(start, start+length))
}

// textBefore returns the last child of a block if it is text that ends at an offset. Otherwise it
// returns nil.
func textBefore(parent ast.Node, at int) *ast.Text {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Stop != at {
		return nil
	}
	return last
}
