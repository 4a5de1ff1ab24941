package markdown

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"absolink/extract/internal/page"
)

// GitHub gives each heading an anchor: its text in lower case, without punctuation and line ends. A
// hyphen replaces each blank, even at the start or the end of the text. If an anchor repeats, -1,
// -2 and so on follow it. Headings in HTML have anchors too.

// heading is a heading of a document.
type heading struct {
	at     int // offset in the Markdown
	text   string
	inHTML bool
}

// longestHeading is the size limit in bytes for a heading that is not in HTML. A longer heading has
// no anchor.
const longestHeading = 2048

// anchors returns the anchors of the headings of a document, and the ids and names in its HTML.
func anchors(p *page.Finder) (list []string) {
	f := newFinder(p)
	if len(f.source) > largest {
		return nil
	}
	if m, found, _ := matterOf(f.source); found {
		f.start += m.next
		f.source = f.source[m.next:]
	}
	if isBeyondBounds(f.source) || !f.found.parse(f.source, true) {
		return nil
	}
	headings := f.headings()
	var inHTML []string
	f.withHTMLOnly(func() {
		headings = append(headings, f.headingsInHTML()...)
		f.Anchors(func(name []byte) bool {
			inHTML = append(inHTML, string(name))
			return true
		})
	})
	slices.SortStableFunc(headings, func(a, b heading) int { return a.at - b.at })
	seen := make(map[string]int)
	for _, h := range headings {
		list = append(list, unique(seen, slug(h.text)))
		if m := headingID().FindStringSubmatch(h.text); m != nil && !h.inHTML {
			list = append(list, m[1])
		}
		if text := strings.TrimSpace(h.text); h.inHTML && text != h.text {
			list = append(list, slug(text)) // some programs leave out the blanks around it
		}
	}
	return append(list, inHTML...)
}

// headings returns the headings of the document that are not in HTML.
func (f *finder) headings() (list []heading) {
	for _, n := range f.found.headings {
		if n.Lines().Len() == 0 {
			list = append(list, heading{at: n.Pos()})
			continue
		}
		var raw []byte
		for i := range n.Lines().Len() {
			raw = append(raw, f.text(n.Lines().At(i))...)
		}
		if len(raw) <= longestHeading {
			list = append(list, heading{at: n.Lines().At(0).Start, text: plainText(raw, f.found.context, true)})
		}
	}
	return list
}

// headingsInHTML returns the headings in HTML. f.Data must have only the HTML: see withHTMLOnly.
func (f *finder) headingsInHTML() (list []heading) {
	html := f.Data[f.start:]
	for _, m := range headingElement().FindAllSubmatchIndex(html, -1) {
		inner := tag().ReplaceAll(html[m[2]:m[3]], nil)
		if e := f.Charset(); e != nil {
			inner = e.Decode(nil, inner)
		}
		list = append(list, heading{at: m[0], text: string(decoded(inner)), inHTML: true})
	}
	return list
}

// headingElement matches a heading in HTML. tag matches a tag.
var (
	headingElement = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<h[1-6](?:\s[^>]*)?>(.*?)</h[1-6]\s*>`)
	})
	// headingID matches attributes with an id at the end of a heading: {#id}, {.class #id} or, in
	// kramdown and Python-Markdown, {: #id}. Pandoc, Hugo and Docusaurus read them too.
	headingID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{:?(?:[^{}]*\s)?\s*#([^\s{}#]+)(?:\s[^{}]*)?\}\s*$`)
	})
	tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })
)

// inlines parses the text of a heading or a link.
var inlines = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 100)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(strikes{}, 500)))
})

// plainText returns the text of raw without markup. forAnchor leaves out the texts of images and
// the line ends, as GitHub does. context is that of the document, which has the definitions.
func plainText(raw []byte, context parser.Context, forAnchor bool) string {
	var b strings.Builder
	root := inlines().Parse(text.NewReader(raw), parser.WithContext(context))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			if n.IsRaw() {
				b.Write(n.Value(raw))
			} else {
				b.Write(decoded(n.Value(raw)))
			}
			if !forAnchor && (n.SoftLineBreak() || n.HardLineBreak()) {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(n.Label(raw))
		case *ast.Image:
			if forAnchor {
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// decoded returns raw with its escapes and character references decoded.
func decoded(raw []byte) (text []byte) {
	for i := 0; i < len(raw); {
		var next int
		text, next = unescaped(text, raw, i)
		if next == i {
			text = append(text, raw[i])
			next++
		}
		i = next
	}
	return text
}

// slug returns the anchor of a heading.
func slug(heading string) string {
	heading = strings.ReplaceAll(heading, "\u0130", "i\u0307") // İ has two characters in lower case
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.IsLetter(r), unicode.In(r, inAnchors...):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// inAnchors are the characters besides letters, hyphens and blanks that GitHub keeps in anchors.
var inAnchors = []*unicode.RangeTable{unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic}

// unique returns name, with the next number if name was seen before, and adds the result to seen.
// The value of an anchor in seen is the last number that followed it.
func unique(seen map[string]int, name string) string {
	result := name
	for {
		if _, taken := seen[result]; !taken {
			break
		}
		seen[name]++
		result = name + "-" + strconv.Itoa(seen[name])
	}
	seen[result] = 0
	return result
}
