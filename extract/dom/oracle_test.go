package dom

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/extract/internal/markup"
	"absolink/testdata/corpus"
)

// The references of the tree are the oracle of the span scanner. Each start tag gets an attribute
// with its number. The number connects an element of the tree with its tag in the bytes, even if
// the tree builder has moved the element. Package extract and package dom must list the same
// references for each number. Tags that the tree builder drops are left out: extract lists them
// too.

const mark = "absolink-mark"

// around are the layers around every document that is compared.
var around = &base.Layer{Source: base.URL, Value: "http://example.test/dir/page.html"}

// tags are the start tags of a marked document.
type tags struct {
	marked []byte
	ends   []int // offset after each tag, sorted
	names  []string
}

// markTags returns data with a number in each start tag.
func markTags(data []byte) tags {
	var t tags
	var s markup.Scanner
	last := 0
	s.Reset(data)
	for kind := s.Next(); kind != markup.EOF; kind = s.Next() {
		if kind != markup.StartTag {
			continue
		}
		t.marked = append(t.marked, data[last:s.NameEnd]...)
		t.marked = fmt.Appendf(t.marked, " %s=%d ", mark, len(t.ends))
		t.marked = append(t.marked, data[s.NameEnd:s.End]...)
		last = s.End
		t.ends = append(t.ends, len(t.marked))
		t.names = append(t.names, lower(string(data[s.NameStart:s.NameEnd])))
	}
	t.marked = append(t.marked, data[last:]...)
	return t
}

// at returns the number of the tag that contains an offset, or whose text contains it.
func (t *tags) at(offset int, text bool) int {
	n := sort.SearchInts(t.ends, offset+1)
	if text {
		n--
	}
	return n
}

// merged reports whether the tag is one of several html or body tags, whose attributes the tree
// builder merges.
func (t *tags) merged(n int) bool {
	name := t.names[n]
	return (name == "html" || name == "body") &&
		(slices.Index(t.names, name) != n || slices.Contains(t.names[n+1:], name))
}

// sortByAttribute sorts the references of one tag, since x/net sorts the attributes of formatting
// elements.
func sortByAttribute(lines []string) {
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(attributeOf(a), attributeOf(b)) })
}

// attributeOf returns the first two words of a line.
func attributeOf(line string) string {
	element, rest, _ := strings.Cut(line, " ")
	attr, _, _ := strings.Cut(rest, " ")
	return element + " " + attr
}

// byBytes lists the references that package extract finds, by number of the tag. Tags in the text
// of a style, whose references are only listed, are not in the tree.
func byBytes(t *tags) map[int][]string {
	found := make(map[int][]string)
	d := extract.Doc{Format: extract.HTML, Data: t.marked, Charset: "utf-8", Layer: around}
	split := slices.ContainsFunc(d.Problems(), func(p extract.Problem) bool { return p.Kind == extract.SplitReference })
	for r := range d.Refs() {
		if split && r.Element == "style" && r.Kind == extract.KindRes {
			r.ListOnly = false
		}
		n := t.at(r.Start, r.Attr == "")
		found[n] = append(found[n],
			line(strings.ReplaceAll(r.Element, "\x00", "\uFFFD"), r.Attr, string(r.Value),
				r.Kind, r.Rel, r.Layer, r.Identifier, r.ListOnly, r.Form))
	}
	return found
}

// byTree lists the references of the tree, by number of the tag. References in a srcdoc belong to
// the tag with the srcdoc. Only the first element with a number counts, since the tree builder
// reconstructs formatting elements.
func byTree(root *html.Node) map[int][]string {
	found := make(map[int][]string)
	owner := make(map[int]*html.Node)
	for r := range Selection(goquery.NewDocumentFromNode(root).Selection, around) {
		holder := r.Node
		if r.Frame != nil {
			holder = r.Frame
		}
		n, err := strconv.Atoi(attribute(holder, mark))
		if err != nil {
			continue // made by the tree builder
		}
		if owner[n] == nil {
			owner[n] = holder
		}
		if owner[n] == holder {
			found[n] = append(found[n],
				line(lower(r.Node.Data), r.Attr, r.Value, r.Kind, r.Rel, r.Layer, r.Identifier, r.ListOnly, r.Form))
		}
	}
	return found
}

func line(element, attr, value string, kind extract.Kind, rel string, layer *base.Layer, flags ...bool) string {
	if attr == "" {
		rel = ""
	}
	return fmt.Sprintf("%s %s %q %s %q %v %s", element, attr, value, kind, rel, flags, chain(layer))
}

// chain formats layers inside the layers around the document.
func chain(l *base.Layer) string {
	s := ""
	for ; l != nil && l != around; l = l.Outer {
		s += fmt.Sprintf("<%s %q", l.Source, l.Value)
	}
	return s
}

// oddPrefix matches namespace declarations that extract does not list: without a prefix, or with a
// prefix that is longer than any in use.
var oddPrefix = regexp.MustCompile(`(?i)xmlns:($|[\s=/>]|[^\s=/>]{20})`)

// slashed matches values without quotes that end in a slash. In a repeated attribute x/net reads
// the slash as the end of an empty element.
var slashed = regexp.MustCompile(`=\s*([^\s"'>][^\s>]*)?/>`)

// compare compares the references of the bytes with the references of the tree. If dropped is set,
// documents in srcdoc may contain tags that the tree builder drops, and are left out; slashed
// values may be in repeated attributes.
func compare(data []byte, dropped bool) (refs int, err error) {
	data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	if bytes.Contains(data, []byte(mark)) || oddPrefix.Match(data) || dropped && slashed.Match(data) {
		return 0, nil
	}
	t := markTags(data)
	doc, err := read(bytes.NewReader(t.marked))
	if err != nil {
		return 0, nil // nested too deep for the tree builder
	}
	there := numbers(doc.Nodes[0], bytes.Contains(data, []byte("<![CDATA[")))
	want, got := byTree(doc.Nodes[0]), byBytes(&t)
	for n := range t.ends {
		if !there[n] || t.merged(n) || dropped && t.names[n] == "iframe" {
			continue
		}
		sortByAttribute(got[n])
		sortByAttribute(want[n])
		if !slices.Equal(got[n], want[n]) {
			return refs, fmt.Errorf("tag %d <%s>:\nextract %q\n   tree %q", n, t.names[n], got[n], want[n])
		}
		refs += len(got[n])
	}
	return refs, nil
}

// numbers returns the tags whose elements can be compared. The style of SVG cannot if its text is
// in pieces, because extract reads each piece as a separate sheet.
func numbers(root *html.Node, cdata bool) map[int]bool {
	there := make(map[int]bool)
	for n := range root.Descendants() {
		pieces := n.Data == "style" && n.Namespace == "svg" && (cdata || n.FirstChild != n.LastChild)
		if m, ok := lookup(n, mark); ok && !pieces {
			i, _ := strconv.Atoi(m)
			there[i] = true
		}
	}
	return there
}

func TestSeedsAgainstExtract(t *testing.T) {
	for _, src := range seeds {
		if _, err := compare([]byte(src), false); err != nil {
			t.Errorf("references of %q: %v", src, err)
		}
	}
}

func TestOwnPagesAgainstExtract(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/pages/*.html")
	if len(paths) < 4 {
		t.Fatalf("%d pages in testdata/pages, want at least 4", len(paths))
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := compare(data, false); err != nil || n < 10 {
			t.Errorf("%s: %d references, %v", filepath.Base(path), n, err)
		}
	}
}

func TestCorpusAgainstExtract(t *testing.T) {
	refs := 0
	for _, d := range corpus.Documents(t, "pages", "mail", "mhtml", "html") {
		n, err := compare(d.Data, false)
		if err != nil {
			t.Errorf("%s: %.1500v", d.Name, err)
		}
		refs += n
	}
	if least := corpus.Least(38_000, 1_500); refs < least {
		t.Errorf("%d references agree, want at least %d", refs, least)
	}
}

// seeds reach every row of the table and every way to cut a value.
var seeds = []string{
	`<base href="/b/"><a href="x?a=1&amp;b&copy=2" ping="p q" attributionsrc>l</a><area href=' y '><link rel="icon next" href=i imagesrcset="a 1x, b 2x">`,
	`<html manifest=m xmlns="http://www.w3.org/1999/xhtml" xmlns:og="http://ogp.me/"><head profile="a b"><meta http-equiv=refresh content="3; url='a b'c"><base href=1><base href=2><meta http-equiv=REFRESH content="0,x">`,
	`<img src=a srcset="a,b 1x, c 2x,d,,e" longdesc=l usemap=#m lowsrc=w><picture><source srcset="data:,x 1x"></picture><video src=v poster=p></video><image src=i>`,
	`<svg><a xlink:href="1&#x26;2"/><use href=u xlink:href=v/><feImage href=f /><g fill="url(#a)" mask='url("b c")'/><style>a{b:url(c&amp;d)}</style><title/><foreignObject><img src=z></foreignObject></svg>`,
	`<math href=1 definitionURL=d><mi xlink:href=2>x</mi><annotation-xml encoding=text/html><a href=3></a></annotation-xml></math>`,
	`<p style="background:url(a\62 c) url( 'd' )" itemtype="http://a/ b" itemid=i about=[c:d] resource=_:e property="http://f/ g"><style>@import "s";@namespace url(n);b{c:url(d)}</style><style type=text/css>@import url(t)</style><style type=x>@import "u"</style>`,
	`<object codebase=c data=d classid=clsid:1 archive="a b"><param name=x value=y valuetype=ref></object><applet codebase=e archive="f, g,,h" code=i object=j></applet><embed src=k pluginspage=l>`,
	`<form action><button formaction=a></button><input type=image src=b formaction="c"></form><blockquote cite=d><q cite=e></q></blockquote><amp-img src=f srcset="g 1x"></amp-img><x-video poster=h></x-video>`,
	`<iframe src=a srcdoc="<base href=in/><a href='b&amp;amp;c'><iframe srcdoc=&quot;<img src=d>&quot;></iframe>"></iframe><noscript><img src=e></noscript><template><base href=f><a href=g></template><table background=h><tr><td background=i>`,
	"<a href=\"\ta\r\nb \x00c\"></a><textarea><a href=x></textarea><script><a href=y></script><!-- <a href=z> -->" +
		"<xmp><a href=w></xmp>",
	`<meta http-equiv=content-base content=http://a/><meta http-equiv=Link content="<a>; rel=&quot;x,y&quot;, <b>, <c d&nbsp;e>"><meta http-equiv=pics-label content='(P "http://c/" "d")'><meta http-equiv=content-security-policy content="img-src *; report-uri e f, report-uri g"><meta property="og:image" content=h><meta name=" Twitter:image " content=i property=og:url>`,
	`<meta name=msapplication-task content="name=a; action-uri=b;icon-uri = c"><meta name=msapplication-notification content="polling-uri=d;polling-uri2=e"><meta name=msapplication-square70x70logo content=f><meta name=citation_pdf_url content=g><meta name=go-import content="h git http://i/"><meta itemprop=image content=j><meta itemprop=x content=./k><meta itemprop=y content=l><meta name=al:ios:url content=m>`,
	`<meta property=article:author content="x/y z"><meta property=music:song content="a b"><script type=application/ld+json>{"@context":["http://a/",{"@base":"b/"}],"url":"c","license":"g","image":["d",{"@id":"_:e"}],"x":"f"}</script><script type=importmap>{"imports":{"a":"./b","c":"d"},"scopes":{"e":{"f":"/g\u0041"}}}</script><script type=speculationrules>{"prefetch":[{"urls":["h"],"where":{"href_matches":["i"]}}]}</script>`,
	"<script>x()\n//# sourceMappingURL=a</script><style>p{b:url(c)}\n/*# sourceMappingURL=d */</style><script>x();//" +
		"# sourceMappingURL=e</script><style>p{}/*# sourceMappingURL=f*/</style><style>p{b:url(/" +
		"*#sourceMappingURL=g*/</style>",
}

func FuzzAgainstExtract(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := compare(data, true); err != nil {
			t.Errorf("references of %q: %v", data, err)
		}
	})
}
