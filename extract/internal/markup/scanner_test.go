package markup

import (
	"fmt"
	"strings"
	"testing"
)

// dump writes the tokens of src, one per line: the kind, then the content.
func dump(s *Scanner, src string) []string {
	var out []string
	s.Reset([]byte(src))
	for {
		kind := s.Next()
		if kind == EOF {
			return out
		}
		out = append(out, dumpToken(s, kind, src))
	}
}

func dumpToken(s *Scanner, kind Kind, src string) string {
	name := strings.ToLower(src[s.NameStart:s.NameEnd])
	text := src[s.TextStart:s.TextEnd]
	switch kind {
	case StartTag:
		return dumpStart(s, name, src)
	case EndTag:
		return "/" + name
	case RawText:
		return fmt.Sprintf("raw %s %q", name, text)
	case Comment:
		return fmt.Sprintf("comment %q", text)
	case Doctype:
		return fmt.Sprintf("doctype %q", text)
	case CDATA:
		return fmt.Sprintf("cdata %q", text)
	}
	return fmt.Sprint("kind ", kind)
}

func dumpStart(s *Scanner, name, src string) string {
	out := []string{[]string{"", "svg:", "math:"}[s.Space] + name}
	for _, a := range s.Attrs {
		attr := src[a.NameStart:a.NameEnd]
		if a.HasValue {
			attr += fmt.Sprintf("=%s%s%[1]s", strings.Trim(string(a.Quote), "\x00"), src[a.Start:a.End])
		}
		out = append(out, attr)
	}
	for _, mark := range []struct {
		on   bool
		text string
	}{
		{s.SelfClosing, "/"},
		{s.Template > 0, fmt.Sprint("template:", s.Template)},
		{s.NoScript > 0, fmt.Sprint("noscript:", s.NoScript)},
		{s.Frameset, "frameset"},
	} {
		if mark.on {
			out = append(out, mark.text)
		}
	}
	return strings.Join(out, " ")
}

type dumpCase struct {
	name, src string
	want      []string
}

func runDumps(t *testing.T, cases []dumpCase) {
	t.Helper()
	var s Scanner
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := dump(&s, c.src)
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("scan of %q:\n got %q\nwant %q", c.src, got, c.want)
			}
		})
	}
}

func TestTags(t *testing.T) {
	runDumps(t, []dumpCase{
		{"empty input", "", nil},
		{"text only", "a < b <3 <", nil},
		{"quotes", `<a href="x" b='y' c=z d>`, []string{`a href="x" b='y' c=z d`}},
		{"greater-than in quotes", `<a b=">" c='>'>`, []string{`a b=">" c='>'`}},
		{"blanks around equals", "<a b\n=\t'x' c = y>", []string{`a b='x' c=y`}},
		{"no blank after a quote", `<a b="x"c=y>`, []string{`a b="x" c=y`}},
		{"empty value before the end", `<a b=>`, []string{`a b=`}},
		{"value begins with equals", `<a b==x>`, []string{`a b==x`}},
		{"name begins with equals", `<a =b=x>`, []string{`a =b=x`}},
		{"quote in a name", `<a b"c=x>`, []string{`a b"c=x`}},
		{"less-than in a name", `<a <b>`, []string{`a <b`}},
		{"slashes between attributes", `<a/b/c=x/d>`, []string{`a b c=x/d`}},
		{"slash then equals", `<a b/=c>`, []string{`a b =c`}},
		{"self-closing", `<br/><br /><br a/><br a="x"/>`, []string{"br /", "br /", "br a /", `br a="x" /`}},
		{"slash of a value", `<a b=/><a b= />`, []string{"a b=/", "a b=/"}},
		{"slash apart from the end", `<br / >`, []string{"br"}},
		{"first of equal names", `<a b=1 B=2 c=3 b=4>`, []string{"a b=1 c=3"}},
		{"name with odd bytes", "<a:b-c_d\x00 e>", []string{"a:b-c_d\x00 e"}},
		{"end tag with attributes", `<b></b c=">">x`, []string{"b", "/b"}},
		{"end tag with nothing", `</></ a></1>`, []string{`comment " a"`, `comment "1"`}},
		{"unfinished name", `<b><a`, []string{"b"}},
		{"unfinished attribute", `<b><a href`, []string{"b"}},
		{"unfinished value", `<b><a href="x>`, []string{"b"}},
		{"unfinished after the value", `<b><a href="x"`, []string{"b"}},
		{"unfinished end tag", `<b></b`, []string{"b"}},
		{"NUL bytes", "<a\x00 b\x00=\x00>", []string{"a\x00 b\x00=\x00"}},
		{"less-than before a tag", `<<a>`, []string{"a"}},
	})
}

func TestComments(t *testing.T) {
	runDumps(t, []dumpCase{
		{"plain", "<!--a--><b>", []string{`comment "a"`, "b"}},
		{"abrupt", "<!--><b><!---><b>", []string{`comment ""`, "b", `comment ""`, "b"}},
		{"empty", "<!----><b>", []string{`comment ""`, "b"}},
		{"bang end", "<!--a--!><b>", []string{`comment "a"`, "b"}},
		{"dashes inside", "<!--a--b- ->c---><b>", []string{`comment "a--b- ->c-"`, "b"}},
		{"bang inside", "<!--a--!b--><b>", []string{`comment "a--!b"`, "b"}},
		{"nested opening", "<!--a<!--b--><c>", []string{`comment "a<!--b"`, "c"}},
		{"greater-than inside", "<!-- <a> --><b>", []string{`comment " <a> "`, "b"}},
		{"without an end", "<!--a><b>", []string{`comment "a><b>"`}},
		{"cut in its end", "<!--a--", []string{`comment "a"`}},
		{"cut after the bang", "<!--a--!", []string{`comment "a"`}},
		{"bogus", `<!a">"><?php ">"?>`, []string{`comment "a\""`, `comment "?php \""`}},
		{"conditional", `<![if !IE]><b><![endif]>`, []string{`comment "[if !IE]"`, "b", `comment "[endif]"`}},
		{"bogus without an end", `<b><!x`, []string{"b", `comment "x"`}},
		{"empty declaration", `<!><b>`, []string{`comment ""`, "b"}},
		{"doctype", `<!DOCTYPE html PUBLIC "a>b"><b>`, []string{`doctype " html PUBLIC \"a"`, "b"}},
		{"CDATA in HTML", `<![CDATA[<b>]]>`, []string{`comment "[CDATA[<b"`}},
		{"CDATA in SVG", `<svg><![CDATA[<b>]]><a>`, []string{"svg:svg", `cdata "<b>"`, "svg:a"}},
		{"CDATA without an end", `<svg><![CDATA[<b>`, []string{"svg:svg", `cdata "<b>"`}},
		{"CDATA at an integration point", `<svg><desc><![CDATA[<b>]]>`, []string{"svg:svg", "svg:desc", `cdata "<b>"`}},
		{"CDATA inside HTML inside SVG", `<svg><desc><p><![CDATA[<b>]]>`,
			[]string{"svg:svg", "svg:desc", "p", `comment "[CDATA[<b"`}},
	})
}

func TestRawText(t *testing.T) {
	runDumps(t, []dumpCase{
		{"style", "<style a>b<c></STYLE ><d>", []string{"style a", `raw style "b<c>"`, "/style", "d"}},
		{"all elements",
			"<title><a></title><textarea><a></textarea><xmp><a></xmp><iframe><a></iframe><noembed><a></noembed>" +
				"<noframes><a></noframes>",
			[]string{
				"title", `raw title "<a>"`, "/title", "textarea",
				`raw textarea "<a>"`, "/textarea", "xmp", `raw xmp "<a>"`, "/xmp",
				"iframe", `raw iframe "<a>"`, "/iframe", "noembed", `raw noembed "<a>"`,
				"/noembed", "noframes", `raw noframes "<a>"`, "/noframes",
			}},
		{"empty", "<style></style><b>", []string{"style", "/style", "b"}},
		{"no end tag", "<style><b>", []string{"style", `raw style "<b>"`}},
		{"longer name", "<style></styles></style>", []string{"style", `raw style "</styles>"`, "/style"}},
		{"end tag cut off", "<style>a</style", []string{"style", `raw style "a</style"`}},
		{"end tag without its end", "<style>a</style b", []string{"style", `raw style "a"`}},
		{"self-closing does not count", "<script/>a</script>", []string{"script /", `raw script "a"`, "/script"}},
		{"plaintext", "<plaintext></plaintext><b>", []string{"plaintext", `raw plaintext "</plaintext><b>"`}},
		{"noscript is markup", "<noscript><a></noscript><b>", []string{"noscript", "a noscript:1", "/noscript", "b"}},
		{"template", "<template><a><template><b></template><c></template><d></template><e>",
			[]string{"template", "a template:1", "template template:1", "b template:2",
				"/template", "c template:1", "/template", "d", "/template", "e"}},
	})
}

func TestScriptData(t *testing.T) {
	runDumps(t, []dumpCase{
		{"plain", "<script>a<b></b></script><c>", []string{"script", `raw script "a<b></b>"`, "/script", "c"}},
		{"escaped", "<script><!--a</script><c>", []string{"script", `raw script "<!--a"`, "/script", "c"}},
		{"double escaped", "<script><!--<script></script></script><c>",
			[]string{"script", `raw script "<!--<script></script>"`, "/script", "c"}},
		{"double escaped and ended", "<script><!--<script>--></script><c>",
			[]string{"script", `raw script "<!--<script>-->"`, "/script", "c"}},
		{"escape ended at once", "<script><!--><script></script><c>",
			[]string{"script", `raw script "<!--><script>"`, "/script", "c"}},
		{"escape ended by three dashes", "<script><!---><script></script><c>",
			[]string{"script", `raw script "<!---><script>"`, "/script", "c"}},
		{"stays escaped after less-than and a digit", "<script><!-- 1<2 <script></script></script><c>",
			[]string{"script", `raw script "<!-- 1<2 <script></script>"`, "/script", "c"}},
		{"longer name does not escape twice", "<script><!--<scripts></script><c>",
			[]string{"script", `raw script "<!--<scripts>"`, "/script", "c"}},
		{"escaped twice, three times", "<script><!--<script></script><script></script></script><c>",
			[]string{"script", `raw script "<!--<script></script><script></script>"`, "/script", "c"}},
		{"second escape", "<script><!----><!--<script></script></script><c>",
			[]string{"script", `raw script "<!----><!--<script></script>"`, "/script", "c"}},
		{"never ended", "<script><!--<script></script><c>",
			[]string{"script", `raw script "<!--<script></script><c>"`}},
		{"bogus opening", "<script><!-<script></script><c>",
			[]string{"script", `raw script "<!-<script>"`, "/script", "c"}},
	})
}

func TestForeignContent(t *testing.T) {
	runDumps(t, []dumpCase{
		{"title in SVG", "<svg><title/><a></svg><b>", []string{"svg:svg", "svg:title /", "svg:a", "/svg", "b"}},
		{"raw text elements in SVG", "<svg><style><a/></style><script><a/></script></svg>",
			[]string{"svg:svg", "svg:style", "svg:a /", "/style", "svg:script", "svg:a /", "/script", "/svg"}},
		{"self-closing root", "<svg/><title><a></title>", []string{"svg:svg /", "title", `raw title "<a>"`, "/title"}},
		{"integration point", "<svg><foreignObject><title><a></title><svg><title><b>",
			[]string{"svg:svg", "svg:foreignobject", "title",
				`raw title "<a>"`, "/title", "svg:svg", "svg:title", "b"}},
		{"breakout", "<svg><g><div><title><a></title>",
			[]string{"svg:svg", "svg:g", "div", "title", `raw title "<a>"`, "/title"}},
		{"font with color breaks out", "<svg><font><a></font><font color><a>",
			[]string{"svg:svg", "svg:font", "svg:a", "/font", "font color", "a"}},
		{"end tag p breaks out", "<svg><g></p><title><a>",
			[]string{"svg:svg", "svg:g", "/p", "title", `raw title "<a>"`}},
		{"MathML text integration point", "<math><mi><a><mglyph></a></mi><a>",
			[]string{"math:math", "math:mi", "a", "mglyph", "/a", "/mi", "math:a"}},
		{"mglyph at a text integration point", "<math><mi><mglyph><a>",
			[]string{"math:math", "math:mi", "math:mglyph", "math:a"}},
		{"annotation-xml", "<math><annotation-xml><a><svg>",
			[]string{"math:math", "math:annotation-xml", "math:a", "math:svg"}},
		{"svg in annotation-xml", "<math><annotation-xml><svg><a>",
			[]string{"math:math", "math:annotation-xml", "svg:svg", "svg:a"}},
		{"annotation-xml of HTML", "<math><annotation-xml encoding=Text/HTM&#x4c;><a><p></p></a></annotation-xml><a>",
			[]string{"math:math", "math:annotation-xml encoding=Text/HTM&#x4c;",
				"a", "p", "/p", "/a", "/annotation-xml", "math:a"}},
		{"end tag of an open HTML element", "<div><svg><g></div><title><a>",
			[]string{"div", "svg:svg", "svg:g", "/div", "title", `raw title "<a>"`}},
		{"end tag of no open element", "<div></div><svg><g></div><title><a>",
			[]string{"div", "/div", "svg:svg", "svg:g", "/div", "svg:title", "a"}},
		{"end tag behind an integration point", "<div><svg><desc></div><svg></svg></desc><a>",
			[]string{"div", "svg:svg", "svg:desc", "/div", "svg:svg", "/svg", "/desc", "svg:a"}},
		{"end tag behind a second integration point", "<svg><desc><div><svg><desc></div></desc><title/>",
			[]string{"svg:svg", "svg:desc", "div", "svg:svg", "svg:desc", "/div", "/desc", "svg:title /"}},
		{"end tag of the body", "<body><svg></body><title>", []string{"body", "svg:svg", "/body", "svg:title"}},
		{"foreign end tag while HTML is open", "<svg><desc><div></desc></svg><title><a>",
			[]string{"svg:svg", "svg:desc", "div", "/desc", "/svg", "title", `raw title "<a>"`}},
		{"p ended by a block", "<svg><desc><p><div></div></desc><a>",
			[]string{"svg:svg", "svg:desc", "p", "div", "/div", "/desc", "svg:a"}},
		{"formatting element", "<svg><desc><b><i></b></i></desc><a>",
			[]string{"svg:svg", "svg:desc", "b", "i", "/b", "/i", "/desc", "svg:a"}},
		{"table end through an integration point", "<table><td><svg><desc></table><title>",
			[]string{"table", "td", "svg:svg", "svg:desc", "/table", "title"}},
		{"row through an integration point", "<table><td><svg><desc><tr><td><svg><title>",
			[]string{"table", "td", "svg:svg", "svg:desc", "tr", "td", "svg:svg", "svg:title"}},
		{"row of no table", "<svg><desc><tr></desc><title/>",
			[]string{"svg:svg", "svg:desc", "tr", "/desc", "svg:title /"}},
		{"template in SVG", "<svg><template><a></template><title>",
			[]string{"svg:svg", "svg:template", "svg:a", "/template", "svg:title"}},
		{"template closes SVG", "<template><svg><g></template><title><a>",
			[]string{"template", "svg:svg template:1", "svg:g template:1", "/template", "title", `raw title "<a>"`}},
		{"template in an integration point", "<svg><desc><template><svg></template><svg></svg></desc><a>",
			[]string{"svg:svg", "svg:desc", "template", "svg:svg template:1",
				"/template", "svg:svg", "/svg", "/desc", "svg:a"}},
		{"base in SVG", "<svg><base>", []string{"svg:svg", "svg:base"}},
		{"form in a form", "<form><svg><desc><form><![CDATA[<a>]]><b>",
			[]string{"form", "svg:svg", "svg:desc", "form", `cdata "<a>"`, "b"}},
		{"form", "<svg><desc><form><![CDATA[<a>]]><b>",
			[]string{"svg:svg", "svg:desc", "form", `comment "[CDATA[<a"`, "b"}},
		{"form after a form", "<form></form><svg><desc><form><form><![CDATA[<a>]]><b>",
			[]string{"form", "/form", "svg:svg", "svg:desc", "form", "form", `comment "[CDATA[<a"`, "b"}},
		{"mixed case", "<SVG><ForeignObject><P></P></FOREIGNOBJECT><Title>",
			[]string{"svg:svg", "svg:foreignobject", "p", "/p", "/foreignobject", "svg:title"}},
	})
}

func TestFrameset(t *testing.T) {
	runDumps(t, []dumpCase{
		{"first", "<title>x</title> <frameset><base><title><frame></frameset>",
			[]string{"title", `raw title "x"`, "/title", "frameset",
				"base frameset", "title frameset", "frame frameset", "/frameset"}},
		{"noframes", "<frameset><noframes><a></noframes>",
			[]string{"frameset", "noframes frameset", `raw noframes "<a>"`, "/noframes"}},
		{"after what is no tag", "</> </><frameset><base>", []string{"frameset", "base frameset"}},
		{"after text", "x<frameset><base>", []string{"frameset", "base"}},
		{"after body", "<body><frameset><base>", []string{"body", "frameset", "base"}},
		{"after an element that leaves it", "<p></p><frameset><base>",
			[]string{"p", "/p", "frameset", "base frameset"}},
		{"after an end tag that is a start tag", "</br><frameset><base>", []string{"/br", "frameset", "base"}},
		{"after a template in the head", "<template>x<br></template><frameset><base>",
			[]string{"template", "br template:1", "/template", "frameset", "base frameset"}},
		{"after a template in the body", "<p><template></template><frameset><base>",
			[]string{"p", "template", "/template", "frameset", "base"}},
		{"after a template in the head and a body", "<template></template><p><frameset><base>",
			[]string{"template", "/template", "p", "frameset", "base"}},
		{"after a template in a body that an end tag begins", "</body><template></template><frameset><base>",
			[]string{"/body", "template", "/template", "frameset", "base"}},
		{"after a template in a body that the end of the document begins",
			"</html><template></template><frameset><base>",
			[]string{"/html", "template", "/template", "frameset", "base"}},
		{"after an end tag without effect", "</p><template></template><frameset><base>",
			[]string{"/p", "template", "/template", "frameset", "base frameset"}},
		{"after an input", "<input><frameset><base>", []string{"input", "frameset", "base"}},
		{"after a hidden input", "<input type=Hidden><frameset><base>",
			[]string{"input type=Hidden", "frameset", "base frameset"}},
		{"after SVG", "<svg></svg><frameset><base>", []string{"svg:svg", "/svg", "frameset", "base frameset"}},
		{"in a template", "<template><frameset></template><base>",
			[]string{"template", "frameset template:1", "/template", "base"}},
	})
}
