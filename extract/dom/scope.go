package dom

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/extract"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/markup"
)

// The tree builder moves, closes and drops elements, so the order of elements in a tree does not
// identify the tags of a page. Therefore each start tag and each comment gets a number in a copy of
// the page, which is then parsed. The number connects a node of the tree with a span of bytes.

// Scope relates the references that package extract finds in a page to the tree of the page. The
// page is the document that was passed to [Scope.Reset], as it was then. The zero value has an
// empty page. It is not safe for concurrent use.
type Scope struct {
	starts   []int // offset of each start tag and comment in Doc.Data, sorted
	nodes    []*html.Node
	selected []bool
	doc      *goquery.Document
	last     int    // the tag whose text was returned last, from 1
	text     string // its text
}

// ordinal is the name of the attribute with the number of a tag.
const ordinal = "absolink-ordinal"

// Reset parses the page in d, an HTML document, and makes s refer to it, with nothing selected. It
// fails if elements are nested deeper than golang.org/x/net/html allows.
func (s *Scope) Reset(d *extract.Doc) error {
	*s = Scope{}
	text := d.Scanned()
	page := s.mark(text)
	if text.Identity() && d.Encoding() != "utf-8" {
		page = charset.Mail(d.Encoding()).Decode(nil, page)
	}
	root, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		return err
	}
	s.doc = goquery.NewDocumentFromNode(root)
	s.nodes = make([]*html.Node, len(s.starts))
	s.selected = make([]bool, len(s.starts))
	for n := range root.Descendants() {
		if i := takeOrdinal(n); i >= 0 && i < len(s.nodes) && s.nodes[i] == nil {
			s.nodes[i] = n
		}
	}
	return nil
}

// mark returns a copy of the page with numbers, and notes the offset for each number.
func (s *Scope) mark(t *extract.Text) []byte {
	var scan markup.Scanner
	out := make([]byte, 0, len(t.Data)+len(t.Data)/2)
	last := 0
	scan.Only = markup.Set(markup.StartTag, markup.Comment)
	for scan.Reset(t.Data); ; {
		at, sep := 0, ""
		switch scan.Next() {
		case markup.EOF:
			return append(out, t.Data[last:]...)
		case markup.StartTag:
			at = scan.NameEnd
			sep = " " + ordinal + `="`
		case markup.Comment:
			if scan.TextEnd == scan.TextStart || !bytes.HasPrefix(t.Data[scan.Start:], []byte("<!--")) {
				continue
			}
			at = scan.TextStart
			sep = ordinal + `="`
		}
		out = append(append(out, t.Data[last:at]...), sep...)
		out = append(strconv.AppendInt(out, int64(len(s.starts)), 10), '"')
		last = at
		s.starts = append(s.starts, t.Raw(extract.Span{Start: scan.Start, End: scan.Start}).Start)
	}
}

// takeOrdinal removes the number from n and returns it, or -1.
func takeOrdinal(n *html.Node) int {
	if rest, ok := strings.CutPrefix(n.Data, ordinal+`="`); ok && n.Type == html.CommentNode {
		number, text, _ := strings.Cut(rest, `"`)
		n.Data = text
		return atoi(number)
	}
	for i, a := range n.Attr {
		if a.Key == ordinal {
			n.Attr = append(n.Attr[:i:i], n.Attr[i+1:]...)
			return atoi(a.Val)
		}
	}
	return -1
}

func atoi(s string) int {
	if i, err := strconv.Atoi(s); err == nil {
		return i
	}
	return -1
}

// Select adds the elements that the matcher matches, and everything inside them, to the selection.
// The selection is empty at first. A selector from cascadia.Compile is a matcher.
func (s *Scope) Select(m goquery.Matcher) {
	tops := set(s.doc.FindMatcher(m).Nodes)
	for i, n := range s.nodes {
		s.selected[i] = s.selected[i] || within(n, tops)
	}
}

// within reports whether n, or a node around it, is in a set.
func within(n *html.Node, set map[*html.Node]bool) bool {
	for ; n != nil; n = n.Parent {
		if set[n] {
			return true
		}
	}
	return false
}

// at returns the number of the tag or comment that contains a reference, or whose text contains it.
// It returns -1 if no tag precedes the reference.
func (s *Scope) at(r extract.Ref) int {
	return sort.SearchInts(s.starts, r.Start+1) - 1
}

// Selected reports whether a reference is in a selected element. It reports false for a reference
// in a tag that the tree builder drops. A reference in a srcdoc is at the place of its iframe.
func (s *Scope) Selected(r extract.Ref) bool {
	i := s.at(r)
	return i >= 0 && s.selected[i]
}

// Text returns the text of a reference as shown to a reader, with folded white space. For a link
// this is its text including its pictures. Otherwise it is the alt or the title of the element, or
// "".
func (s *Scope) Text(r extract.Ref) string {
	i := s.at(r)
	if i < 0 || s.nodes[i] == nil || s.nodes[i].Type != html.ElementNode {
		return ""
	}
	if s.last != i+1 { // an element may have any number of references
		s.last = i + 1
		s.text = shown(s.nodes[i])
	}
	return s.text
}

// shown returns the text that represents an element.
func shown(n *html.Node) string {
	if n.Data == "a" || n.Data == "button" {
		if text := folded(appendText(nil, n)); text != "" {
			return text
		}
	}
	for _, name := range []string{"alt", "title"} {
		if text := folded([]byte(attribute(n, name))); text != "" {
			return text
		}
	}
	return ""
}

// appendText appends the text inside n.
func appendText(dst []byte, n *html.Node) []byte {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			dst = append(dst, c.Data...)
		case c.Type != html.ElementNode, c.Data == "script", c.Data == "style", c.Data == "template":
		case c.Data == "img":
			dst = append(append(append(dst, ' '), attribute(c, "alt")...), ' ')
		case c.Data == "br":
			dst = append(dst, ' ')
		default:
			dst = appendText(dst, c)
		}
	}
	return dst
}

// folded returns text with a single blank for each run of white space, and without white space at
// its ends.
func folded(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
