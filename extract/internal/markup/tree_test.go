package markup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// The x/net tree builder is the oracle for what a start tag becomes. Each start
// tag that the scanner finds gets an attribute with its number; then the document is
// parsed. An element without a number, a number in text or in a comment, or an
// element of another namespace is a place where the two cut the bytes differently.

const mark = "absolink-mark"

// tag is a start tag as the scanner sees it.
type tag struct {
	name       string
	space      Space
	template   int
	frameset   bool
	baseCounts bool
	seen       bool // the tree has it
}

// simplified says that a difference may be there: the scanner's simplified
// rules for broken nesting around foreign content were in play, or those of x/net.
type simplified bool

// markTags returns data with a mark in each start tag, and the tags.
func markTags(data []byte) (marked []byte, tags []tag, simple simplified) {
	var s Scanner
	var out []byte
	last := 0
	s.Reset(data)
	for kind := s.Next(); kind != EOF; kind = s.Next() {
		if kind != StartTag {
			continue
		}
		if len(s.stack) > 0 && s.Space == HTML && departsInside(cleanName(data[s.NameStart:s.NameEnd])) {
			simple = true
		}
		out = append(out, data[last:s.NameEnd]...)
		out = fmt.Appendf(out, " %s=%d ", mark, len(tags))
		last = s.NameEnd
		tags = append(tags, tag{
			name: cleanName(data[s.NameStart:s.NameEnd]), space: s.Space, template: s.Template,
			frameset: s.Frameset, baseCounts: s.BaseCounts(),
		})
	}
	return append(out, data[last:]...), tags, simple || simplified(s.guessed)
}

// departsInside reports whether x/net leaves the standard at that HTML element
// inside foreign content: it drops the rest of the document after a template,
// and takes a MathML tr for one of HTML at the end of a table.
func departsInside(name string) bool { return name == "template" || name == "table" }

// compareTree holds the scanner against the tree of data. It returns how many nodes
// were compared.
func compareTree(data []byte) (nodes int, simple simplified, err error) {
	if bytes.Contains(data, []byte(mark)) {
		return 0, false, nil
	}
	marked, tags, simple := markTags(data)
	root, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
	if err != nil {
		return 0, simple, nil // x/net gives up where more than 512 elements are open
	}
	nodes, err = compareNodes(root, tags)
	return nodes, simple, err
}

func compareNodes(root *html.Node, tags []tag) (nodes int, err error) {
	framed := false // a frameset took the place of all that was in the body
	for n := range root.Descendants() {
		framed = framed || n.Data == "frameset" && n.Namespace == ""
		if err := compareNode(n, tags); err != nil {
			return nodes, err
		}
		nodes++
	}
	for i, t := range tags {
		if !t.seen && !framed && !mayBeDropped(t) {
			return nodes, fmt.Errorf("tag %d <%s> is not in the tree", i, t.name)
		}
	}
	return nodes, nil
}

// compareNode holds one node of the tree against the tag that it came from.
func compareNode(n *html.Node, tags []tag) error {
	if n.Type != html.ElementNode {
		if n.Type != html.DoctypeNode && strings.Contains(n.Data, mark) {
			return fmt.Errorf("a start tag of the scanner is text of the tree: %.200q", n.Data)
		}
		return nil
	}
	number, ok := attributeOf(n, mark)
	if !ok {
		if n.Namespace == "" && mayBeImplied(n.Data) {
			return nil
		}
		return fmt.Errorf("<%s> of the tree (namespace %q) is no start tag of the scanner", n.Data, n.Namespace)
	}
	i, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	t := &tags[i]
	if t.seen || n.Data == "html" || n.Data == "body" {
		t.seen = true
		return nil // a formatting element that is made again; and attributes of other tags of their name
	}
	t.seen = true
	return differs(n, i, *t)
}

func differs(n *html.Node, i int, t tag) error {
	name := cleanName([]byte(n.Data))
	if t.name == "image" && t.space == HTML {
		t.name = "img"
	}
	space := map[string]Space{"": HTML, "svg": SVG, "math": MathML}[n.Namespace]
	template := templatesAround(n)
	switch {
	case name != t.name:
		return fmt.Errorf("tag %d is <%s>, in the tree <%s>", i, t.name, n.Data)
	case space != t.space:
		return fmt.Errorf("tag %d <%s> is in namespace %d, in the tree %d", i, t.name, t.space, space)
	case template != t.template:
		return fmt.Errorf("tag %d <%s> is inside %d templates, in the tree %d", i, t.name, t.template, template)
	case name == "base" && t.baseCounts != (space == HTML && template == 0):
		return fmt.Errorf("tag %d <base>: BaseCounts() = %v", i, t.baseCounts)
	}
	return nil
}

func templatesAround(n *html.Node) int {
	count := 0
	for a := range n.Ancestors() {
		if a.Data == "template" && a.Namespace == "" {
			count++
		}
	}
	return count
}

func attributeOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// mayBeImplied reports whether the tree builder makes such an element without a
// start tag.
func mayBeImplied(name string) bool {
	switch name {
	case "html", "head", "body", "tbody", "tr", "colgroup", "p", "br":
		return true
	}
	return false
}

// mayBeDropped reports whether the tree builder may ignore the start tag.
func mayBeDropped(t tag) bool {
	switch t.name {
	case "html", "head", "body", "form", "frame", "frameset", "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr", "noscript", "select":
		return true
	}
	return t.frameset || t.template > 0 // a template decides by its first child what may follow
}

func TestAgainstTree(t *testing.T) {
	for _, src := range seeds {
		if _, _, err := compareTree([]byte(src)); err != nil {
			t.Errorf("scan of %q: %v", src, err)
		}
	}
}

func TestOwnPagesAgainstTree(t *testing.T) {
	for _, doc := range ownPages(t) {
		if n, _, err := compareTree(doc.data); err != nil || n < 100 {
			t.Errorf("%s: %d elements, %v", doc.name, n, err)
		}
	}
}

func TestCorpusAgainstTree(t *testing.T) {
	total := 0
	for _, doc := range corpusDocuments(t, 1500, "pages", "mail", "mhtml", "html") {
		n, _, err := compareTree(doc.data)
		if err != nil {
			t.Errorf("%s: %v", doc.name, err)
		}
		total += n
	}
	if total < 370_000 {
		t.Errorf("%d nodes agree, want at least 370,000", total)
	}
}

func FuzzTree(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, simple, err := compareTree(data); err != nil && !bool(simple) {
			t.Errorf("scan of %q: %v", data, err)
		}
	})
}

// FuzzTreeOfWords builds documents from tags that the tree builder treats in
// many ways; each byte picks one.
func FuzzTreeOfWords(f *testing.F) {
	for i := range len(treeWords) {
		f.Add([]byte{byte(i), byte(i + 20), byte(i + 40), byte(i + 60), byte(i)})
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		var src []byte
		for _, p := range picks[:min(len(picks), 40)] {
			src = append(src, treeWords[int(p)%len(treeWords)]...)
		}
		if _, simple, err := compareTree(src); err != nil && !bool(simple) {
			t.Errorf("scan of %q: %v", src, err)
		}
	})
}

var treeWords = []string{
	"<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<g>", "</g>", "<g/>", "<path/>", "<title>", "</title>", "<title/>", "<desc>", "</desc>",
	"<foreignObject>", "</foreignObject>", "<mi>", "</mi>", "<mtext>", "</mtext>", "<mglyph>", "<annotation-xml>", "</annotation-xml>",
	"<annotation-xml encoding=text/html>", "<template>", "</template>", "<base href=a>", "<div>", "</div>", "<p>", "</p>", "<span>", "</span>",
	"<a href=b>", "</a>", "<b>", "</b>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<style>", "</style>", "<script>", "</script>", "<li>", "</li>", "<ul>", "</ul>",
	"<br>", "</br>", "<img src=c>", "<noscript>", "</noscript>", "<select>", "</select>", "<option>", "<textarea>", "</textarea>", "<font>", "<font color=x>",
	"</font>", "<![CDATA[x]]>", "<!-- x -->", "x", " ", "<body>", "</body>", "<head>", "</head>", "<object>", "</object>", "<button>", "</button>", "<x-y>", "</x-y>",
}
