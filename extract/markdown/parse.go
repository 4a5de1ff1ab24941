package markdown

import (
	"bytes"
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
	uses        []use
	autolinks   []autolink
	html        []text.Segment // pieces of HTML, in no particular order
	headings    []*ast.Heading
	context     parser.Context // with the definitions
	starts      []int          // offsets of blocks
	work        work
}

// link is an inline link or image.
type link struct {
	destination
	image bool
	label text.Segment // from the bracket before its text, or the '!' of an image, to the bracket after it
}

// use is a link or image that uses a definition.
type use struct {
	at    int // offset of the destination of the definition
	image bool
}

// autolink is an autolink, or a URL in text.
type autolink struct {
	Start, End int    // without brackets
	prefix     string // what precedes the URL in its value: "http://" or "mailto:", or ""
	bare       bool   // a URL in text
	email      bool
}

// key is the key of the *found in the context of a parser.
var key = parser.NewContextKey()

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
		blocks = append(blocks, util.Prioritized(footnotes{}, 999))
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
	f.context.Set(key, f)
	f.blocks(p.Parse(text.NewReader(source), parser.WithContext(f.context)), source)
	return true
}

// blocks notes the blocks below a node, and among them the definitions and the blocks of HTML.
func (f *found) blocks(parent ast.Node, source []byte) {
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
				f.blocks(n, source)
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
		return p.InlineParser.Parse(parent, block, pc)
	}
	f := pc.Get(key).(*found)
	n, _ := block.Position()
	if pc.IsInLinkLabel() {
		f.work.addLinkSearch(parent.LastChild())
		f.work.add(int64(parent.Lines().Len()) + int64(scanLength(line))*searchSteps)
	}
	counted := &counter{Reader: block, work: &f.work}
	node := p.InlineParser.Parse(parent, counted, pc)
	switch l := node.(type) {
	case *ast.Link:
		f.link(l.Destination, l.Reference, false, l.Pos(), parent, n, at.Start, block.Source())
	case *ast.Image:
		f.link(l.Destination, l.Reference, true, l.Pos(), parent, n, at.Start, block.Source())
	}
	return node
}

// scanLength returns the number of bytes that goldmark searches for a destination behind the
// bracket at the start of line.
func scanLength(line []byte) int {
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

// link notes a link or an image. Its text begins after the bracket at the offset open; an image has
// a '!' there, before the bracket. The text ends before the bracket at the offset closing, which is
// on line n of the block parent.
func (f *found) link(dest []byte, reference *ast.ReferenceLink, image bool, open int, parent ast.Node,
	n, closing int, source []byte) {
	if reference != nil {
		if at := offsetIn(source, dest); at >= 0 {
			f.uses = append(f.uses, use{at, image})
		}
		return
	}
	c := cursor{source: source, lines: parent.Lines(), line: n, at: closing + 1}
	f.links = append(f.links, link{destination: c.inline(dest), image: image,
		label: text.NewSegment(open, closing)})
}

// definitions is the parser of definitions.
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
	pc.Get(key).(*found).work.add(int64(lines.Len()) * int64(brackets) * searchSteps)
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
		f := pc.Get(key).(*found)
		label := a.Label(block.Source())
		start := offsetIn(block.Source(), label)
		if start < 0 {
			return node
		}
		link := autolink{Start: start, End: start + len(label), email: a.AutoLinkType == ast.AutoLinkEmail}
		if link.email {
			link.prefix = "mailto:"
		}
		f.autolinks = append(f.autolinks, link)
	}
	return node
}

// rawHTML is the parser of tags and comments within text.
type rawHTML struct{ parser.InlineParser }

func (p rawHTML) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	f := pc.Get(key).(*found)
	node := p.InlineParser.Parse(parent, &counter{Reader: block, work: &f.work}, pc)
	if n, ok := node.(*ast.RawHTML); ok {
		f.html = append(f.html, n.Segments.Sliced(0, n.Segments.Len())...)
	}
	return node
}

// codeSpans is the parser of code spans.
type codeSpans struct{ parser.InlineParser }

func (p codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	f := pc.Get(key).(*found)
	return p.InlineParser.Parse(parent, &lineCounter{counter{Reader: block, work: &f.work}}, pc)
}

// bareURLs is the parser of URLs in text.
type bareURLs struct{}

func (bareURLs) Trigger() []byte { return []byte{':', '.'} }

func (bareURLs) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, at := block.PeekLine()
	source := block.Source()
	if at.Padding > 0 {
		return nil
	}
	before := lineBefore(parent, source, at.Start)
	n, prefix := urlStart(before, line)
	if n < 0 {
		return nil
	}
	end := urlLength(source[at.Start-n:at.Start-n+len(bytes.TrimRight(line, "\r\n"))+n], n)
	if end <= n {
		return nil
	}
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Stop != at.Start || last.Segment.Start > at.Start-n {
		return nil
	}
	last.Segment.Stop -= n
	f := pc.Get(key).(*found)
	url := text.NewSegment(at.Start-n, at.Start-n+end)
	f.autolinks = append(f.autolinks, autolink{Start: url.Start, End: url.Stop, prefix: prefix, bare: true})
	block.Advance(end - n)
	return ast.NewTextSegment(url)
}

// lineBefore returns the text from the start of the last child of a block to an offset. It returns
// nil if that child is not text, or does not end at the offset.
func lineBefore(parent ast.Node, source []byte, at int) []byte {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Stop != at {
		return nil
	}
	return source[last.Segment.Start:at]
}
