package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	_ "absolink/extract/markdown"
	"absolink/testdata/effort"
)

// read returns a document of Markdown with the base http://h.example/d/.
func read(source string) *extract.Doc {
	return &extract.Doc{Format: extract.Markdown, Data: []byte(source),
		Layer: &base.Layer{Source: base.URL, Value: "http://h.example/d/"}}
}

// list returns the references of d: the bytes of each, with its element, and with its value if that
// is not the same. A mark follows if a reference is only listed.
func list(t *testing.T, d *extract.Doc) string {
	t.Helper()
	var all []string
	for r := range d.Refs() {
		raw := string(d.Data[r.Start:r.End])
		s := r.Element + " " + raw
		if string(r.Value) != raw {
			s += " = " + string(r.Value)
		}
		if r.ListOnly {
			s += "!"
		}
		if r.Unsafe {
			s += "!"
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// The sections are those of CommonMark 0.31.2, or with a G those of GitHub Flavored Markdown 0.29.
func TestRefs(t *testing.T) {
	for _, tt := range []struct{ section, source, want string }{
		{"6.3 inline", "[a](b)", "link b"},
		{"6.3 title", "[a](b \"c\") [d](e 'f') [g](h (i))", "link b, link e, link h"},
		{"6.3 brackets", "[a](<b c>) [d](<>) [e](<f>\"g\")", "link b c, link , link f!!"},
		{"6.3 empty", "[a]() [b]( )", "link , link "},
		{"6.3 parentheses", "[a](b(c)d) [e](f\\)g) [h](i(j)", "link b(c)d, link f\\)g = f)g"},
		{"6.3 line ends", "[a](\n  b\n  'c'\n)", "link b"},
		{"6.3 in a quote", "> [a](\n> b)", "link b"},
		{"6.3 in nested containers", "> - [a](\n>   b)\n> - 1. [c](\n>      d)", "link b, link d"},
		{"6.3 not inside the brackets", "[a](b c) [d](e\nf)", ""},
		{"6.3 control characters", "[a](b\x01c)", "link b\x01c!!"},
		{"6.3 an open bracket", "[a](<b<c>)", "link b<c!!"},
		{"6.3 nested", "[a [b](c) d](e)", "link c"},
		{"6.4 images", "![a](b) [![c](d)](e) ![f ![g](h)](i)", "image b, image d, link e, image h, image i"},
		{"2.4 escapes", "[a](b\\_c\\(d\\)\\e)", `link b\_c\(d\)\e = b_c(d)%5Ce`},
		{"2.4 backslashes", "[a](b\\c\\\\d) [e](<f\\g&#92;>) <http://h/i\\j> <kk:\\&amp;>",
			`link b\c\\d = b%5Cc%5Cd, link f\g&#92; = f%5Cg%5C, autolink http://h/i\j = http://h/i%5Cj, ` +
				`autolink kk:\&amp; = kk:%5C&amp;!!`},
		{"2.5 references", "[a](b?c&amp;d&copy;&#x41;&#66;) [e](f&amp) [g](h&x;)",
			"link b?c&amp;d&copy;&#x41;&#66; = b?c&d\u00a9AB, link f&amp, link h&x;"},
		{"4.7 definitions", "[a]: b\n[c]: <d e> 'f'\n[g]:\n  h\n\n[a] [c] [g]",
			"definition b, definition d e, definition h"},
		{"4.7 not a definition", "[a]: b c\n\n[a]", ""},
		{"4.7 in a quote and an item", "> [a]: b\n\n- [c]: d\n", "definition b, definition d"},
		{"4.7 an escaped label", "[a\\]]: b\n", "definition b"},
		{"6.5 autolinks", "<http://a/> <x@y.example> <ab:c> <d:e>",
			"autolink http://a/, autolink x@y.example = mailto:x@y.example!, autolink ab:c"},
		{"6.5 with a reference", "<http://a/?b&amp;c>", "autolink http://a/?b&amp;c!!"},
		{"6.6 tags", "a <img src=b> <a href='c'>[d](e)</a>", "img b, a c, link e"},
		{"4.6 blocks", "<p>\n<a href=b>\n[c](d)\n</p>\n\n[e](f)", "a b, link f"},
		{"4.6 in containers", "> <p>\n> <a href=b>\n\n- <a href=\n  c>", "a b, a c"},
		{"4.6 in pieces", "<svg>\n\n<a href=b>\n\n</svg>", "a b"},
		{"4.6 comments", "<!-- [a](b) <a href=c> -->\n\na <!-- [d](e) --> f", ""},
		{"6.1 code", "`[a](b)` ``<http://c/>``", ""},
		{"4.4 indented code", "    [a](b)\n\n\t[c](d)", ""},
		{"4.5 fences", "```\n[a](b)\n```\n~~~ [c](d)\n[e](f)", ""},
		{"2.2 tabs", "-\t[a](\n\tb)", "link b"},
		{"2.1 line ends", "[a](\r\nb) [c](\rd)\r\r    [e](f)", "link b, link d"},
		{"G 6.9 URLs", "http://a.b/c https://d.e, (www.f.g/h) ftp://i",
			"autolink http://a.b/c!, autolink https://d.e!, autolink www.f.g/h = http://www.f.g/h!, autolink ftp://i!"},
		{"G 6.9 ends", "http://a.b/c. http://d.e/(f)) http://g.h/&amp; http://i.j/_k_* http://l.m<n",
			"autolink http://a.b/c!, autolink http://d.e/(f)!, autolink http://g.h/!, autolink http://i.j/_k!, " +
				"autolink http://l.m!"},
		{"G 6.9 not", "xhttp://a.b http:// http://a_b.c xwww.a.b `http://a.b` [http://a.b c] http:/a", ""},
		{"G 6.9 beginnings", "*http://a.b* _www.c.d/_ \"http://e.f\" ~www.g.h~ \"www.i.j\"",
			"autolink http://a.b!, autolink www.c.d/ = http://www.c.d/!, autolink http://e.f!, " +
				"autolink www.g.h = http://www.g.h!"},
		{"G 6.9 before escapes and code", "http://a.b/c\\_ www.d.e`f`",
			"autolink http://a.b/c\\ = http://a.b/c%5C!!, autolink www.d.e`f` = http://www.d.e`f`!!"},
		{"G 6.9 behind tags", "<b>www.a.b</b> <b>http://c.d</b> <b> www.e.f</b>\n>www.g.h\n> \\*www.i.j",
			"autolink http://c.d!, autolink www.e.f = http://www.e.f!, autolink www.g.h = http://www.g.h!, " +
				"autolink www.i.j = http://www.i.j!"},
		{"G 6.9 behind marks", "`a`www.b.c [d](e)www.f.g &amp;www.h.i (www.j.k)",
			"link e, autolink www.j.k = http://www.j.k!"},
		{"G 4.10 tables", "|a|b|\n|-|-|\n|[c](d)|[e](f\\|g)|\n[h](i|j)", `link d, link f\|g = f|g`},
		{"G 4.10 no bars at the ends", "a|b\n-|:-:\n[c](d|[e](f)\n", "link f"},
		{"G 4.10 one column", "a\n:-\n[b](c|d) [e](f)", ""},
		{"G 4.10 behind text", "[a](b|c)\n[d](e|f)\n|-|-|\n[g](h|i)", "link b|c"},
		{"G 4.10 delimiters", "a|b|c|d\n |:-\t|-: | :---: |- \n[e](f|g)", ""},
		{"G 4.10 not delimiters", "a|b\n-|x\n[c](d|e)\n\na|b\n-||-\n[c](d|f)\n\n" +
			"a|b\n-|:\n[c](d|g)\n\na|b\n-|::-\n[c](d|h)", "link d|e, link d|f, link d|g, link d|h"},
		{"G 4.10 not the number of delimiters", "a\n-|-\n[b](c|d)\n\na|b\n|-\n-|-\n[b](c|e)\n",
			"link c|d, link c|e"},
		{"G 4.10 indentation", "a|b\n   -|-\n[c](d|e)\n\na|b\n    -|-\n[c](d|f)", "link d|f"},
		{"G 4.10 further cells", "a|b\n-|-\n|[c](d)|e|[f](g)\n[h](i)|", "link d, link i"},
		{"G 4.10 blanks before a row", "|a|b|\n|-|-|\n |[c](d)|[e](f)| ", "link d, link f"},
		{"G 4.10 a list behind a table", "a\n:-\n-\n    [b](c)", "link c"},
		{"G 4.10 empty cells", "||\n|-|\n[a](b|c)\n\n||[d](e)|\n|-|-|\n|||[f](g)|", "link e"},
		{"G 4.10 indented lines", "a|b\n-|-\n    [c](d)\n    [e](f)\n[g](h)\n\n" +
			"a\n    b|c\n-|-\n   [d](i)\n\t[e](j)", "link h, link i"},
		{"G 4.10 indented lines without a table", "a|b\n-\n    [c](d)\n\na|b|c\n-|-\n    [d](e)", "link e"},
		{"G 4.10 indented lines in containers", "> - a|b\n>   -|-\n>       [c](d)\n>      [e](f)", "link f"},
		{"G 4.10 in containers", "> - a|b\n>   -|-\n>   [c](d|e)\n>   [f](g)\n", "link g"},
		{"G 4.10 ends", "a|b\n-|-\n# [c](d|e)\n\na|b\n-|-\n\n[c](d|f)", "link d|e, link d|f"},
		{"G 4.10 line ends", "a|b\r\n-|-\r\n[c](d)|[e](f)\r\n", "link d, link f"},
		{"G 4.10 definitions", "[a]: b\n|c|\n|-|\n|[a]|[d](e)|\n", "definition b"},
		{"G 4.10 a backslash at the end", "|a|\n|-|\n|http://b.c/d\\|", `autolink http://b.c/d\| = http://b.c/d%5C|!!`},
		{"G footnotes", "a[^1]\n\n[^1]: [b](c)\n\n    [d](e)\n", "link c, link e"},
		{"footnotes are no definitions", "[^1]: a\n[^b c]:d\n[^e]:\tf", ""},
		{"footnotes without a label", "[^]: a\n\n[^ ]: b\n", "definition a, definition b"},
		{"footnotes without a colon", "[^1] a\n\n    [b](c)\n\n[^1\n\n    [d](e)\n\n[^1]", ""},
		{"footnotes end paragraphs", "a [b\n[^1]: c](d)", ""},
		{"footnotes contain blocks", "[^1]: a\n\n    - [b](c)\n\n        [d](e)\n\n[f](g)\n[h](\n    i)",
			"link c, link e, link g, link i"},
		{"footnotes contain code", "[^1]: a\n\n        [b](c)\n\n\t[d](e)\n", "link e"},
		{"footnotes continue in lines without indentation", "[^1]: [a](\nb)\nc\n\n    [d](e)", "link b, link e"},
		{"footnotes end", "[^1]: a\n\n   b\n\n    [c](d)", ""},
		{"footnotes begin in the next line", "[^1]:\n    [a](b)\n\n[^2]:\t     [c](d)\n\n[^3]:", "link b, link d"},
		{"footnotes behind blanks", "   [^1]:[k]: a", "definition a"},
		{"footnotes with tabs", "> [^1]: a\n>\n>\t\t[b](c)\n>\n>\t\t  [d](e)\n", "link c"},
		{"footnotes in containers", "> - [^1]: [a](b)\n>\n>       [c](d)\n>   [^2]: [^3]: [e](f)\n",
			"link b, link d, link f"},
		{"footnotes are not indented", "    [^1]: [a](b)\n\n-\t[^1]:\n", ""},
		{"a byte order mark", "\ufeff[a]: b", "definition b"},
	} {
		if got := list(t, read(tt.source)); got != tt.want {
			t.Errorf("%s: %q has %q, want %q", tt.section, tt.source, got, tt.want)
		}
	}
}

// CommonMark has no URLs in text, tables and footnotes.
func TestCommonMark(t *testing.T) {
	d := read("http://a.b/ [c](d|e)\n\n|f|\n|-|\n|[g](h|i)|\n\n[^1]: j\n")
	d.Options.CommonMark = true
	if got, want := list(t, d), "link d|e, link h|i, definition j"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The kind of a definition is that of the links and images that use it.
func TestKinds(t *testing.T) {
	d := read("[a](1) ![b](2) ![c][] [d][] [e] ![e]\n\n[c]: 3\n[d]: 4\n[e]: 5\n[f]: 6\n\n<http://7/> http://8.x/")
	var got []string
	for r := range d.Refs() {
		got = append(got, fmt.Sprint(r.Kind, " ", string(r.Value)))
	}
	want := "nav 1, res 2, res 3, nav 4, nav 5, nav 6, nav http://7/, nav http://8.x/"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %q, want %q", s, want)
	}
}

// Each disputed place is a problem, and with OwnImages each definition that links and images use.
func TestProblems(t *testing.T) {
	const source = "<http://a/?b&amp;c> [d](<e>\"f\") <img src='g\nh'>\n\n[i] ![i] [j] ![k] [l]\n\n" +
		"[i]: 1\n[j]: 2\n[k]: 3\n[m]: 4\n[l]: 5\n\n[l] ![l]\n"
	for _, tt := range []struct {
		ownImages bool
		want      string
	}{
		{false, "http://a/?b&amp;c disputed-markdown, e disputed-markdown, g\nh disputed-markdown"},
		{true, "http://a/?b&amp;c disputed-markdown, e disputed-markdown, g\nh disputed-markdown, " +
			"1 shared-definition, 5 shared-definition"},
	} {
		d := read(source)
		d.Options.OwnImages = tt.ownImages
		starts := make(map[int]string)
		for r := range d.Refs() {
			starts[r.Start] = string(d.Data[r.Start:r.End])
		}
		var got []string
		problems := d.Problems()
		slices.SortFunc(problems, func(a, b extract.Problem) int { return a.Offset - b.Offset })
		for _, p := range problems {
			got = append(got, starts[p.Offset]+" "+string(p.Kind))
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("problems %q, want %q", s, tt.want)
		}
	}
	if n := len(read(strings.Repeat("<http://a/?b&amp;c>\n", 300)).Problems()); n != 100 {
		t.Errorf("%d problems are kept, want 100", n)
	}
}

// A BASE in HTML holds for links of Markdown too, as in the page that is made from it.
func TestBase(t *testing.T) {
	d := read("[a](b)\n\n<base href=\"http://e.example/\">\n")
	var r extract.Resolver
	for l := range r.Links(d) {
		if l.Element == "link" && string(l.URI) != "http://e.example/b" {
			t.Errorf("the link leads to %s", l.URI)
		}
	}
}

// Charsets that keep ASCII, and UTF-16, are decoded.
func TestCharsets(t *testing.T) {
	d := read("[a](\xe9\\_b)")
	d.Charset = "windows-1252"
	for r := range d.Refs() {
		if string(r.Value) != "é_b" {
			t.Errorf("the value is %q", r.Value)
		}
	}
	wide := read("\xff\xfe[\x00a\x00]\x00(\x00b\x00)\x00")
	var r extract.Resolver
	out := extract.Apply(nil, wide.Data, r.Edits(nil, wide))
	if got := strings.ReplaceAll(string(out), "\x00", ""); got != "\xff\xfe[a](http://h.example/d/b)" {
		t.Errorf("UTF-16 became %q", got)
	}
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct{ source, uri, want string }{
		{"[a](b)", "http://c/", "[a](http://c/)"},
		{"[a](<b>)", "http://c/", "[a](<http://c/>)"},
		{"[a](b 't')", "http://c/(d", "[a](<http://c/(d> 't')"},
		{"[a](b)", "http://c/)d(", "[a](<http://c/)d(>)"},
		{"[a](b)", "http://c/(d)", "[a](http://c/(d))"},
		{"[a](<b>)", "http://c/(d", "[a](<http://c/(d>)"},
		{"[a](b)", "http://c/ d", "[a](<http://c/ d>)"},
		{"[a](b)", "", "[a](<>)"},
		{"[a](<b>)", "", "[a](<>)"},
		{"[a](b)", "http://c/?d&e&amp;f&#1;&g;h&;", "[a](http://c/?d&e&#38;amp;f&#38;#1;&#38;g;h&;)"},
		{"[a](b)", "http://c/`d|e\\_f<g>", "[a](http://c/&#96;d&#124;e%5C_f&#60;g&#62;)"},
		{"[a](b)", "http://c/\u00e9\n\x00", "[a](http://c/&#233;%0A%00)"},
		{"[a](\nb)", "#d", "[a](\n&#35;d)"},
		{"> [a](\n> b)", "-", "[a](\n> &#45;)"},
		{"[a](\n<b>)", "table", "[a](\n<&#116;able>)"},
		{"[a](\nb)", "http://c/", "[a](\nhttp://c/)"},
		{"[a](b)", "#d", "[a](#d)"},
		{"[a]: b", "http://c/", "[a]: http://c/"},
		{"[a]: b", "", "[a]: <>"},
		{"![a](b)", "http://c/", "![a](http://c/)"},
		{"<a:b>", "http://c/", "<http://c/>"},
		{"[a](b|c)", "http://d/b|c", "[a](http://d/b|c)"},
		{"[a](<b|c>)", "http://d/b|c|e", "[a](<http://d/b|c&#124;e>)"},
		{"[a](b\\|c)", "http://d/b|c", "[a](http://d/b&#124;c)"},
		{"[a](||)", "http://d/||", "[a](http://d/||)"},
		{"<img src='b|c'>", "http://d/b|c|e", "<img src='http://d/b|c&#124;e'>"},
		{"<img src='b&#124;c'>", "http://d/b|c", "<img src='http://d/b&#124;c'>"},
		{"[a]: b|c", "http://d/|", "[a]: http://d/|"},
	} {
		d := read(tt.source)
		for r := range d.Refs() {
			if !r.Holds([]byte(tt.uri)) {
				t.Errorf("%q does not hold %q", tt.source, tt.uri)
			}
			out := string(extract.Apply(nil, d.Data, []extract.Edit{r.Edit([]byte(tt.uri))}))
			if !strings.HasSuffix(out, tt.want) {
				t.Errorf("%q with %q is %q, want %q", tt.source, tt.uri, out, tt.want)
			}
			checkReadBack(t, out, tt.uri)
		}
	}
}

// Where the source has bars, a URI needs as many: otherwise text could become a table.
func TestHoldsBars(t *testing.T) {
	for _, tt := range []struct {
		source, uri string
		want        bool
	}{
		{"[a](b|c)", "http://d/", false},
		{"[a](b|c)", "http://d/|", true},
		{"[a](b|c|)", "http://d/|", false},
		{"[a](b\\|c)", "http://d/", true},
		{"<img src='b|c'>", "http://d/", false},
		{"<img src='b|c'>", "http://d/|e|", true},
		{"<img srcset='b|c, d'>", "http://d/|", true},
		{"[a]: b|c", "http://d/", false},
		{"[a](" + strings.Repeat("|", 300) + ")", "http://d/" + strings.Repeat("|", 300), true},
		{"[a](" + strings.Repeat("|", 300) + ")", "http://d/" + strings.Repeat("|", 254), false},
	} {
		d := read(tt.source)
		for r := range d.Refs() {
			if got := r.Holds([]byte(tt.uri)); got != tt.want {
				t.Errorf("%q holds %q: %v, want %v", tt.source, tt.uri, got, tt.want)
			}
			break
		}
	}
}

// checkReadBack checks that the only reference of a document is uri.
func checkReadBack(t *testing.T, source, uri string) {
	t.Helper()
	n := 0
	for r := range read(source).Refs() {
		n++
		got := string(r.Value)
		if got != uri && got != strings.NewReplacer("\n", "%0A", "\x00", "%00", `\`, "%5C").Replace(uri) {
			t.Errorf("%q is read back with %q, want %q", source, got, uri)
		}
	}
	if n != 1 {
		t.Errorf("%q has %d references, want 1", source, n)
	}
}

// Autolinks and URLs in text hold only URIs that all parsers read there.
func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		uri            string
		autolink, bare bool
	}{
		{"http://a.b/c?d=e&f#g", true, true},
		{"https://a.b", true, true},
		{"ftp://a.b:80/", true, true},
		{"http://a/", true, false},
		{"http://a.B2/", true, false},
		{"http://a_b.c/", true, false},
		{"http://[::1]/", true, false},
		{"mailto:a@b.c", true, false},
		{"a:b", false, false},
		{strings.Repeat("a", 33) + ":b", false, false},
		{"/b", false, false},
		{"../b", false, false},
		{"http://a.b/c d", false, false},
		{"http://a.b/<", false, false},
		{"http://a.b/`", false, false},
		{"http://a.b/|", false, false},
		{"http://a.b/\\", false, false},
		{"http://a.b/&amp;", false, false},
		{"http://a.b/\u00e9", false, false},
		{"http://a.b/(c)", true, true},
		{"http://a.b/(c", true, false},
		{"http://a.b/)c(", true, false},
		{"http://a.b/c.", true, false},
		{"http://a.b/c_", true, false},
		{"http://a.b/*c", true, false},
		{"http://a.b/'c", true, false},
		{"http://a.b/[c]", true, false},
	} {
		for source, want := range map[string]bool{"<http://x.y/>": tt.autolink, "http://x.y/": tt.bare} {
			for r := range read(source).Refs() {
				if got := r.Holds([]byte(tt.uri)); got != want {
					t.Errorf("%s holds %q: %v, want %v", source, tt.uri, got, want)
				}
			}
		}
	}
}

// Documents that goldmark would take too long or too much memory for are named and not read.
func TestBounds(t *testing.T) {
	const size = 4 << 20
	repeated := effort.Pick(size, size/2) // bytes; fewer are within the bounds
	for _, unit := range []string{"[", "![", "> ", ">", "[a](", "[a](<b ", "[a]: b\n", "- a\n", "1. ", "a\n", "# a\n",
		"[a]:\n", "<a ", "www.a ", "<http://a>", "[^1]: a\n\n", "[![", "- ", "[a](b)\n", "`` ` "} {
		checkBeyond(t, unit, strings.Repeat(unit, repeated/len(unit)), true)
	}
	quotes := strings.Repeat("> ", 150)
	checkBeyond(t, "many deep quotes", strings.Repeat(quotes+"a\n", 3000), true)
	brackets := quotes + strings.Repeat("]", 1400) + "\n"
	checkBeyond(t, "brackets in deep quotes", strings.Repeat(brackets, size/len(brackets)), true)
	items := ""
	for i := range 300 {
		items += strings.Repeat("  ", i) + "- a\n"
	}
	checkBeyond(t, "nested items", items, true)
	checkBeyond(t, "nested footnotes", strings.Repeat("[^1]:", 300)+"a\n", true)
	checkBeyond(t, "footnotes in items", strings.Repeat("- [^1]: ", 150)+"a\n", true)
	row := strings.Repeat("|a", 500)
	checkBeyond(t, "a wide table", row+"\n"+strings.Repeat("|-", 500)+"\n"+strings.Repeat("a\n", 2000), true)
	checkBeyond(t, "a large document", strings.Repeat(strings.Repeat("a", 99)+"\n", size/100+1), true)
	checkBeyond(t, "escapes in a destination", "[a]("+strings.Repeat("\\*", 2<<20-100)+")", true)
	checkBeyond(t, "long front matter", "---\nimages: ["+strings.Repeat("a.png,", 1<<18)+"]\n---\na\n", true)
	checkBeyond(t, "front matter", "---\nimages: ["+strings.Repeat("a.png,", 1<<17)+"]\n---\na\n", false)
	checkBeyond(t, "4 MB of text", strings.Repeat(strings.Repeat("a", 99)+"\n", size/100), false)
	checkBeyond(t, "4 MB of emphasis", strings.Repeat("*", size), false)
	checkBeyond(t, "many links", strings.Repeat("- [a](b) text text text text\n", 20000), false)
	checkBeyond(t, "a long paragraph with links", strings.Repeat("[a](b) text text text text\n", 3000), false)
	checkBeyond(t, "quotes", strings.Repeat("> ", 150)+"a", false)
	checkBeyond(t, "footnotes", strings.Repeat("[^1]: [a](b)\n", 3000), false)
	checkBeyond(t, "a table", "|a|b|\n|-|-|\n"+strings.Repeat("|[a](b)|c|\n", 3000), false)
}

// beyond has the bytes of the documents of checkBeyond, one at a time.
var beyond []byte

func checkBeyond(t *testing.T, name, source string, want bool) {
	t.Helper()
	beyond = append(beyond[:0], source...)
	d := read("")
	d.Data = beyond
	got := false
	for _, p := range d.Problems() {
		got = got || p.Kind == extract.TooComplex
	}
	if got != want {
		t.Errorf("%s: too complex: %v, want %v", name, got, want)
	}
}

// The text of a link has no markup.
func TestLinkText(t *testing.T) {
	const source = "[a *b* `c` &amp; [d] \\_](1) ![e **f**](2) [![g](3)](4) [h\n i](5) <http://6/> http://7.x/y\n\n" +
		"> [j\n> k](8) [](9)\n\n[l]: 10\n\n" +
		"[[11] *m*](12) ![[13]](14) <http://15/*n*> [\\&lt; &#38;lt;](16)\n\n" +
		"[~~o~~ ~p~ *~q*r~](17) [~~s~](18) [~~~t~~~ ~ u ~](19) [v~~w~~x ~*y*~](20)\n"
	d := read(source)
	d.Options.LinkText = true
	var got []string
	for r := range d.Refs() {
		got = append(got, string(d.Data[r.Start:r.End])+" "+d.LinkText(r.Start))
	}
	want := "1 a b c & [d] _, 2 e f, 3 g, 4 g, 5 h i, http://6/ http://6/, http://7.x/y http://7.x/y, 8 j k, 9 , " +
		"10 , 12 [11] m, 14 [13], http://15/*n* http://15/*n*, 16 &lt; &lt;, " +
		"17 o p ~qr~, 18 ~~s~, 19 ~~~t~~~ ~ u ~, 20 vwx y"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %q, want %q", s, want)
	}
	d.Options.LinkText = false
	for r := range d.Refs() {
		if s := d.LinkText(r.Start); s != "" {
			t.Errorf("without the option the text is %q", s)
		}
	}
}

// A bracket that ends a document, a heading or a block is text.
func TestBracketsAtTheEnd(t *testing.T) {
	for _, before := range []string{"", "# ", "> ", "- ", "a\n", "[^1]: ", "| a |\n|---|\n| "} {
		for _, text := range []string{"[", "[a", "[a]", "[a](", "[a](<", "[a](b", "![a](", "[a][", "<", "<a", "`",
			"http:", "www."} {
			for _, after := range []string{"", "\n", "\r", "\n\n", " |"} {
				for r := range read(before + text + after).Refs() {
					t.Errorf("%q has %s", before+text+after, r.Value)
				}
			}
		}
	}
}
