package markup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// The x/net tree builder is the oracle for the element of each start tag. Each start tag that the
// scanner finds gets an attribute with its number; then the document is parsed. The two cut the
// bytes differently if an element has no number, a number is in text or in a comment, or an element
// is in another namespace.

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

// The known departures of the tree, and one of the scanner: its rules for foreign content and
// templates are simpler than those of the tree builder.
const (
	columns departure = "a template with a col, of which the tree builder drops the rest: the scanner takes it as " +
		"content"
	dropping departure = "x/net drops what follows a template in an integration point"
	rows     departure = "x/net takes the tr or template of SVG and MathML for those of HTML where it closes rows"
	reset    departure = "x/net forgets what keeps a frameset out when the body begins"
	slash    departure = "x/net takes the slash that ends the value of a repeated attribute for that of an empty " +
		"element"
	tooDeep departure = "x/net gives up where more than 512 elements are open"
)

// departure returns the possible departure at the token that s read.
func (s *Scanner) departure(kind Kind) departure {
	switch {
	case kind == RawText:
		return departs(s, kind, s.data)
	case kind == StartTag && s.endsInRepeated():
		return slash
	case kind != StartTag:
		return agree
	case s.Space != HTML:
		if isTableName(cleanName(s.data[s.NameStart:s.NameEnd])) {
			return rows
		}
		return agree
	case dropsRaw(s, s.data):
		return inFrameset
	}
	switch name := cleanName(s.data[s.NameStart:s.NameEnd]); {
	case name == "template" && len(s.stack) > 0:
		return dropping
	case name == "table" && len(s.stack) > 0, s.Template > 0 && len(s.stack) > 0 && isTableName(name):
		return rows
	case name == "col" && s.Template > 0:
		return columns
	case name == "frameset" && s.noFrameset && bytes.Contains(bytes.ToLower(s.data[:s.Start]), []byte("<template")):
		return reset
	}
	return agree
}

// isTableName reports whether an HTML element with the name bounds a part of a table.
func isTableName(name string) bool {
	return name == "table" || name == "template" || isTablePart([]byte(name))
}

// endsInRepeated reports whether the start tag that s read ends in a repeated attribute whose value
// ends in a slash.
func (s *Scanner) endsInRepeated() bool {
	n := len(s.Attrs)
	return !s.SelfClosing && s.data[s.End-2] == '/' && (n == 0 || s.Attrs[n-1].End != s.End-1)
}

// markTags returns data with a mark in each start tag, the tags, and the first possible departure.
func markTags(data []byte) (marked []byte, tags []tag, may departure) {
	var s Scanner
	var out []byte
	last := 0
	s.Reset(data)
	for kind := s.Next(); kind != EOF; kind = s.Next() {
		if may == agree {
			may = s.departure(kind)
		}
		if kind != StartTag {
			continue
		}
		out = append(out, data[last:s.NameEnd]...)
		out = fmt.Appendf(out, " %s=%d ", mark, len(tags))
		last = s.NameEnd
		tags = append(tags, tag{
			name: cleanName(data[s.NameStart:s.NameEnd]), space: s.Space, template: s.Template,
			frameset: s.Frameset, baseCounts: s.BaseCounts(),
		})
	}
	return append(out, data[last:]...), tags, may
}

// compareTree compares the scanner with the tree of data. It returns the number of nodes that were
// compared, and the first difference, or the known departure that explains it.
func compareTree(data []byte) (nodes int, known departure, err error) {
	if bytes.Contains(data, []byte(mark)) {
		return 0, agree, nil
	}
	marked, tags, may := markTags(data)
	root, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
	if err != nil {
		return 0, tooDeep, nil
	}
	nodes, err = compareNodes(root, tags)
	if err != nil && may != agree {
		return nodes, may, nil
	}
	return nodes, agree, err
}

func compareNodes(root *html.Node, tags []tag) (nodes int, err error) {
	framed := false // a frameset replaced all content of the body
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

// compareNode compares one node of the tree with its tag.
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
		return nil // a formatting element that is reconstructed; and attributes of other tags with its name
	}
	t.seen = true
	space := map[string]Space{"": HTML, "svg": SVG, "math": MathML}[n.Namespace]
	return t.differs(i, cleanName([]byte(n.Data)), space, templatesAround(n))
}

// differs compares t, whose number is i, with its element in a tree.
func (t tag) differs(i int, name string, space Space, template int) error {
	if t.name == "image" && t.space == HTML {
		t.name = "img"
	}
	switch {
	case name != t.name:
		return fmt.Errorf("tag %d is <%s>, in the tree <%s>", i, t.name, name)
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

// mayBeImplied reports whether the tree builder makes such an element without a start tag.
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
	case "html", "head", "body", "form", "frame", "frameset", "caption", "col",
		"colgroup", "tbody", "td", "tfoot", "th", "thead", "tr", "noscript", "select":
		return true
	}
	return t.frameset || t.template > 0 // the first child of a template decides which tags are allowed
}

func TestAgainstTree(t *testing.T) {
	for _, src := range seeds {
		if _, known, err := compareTree([]byte(src)); err != nil || known != agree {
			t.Errorf("scan of %q: %v, departure %q, want none", src, err, known)
		}
	}
}

// Misnested formatting elements continue in later content, unless their end tag was read. They
// hide the end tag of the integration point around them.
func TestFormattingAgainstTree(t *testing.T) {
	words := [...]string{"<p>", "</p>", "<b>", "</b>", "</i>", "</div>", "x"}
	for _, start := range []string{"", "<b><b><b><b>", "<b><i><div>"} {
		for n := 0; n < len(words)*len(words)*len(words)*len(words); n += effort.Pick(1, 5) {
			src := "<svg><desc>" + start
			for rest, i := n, 0; i < 4; i++ {
				src += words[rest%len(words)]
				rest /= len(words)
			}
			src += "x</desc><g>"
			if _, known, err := compareTree([]byte(src)); err != nil || known != agree {
				t.Errorf("scan of %q: %v, departure %q, want none", src, err, known)
			}
		}
	}
}

func TestOwnPagesAgainstTree(t *testing.T) { ownPagesAgree(t, compareTree) }

func TestCorpusAgainstTree(t *testing.T) {
	corpusAgrees(t, compareTree, corpus.Least(370_000, 6_900))
}

func FuzzTree(f *testing.F) { fuzzComparison(f, compareTree) }

// FuzzTreeOfWords builds documents from tags that the tree builder treats in many ways; each byte
// selects a tag.
func FuzzTreeOfWords(f *testing.F) {
	for i := range len(treeWords) {
		f.Add([]byte{byte(i), byte(i + 20), byte(i + 40), byte(i + 60), byte(i)})
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		var src []byte
		for _, p := range picks[:min(len(picks), 40)] {
			src = append(src, treeWords[int(p)%len(treeWords)]...)
		}
		if _, _, err := compareTree(src); err != nil {
			t.Errorf("scan of %q: %v", src, err)
		}
	})
}

var treeWords = []string{
	"<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<g>", "</g>", "<g/>",
	"<path/>", "<title>", "</title>", "<title/>", "<desc>", "</desc>",
	"<foreignObject>", "</foreignObject>", "<mi>", "</mi>", "<mtext>",
	"</mtext>", "<mglyph>", "<annotation-xml>", "</annotation-xml>",
	"<annotation-xml encoding=text/html>", "<template>", "</template>",
	"<base href=a>", "<div>", "</div>", "<p>", "</p>", "<span>", "</span>",
	"<a href=b>", "</a>", "<b>", "</b>", "<table>", "</table>", "<tr>", "<td>", "</td>",
	"<style>", "</style>", "<script>", "</script>", "<li>", "</li>", "<ul>", "</ul>",
	"<br>", "</br>", "<img src=c>", "<noscript>", "</noscript>", "<select>",
	"</select>", "<option>", "<textarea>", "</textarea>", "<font>", "<font color=x>",
	"</font>", "<![CDATA[x]]>", "<!-- x -->", "x", " ", "<body>", "</body>", "<head>",
	"</head>", "<object>", "</object>", "<button>", "</button>", "<x-y>", "</x-y>",
}
