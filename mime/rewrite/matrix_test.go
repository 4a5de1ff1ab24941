package rewrite_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// matrixSites lists ways to move the site http://old.test/, by their names.
var matrixSites = []struct {
	name string
	form move.Form
	maps [][2]string
	lazy bool // and scripts
}{
	{"nothing moves", move.Absolute, nil, false},
	{"to another host", move.Absolute, [][2]string{{"http://old.test/", "https://new.test/n/"}}, false},
	{"to another host, all that is listed", move.Absolute, [][2]string{{"http://old.test/", "https://new.test/n/"}},
		true},
	{"relative", move.Relative, nil, false},
	{"relative to a new place", move.Relative, [][2]string{{"http://old.test/d/", "http://old.test/e/f/"}}, false},
	{"root-relative", move.RootRelative, [][2]string{{"http://old.test/", "http://new.test/n/"}}, false},
	{"as written, to another host", move.AsWritten, [][2]string{{"http://old.test/", "https://new.test/n/"}}, true},
	{"as written, to a new place", move.AsWritten, [][2]string{{"http://old.test/d/", "http://old.test/e/f/"}}, false},
}

// matrixPatterns is a document with patterns and templates.
const matrixPatterns = `<script type=speculationrules>{"prefetch":[{"where":{"href_matches":"/a/*"}},
{"where":{"href_matches":"b/*?x"}},
{"where":{"href_matches":["http://old.test/d/:c","*","/:x"]}}]}</script>
<script type="application/ld+json">{"urlTemplate":"http://old.test/s?q={q}",
"target":"e/{f}"}</script>
<a href="x">
<a href="http://old.test/y">
<embed href="k">
<meta property="og:image" content="j.png">
<p itemid="l">
`

// matrixDocuments lists documents at http://old.test/d/page, with a link in each line.
var matrixDocuments = []struct{ name, in string }{
	{"page", `<a href="x">
<a href="http://old.test/d/y">
<a href="/z?q#f">
<a href="#f">
<a href="">
<a href="http://other.test/">
<a href="//old.test/w">
<a href="mailto:a@b.test">
<link rel=preconnect href="http://old.test/">
<link rel=canonical href="http://old.test/d/page">
<meta property="og:image" content="http://old.test/i.png">
<meta property="og:image" content="j.png">
<embed href="k">
<embed href="www.old.test">
<p itemid="l">
<p itemtype="http://old.test/t">
<img srcset="m 1x, http://old.test/n 2x">
<object codebase="c/" data="o"></object>
<a href="../../../v">
<a href="a:b">
<a href="http://[">
<a href=" s ">
<script type="application/ld+json">{"url":"p","image":"http://old.test/q"}</script>
<script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"s"}</script>
<script>f("/t");g("http://old.test/u")</script>
<iframe srcdoc="<a href='v'>"></iframe>
`},
	{"page with a BASE", `<base href="http://old.test/b/">
<a href="x">
<a href="http://old.test/d/y">
<a href="#f">
<p itemid="l">
<embed href="k">
<meta property="og:image" content="j.png">
`},
	{"page with a BASE elsewhere", `<base href="http://other.test/b/">
<a href="x">
<a href="http://old.test/d/y">
<a href="#f">
`},
	{"page with a relative BASE", `<base href="b/">
<a href="x">
<a href="../y">
<meta property="og:image" content="j.png">
`},
	{"patterns", matrixPatterns},
	{"patterns without a place", matrixPatterns},
	{"feed", `<rss xmlns:a="http://old.test/ns">
<channel><link>http://old.test/l</link>
<item><link>m</link>
<description>&lt;a href="n"></description>
<guid>http://old.test/g</guid></item>
</channel></rss>
`},
	{"sheet", `@import "a.css";
b{c:url(http://old.test/d)}
e{f:url(/g)}
`},
}

// matrix holds the expected results by site and document: the lines that change, with their
// numbers, and the problems.
var matrix = map[string]string{
	"nothing moves: page": `1 <a href="http://old.test/d/x">
3 <a href="http://old.test/z?q#f">
7 <a href="http://old.test/w">
17 <img srcset="http://old.test/d/m 1x, http://old.test/n 2x">
18 <object codebase="http://old.test/d/c/" data="http://old.test/d/c/o"></object>
19 <a href="http://old.test/v">
22 <a href="http://old.test/d/s">
26 <iframe srcdoc="<a href='http://old.test/d/v'>"></iframe>
`,
	"nothing moves: page with a BASE": `2 <a href="http://old.test/b/x">
`,
	"nothing moves: page with a BASE elsewhere": `2 <a href="http://other.test/b/x">
`,
	"nothing moves: page with a relative BASE": `2 <a href="http://old.test/d/b/x">
3 <a href="http://old.test/d/y">
`,
	"nothing moves: patterns": `6 <a href="http://old.test/d/x">
`,
	"nothing moves: patterns without a place": `6 <a href="http://old.test/d/x">
`,
	"nothing moves: feed": `3 <item><link>http://old.test/d/m</link>
4 <description>&lt;a href="http://old.test/d/n"></description>
`,
	"nothing moves: sheet": `1 @import "http://old.test/d/a.css";
3 e{f:url(http://old.test/g)}
`,
	"to another host: page": `1 <a href="https://new.test/n/d/x">
2 <a href="https://new.test/n/d/y">
3 <a href="https://new.test/n/z?q#f">
7 <a href="https://new.test/n/w">
9 <link rel=preconnect href="https://new.test/n/">
10 <link rel=canonical href="https://new.test/n/d/page">
11 <meta property="og:image" content="https://new.test/n/i.png">
12 <meta property="og:image" content="https://new.test/n/d/j.png">
13 <embed href="https://new.test/n/d/k">
17 <img srcset="https://new.test/n/d/m 1x, https://new.test/n/n 2x">
18 <object codebase="https://new.test/n/d/c/" data="https://new.test/n/d/c/o"></object>
19 <a href="https://new.test/n/v">
22 <a href="https://new.test/n/d/s">
23 <script type="application/ld+json">{"url":"https://new.test/n/d/p","image":"https://new.test/n/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"https://new.test/n/r/s"}</script>
26 <iframe srcdoc="<a href='https://new.test/n/d/v'>"></iframe>
`,
	"to another host: page with a BASE": `1 <base href="https://new.test/n/b/">
2 <a href="https://new.test/n/b/x">
3 <a href="https://new.test/n/d/y">
6 <embed href="https://new.test/n/b/k">
7 <meta property="og:image" content="https://new.test/n/b/j.png">
`,
	"to another host: page with a BASE elsewhere": `2 <a href="http://other.test/b/x">
3 <a href="https://new.test/n/d/y">
`,
	"to another host: page with a relative BASE": `2 <a href="https://new.test/n/d/b/x">
3 <a href="https://new.test/n/d/y">
4 <meta property="og:image" content="https://new.test/n/d/b/j.png">
`,
	"to another host: patterns": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"https://new.test/n/a/*"}},
2 {"where":{"href_matches":"https://new.test/n/d/b/*?x"}},
3 {"where":{"href_matches":["https://new.test/n/d/:c","*","https://new.test/n/:x"]}}]}</script>
4 <script type="application/ld+json">{"urlTemplate":"https://new.test/n/s?q=\u007bq}",
5 "target":"https://new.test/n/d/e/\u007bf}"}</script>
6 <a href="https://new.test/n/d/x">
7 <a href="https://new.test/n/y">
8 <embed href="https://new.test/n/d/k">
9 <meta property="og:image" content="https://new.test/n/d/j.png">
`,
	"to another host: patterns without a " +
		"place": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"https://new.test/n/a/*"}},
2 {"where":{"href_matches":"https://new.test/n/d/b/*?x"}},
3 {"where":{"href_matches":["https://new.test/n/d/:c","*","https://new.test/n/:x"]}}]}</script>
4 <script type="application/ld+json">{"urlTemplate":"https://new.test/n/s?q=\u007bq}",
5 "target":"https://new.test/n/d/e/\u007bf}"}</script>
6 <a href="https://new.test/n/d/x">
7 <a href="https://new.test/n/y">
8 <embed href="https://new.test/n/d/k">
9 <meta property="og:image" content="https://new.test/n/d/j.png">
left line 3: https://new.test/n/d/*
`,
	"to another host: feed": `2 <channel><link>https://new.test/n/l</link>
3 <item><link>https://new.test/n/d/m</link>
4 <description>&lt;a href="https://new.test/n/d/n"></description>
5 <guid>https://new.test/n/g</guid></item>
`,
	"to another host: sheet": `1 @import "https://new.test/n/d/a.css";
2 b{c:url(https://new.test/n/d)}
3 e{f:url(https://new.test/n/g)}
`,
	"to another host, all that is listed: page": `1 <a href="https://new.test/n/d/x">
2 <a href="https://new.test/n/d/y">
3 <a href="https://new.test/n/z?q#f">
7 <a href="https://new.test/n/w">
9 <link rel=preconnect href="https://new.test/n/">
10 <link rel=canonical href="https://new.test/n/d/page">
11 <meta property="og:image" content="https://new.test/n/i.png">
12 <meta property="og:image" content="https://new.test/n/d/j.png">
13 <embed href="https://new.test/n/d/k">
14 <embed href="https://new.test/n/d/www.old.test">
17 <img srcset="https://new.test/n/d/m 1x, https://new.test/n/n 2x">
18 <object codebase="https://new.test/n/d/c/" data="https://new.test/n/d/c/o"></object>
19 <a href="https://new.test/n/v">
22 <a href="https://new.test/n/d/s">
23 <script type="application/ld+json">{"url":"https://new.test/n/d/p","image":"https://new.test/n/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"https://new.test/n/r/s"}</script>
25 <script>f("https://new.test/n/t");g("https://new.test/n/u")</script>
26 <iframe srcdoc="<a href='https://new.test/n/d/v'>"></iframe>
`,
	"relative: page": `2 <a href="y">
3 <a href="../z?q#f">
7 <a href="../w">
10 <link rel=canonical href="page">
12 <meta property="og:image" content="http://old.test/d/j.png">
17 <img srcset="m 1x, ../n 2x">
18 <object codebase="c/" data="http://old.test/d/c/o"></object>
19 <a href="../v">
23 <script type="application/ld+json">{"url":"http://old.test/d/p","image":"http://old.test/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"http://old.test/r/s"}</script>
`,
	"relative: page with a BASE": `1 <base >
2 <a href="../b/x">
3 <a href="y">
4 <a href="../b/#f">
6 <embed href="../b/k">
7 <meta property="og:image" content="http://old.test/b/j.png">
left line 5: http://old.test/b/l
`,
	"relative: page with a BASE elsewhere": `1 <base >
2 <a href="http://other.test/b/x">
3 <a href="y">
4 <a href="http://other.test/b/#f">
`,
	"relative: page with a relative BASE": `1 <base >
2 <a href="b/x">
3 <a href="y">
4 <meta property="og:image" content="http://old.test/d/b/j.png">
`,
	"relative: patterns": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"../a/*"}},
3 {"where":{"href_matches":["http://old.test/d/:c","*","http://old.test/:x"]}}]}</script>
5 "target":"http://old.test/d/e/\u007bf}"}</script>
7 <a href="../y">
9 <meta property="og:image" content="http://old.test/d/j.png">
`,
	"relative: patterns without a place": `6 <a href="http://old.test/d/x">
`,
	"relative: feed": `3 <item><link>http://old.test/d/m</link>
4 <description>&lt;a href="http://old.test/d/n"></description>
`,
	"relative: sheet": `2 b{c:url(../d)}
3 e{f:url(../g)}
`,
	"relative to a new place: page": `2 <a href="y">
3 <a href="../../z?q#f">
7 <a href="../../w">
10 <link rel=canonical href="page">
12 <meta property="og:image" content="http://old.test/e/f/j.png">
17 <img srcset="m 1x, ../../n 2x">
18 <object codebase="c/" data="http://old.test/e/f/c/o"></object>
19 <a href="../../v">
23 <script type="application/ld+json">{"url":"http://old.test/e/f/p","image":"http://old.test/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"http://old.test/r/s"}</script>
`,
	"relative to a new place: page with a BASE": `1 <base >
2 <a href="../../b/x">
3 <a href="y">
4 <a href="../../b/#f">
6 <embed href="../../b/k">
7 <meta property="og:image" content="http://old.test/b/j.png">
left line 5: http://old.test/b/l
`,
	"relative to a new place: page with a relative BASE": `1 <base >
2 <a href="b/x">
3 <a href="y">
4 <meta property="og:image" content="http://old.test/e/f/b/j.png">
`,
	"relative to a new place: " +
		"patterns": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"../../a/*"}},
3 {"where":{"href_matches":["http://old.test/e/f/:c","*","http://old.test/:x"]}}]}</script>
5 "target":"http://old.test/e/f/e/\u007bf}"}</script>
7 <a href="../../y">
9 <meta property="og:image" content="http://old.test/e/f/j.png">
`,
	"relative to a new place: patterns without a place": `2 {"where":{"href_matches":"http://old.test/e/f/b/*?x"}},
3 {"where":{"href_matches":["http://old.test/e/f/:c","*","/:x"]}}]}</script>
5 "target":"http://old.test/e/f/e/\u007bf}"}</script>
6 <a href="http://old.test/e/f/x">
8 <embed href="http://old.test/e/f/k">
9 <meta property="og:image" content="http://old.test/e/f/j.png">
left line 3: http://old.test/e/f/*
`,
	"relative to a new place: feed": `3 <item><link>http://old.test/e/f/m</link>
4 <description>&lt;a href="http://old.test/e/f/n"></description>
`,
	"relative to a new place: sheet": `2 b{c:url(../../d)}
3 e{f:url(../../g)}
`,
	"root-relative: page": `1 <a href="/n/d/x">
2 <a href="/n/d/y">
3 <a href="/n/z?q#f">
7 <a href="/n/w">
9 <link rel=preconnect href="http://new.test/n/">
10 <link rel=canonical href="/n/d/page">
11 <meta property="og:image" content="http://new.test/n/i.png">
12 <meta property="og:image" content="http://new.test/n/d/j.png">
13 <embed href="/n/d/k">
17 <img srcset="/n/d/m 1x, /n/n 2x">
18 <object codebase="/n/d/c/" data="http://new.test/n/d/c/o"></object>
19 <a href="/n/v">
22 <a href="/n/d/s">
23 <script type="application/ld+json">{"url":"http://new.test/n/d/p","image":"http://new.test/n/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"http://new.test/n/r/s"}</script>
26 <iframe srcdoc="<a href='/n/d/v'>"></iframe>
`,
	"root-relative: page with a BASE": `1 <base >
2 <a href="/n/b/x">
3 <a href="/n/d/y">
4 <a href="/n/b/#f">
6 <embed href="/n/b/k">
7 <meta property="og:image" content="http://new.test/n/b/j.png">
left line 5: http://new.test/n/b/l
`,
	"root-relative: page with a BASE elsewhere": `1 <base >
2 <a href="http://other.test/b/x">
3 <a href="/n/d/y">
4 <a href="http://other.test/b/#f">
`,
	"root-relative: page with a relative BASE": `1 <base >
2 <a href="/n/d/b/x">
3 <a href="/n/d/y">
4 <meta property="og:image" content="http://new.test/n/d/b/j.png">
`,
	"root-relative: patterns": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"/n/a/*"}},
2 {"where":{"href_matches":"/n/d/b/*?x"}},
3 {"where":{"href_matches":["http://new.test/n/d/:c","*","/n/:x"]}}]}</script>
4 <script type="application/ld+json">{"urlTemplate":"http://new.test/n/s?q=\u007bq}",
5 "target":"http://new.test/n/d/e/\u007bf}"}</script>
6 <a href="/n/d/x">
7 <a href="/n/y">
8 <embed href="/n/d/k">
9 <meta property="og:image" content="http://new.test/n/d/j.png">
`,
	"root-relative: patterns without a " +
		"place": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"http://new.test/n/a/*"}},
2 {"where":{"href_matches":"http://new.test/n/d/b/*?x"}},
3 {"where":{"href_matches":["http://new.test/n/d/:c","*","http://new.test/n/:x"]}}]}</script>
4 <script type="application/ld+json">{"urlTemplate":"http://new.test/n/s?q=\u007bq}",
5 "target":"http://new.test/n/d/e/\u007bf}"}</script>
6 <a href="http://new.test/n/d/x">
7 <a href="http://new.test/n/y">
8 <embed href="http://new.test/n/d/k">
9 <meta property="og:image" content="http://new.test/n/d/j.png">
left line 3: http://new.test/n/d/*
`,
	"root-relative: feed": `2 <channel><link>http://new.test/n/l</link>
3 <item><link>http://new.test/n/d/m</link>
4 <description>&lt;a href="http://new.test/n/d/n"></description>
5 <guid>http://new.test/n/g</guid></item>
`,
	"root-relative: sheet": `1 @import "/n/d/a.css";
2 b{c:url(/n/d)}
3 e{f:url(/n/g)}
`,
	"as written, to another host: page": `2 <a href="https://new.test/n/d/y">
3 <a href="/n/z?q#f">
7 <a href="//new.test/n/w">
9 <link rel=preconnect href="https://new.test/n/">
10 <link rel=canonical href="https://new.test/n/d/page">
11 <meta property="og:image" content="https://new.test/n/i.png">
17 <img srcset="m 1x, https://new.test/n/n 2x">
19 <a href="../v">
23 <script type="application/ld+json">{"url":"p","image":"https://new.test/n/q"}</script>
24 <script type="application/ld+json">{"@context":{"@base":"http://old.test/r/"},"url":"https://new.test/n/r/s"}</script>
25 <script>f("/n/t");g("https://new.test/n/u")</script>
`,
	"as written, to another host: page with a BASE": `1 <base href="https://new.test/n/b/">
3 <a href="https://new.test/n/d/y">
`,
	"as written, to another host: page with a BASE elsewhere": `3 <a href="https://new.test/n/d/y">
`,
	"as written, to another host: patterns": `1 <script type=speculationrules>{"prefetch":[{"where":{"href_matches":"/n/a/*"}},
3 {"where":{"href_matches":["https://new.test/n/d/:c","*","/n/:x"]}}]}</script>
4 <script type="application/ld+json">{"urlTemplate":"https://new.test/n/s?q=\u007bq}",
7 <a href="https://new.test/n/y">
`,
	"as written, to another host: feed": `2 <channel><link>https://new.test/n/l</link>
5 <guid>https://new.test/n/g</guid></item>
`,
	"as written, to another host: sheet": `2 b{c:url(https://new.test/n/d)}
3 e{f:url(/n/g)}
`,
	"as written, to a new place: page": `2 <a href="http://old.test/e/f/y">
10 <link rel=canonical href="http://old.test/e/f/page">
`,
	"as written, to a new place: page with a BASE": `3 <a href="http://old.test/e/f/y">
`,
	"as written, to a new place: page with a BASE elsewhere": `3 <a href="http://old.test/e/f/y">
`,
	"as written, to a new place: patterns": `3 {"where":{"href_matches":["http://old.test/e/f/:c","*","/:x"]}}]}</script>
`,
	"as written, to a new place: patterns without a place": `2 {"where":{"href_matches":"../e/f/b/*?x"}},
3 {"where":{"href_matches":["http://old.test/e/f/:c","*","/:x"]}}]}</script>
5 "target":"../e/f/e/\u007bf}"}</script>
6 <a href="../e/f/x">
8 <embed href="../e/f/k">
9 <meta property="og:image" content="../e/f/j.png">
left line 3: http://old.test/e/f/*
`,
}

// matrixSame names the results that are those of another site or document.
var matrixSame = map[string]string{
	"to another host, all that is listed: page with a BASE":           "to another host: page with a BASE",
	"to another host, all that is listed: page with a BASE elsewhere": "to another host: page with a BASE elsewhere",
	"to another host, all that is listed: page with a relative BASE":  "to another host: page with a relative BASE",
	"to another host, all that is listed: patterns":                   "to another host: patterns",
	"to another host, all that is listed: patterns without a place":   "to another host: patterns without a place",
	"to another host, all that is listed: feed":                       "to another host: feed",
	"to another host, all that is listed: sheet":                      "to another host: sheet",
	"relative to a new place: page with a BASE elsewhere":             "relative: page with a BASE elsewhere",
	"as written, to another host: patterns without a place":           "to another host: patterns without a place",
}

// moved returns the lines of a document that a site changes, its problems and its counts.
func moved(t *testing.T, i int, name, in string) string {
	t.Helper()
	s := matrixSites[i]
	site := &move.Site{Form: s.form}
	for _, m := range s.maps {
		addRule(t, site, m[0], m[1])
		site.Include(m[1])
	}
	site.Include("http://old.test/")
	o := document.Options{Read: extract.Options{Lazy: s.lazy, Scripts: s.lazy}}
	r := &rewrite.Rewriter{Site: site, Options: o}
	src := &document.Source{At: strings.NewReader(in), Size: int64(len(in)), Data: []byte(in), Format: extract.HTML}
	switch name {
	case "feed":
		src.Format = extract.Feed
	case "sheet":
		src.Format = extract.CSS
	}
	layer := &base.Layer{Source: base.URL, Value: "http://old.test/d/page"}
	if strings.HasSuffix(name, "without a place") {
		layer.Source = base.DefaultBase
	}
	p, err := r.Plan(src, layer)
	if err != nil {
		t.Fatal(err)
	}
	out := strings.Split(result(t, r, p), "\n")
	var b strings.Builder
	for n, line := range strings.Split(in, "\n") {
		if out[n] != line {
			fmt.Fprintf(&b, "%d %s\n", n+1, out[n])
		}
	}
	for _, problem := range p.Problems {
		fmt.Fprintf(&b, "%s line %d: %s\n", problem.Kind, 1+strings.Count(in[:problem.Offset], "\n"), problem.Detail)
	}
	return b.String()
}

func TestMoves(t *testing.T) {
	for i, s := range matrixSites {
		for _, d := range matrixDocuments {
			name := s.name + ": " + d.name
			want := matrix[cmp.Or(matrixSame[name], name)]
			if got := moved(t, i, d.name, d.in); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

// Verify says which reference differs, or how many there are.
func TestVerifySays(t *testing.T) {
	for _, tt := range []struct{ in, out, want string }{
		{`<a href=x><a href="http://b.test/">`, `<a href="http://a.test/d/x"><a href="http://b.test/">`, ""},
		{`<a href=x><a href="http://b.test/">`, `<a href="http://a.test/d/y"><a href="http://b.test/">`,
			"link 1 of the output is not as planned"},
		{`<a href=x><a href="http://b.test/">`, `<a href="http://a.test/d/x"><a href="http://c.test/">`,
			"link 2 of the output is not as planned"},
		{`<a href=x><a href="http://b.test/">`, `<a href="http://a.test/d/x">`,
			"the output has 1 links, the plan 2"},
		{`<a href=x>`, ``, "the output has 0 links, the plan 1"},
		{`<a href=x>`, `<a href="http://a.test/d/x"><a href="y">`,
			"link 2 of the output is not as planned"},
		{`<a href="http://b.test/">`, `other`, ""}, // nothing is edited
	} {
		r := new(rewrite.Rewriter)
		p := plan(t, r, tt.in)
		out := source("<!-- -->" + tt.out)
		got := ""
		if err := r.Verify(p, out); err != nil {
			got = err.Error()
		}
		if errors.Is(r.Verify(p, out), rewrite.ErrEnds) {
			t.Errorf("Verify of %q written as %q: the ends of elements are wrong, want references", tt.in, tt.out)
		}
		if got != tt.want || (got != "") != errors.Is(r.Verify(p, out), rewrite.ErrReferences) {
			t.Errorf("Verify of %q written as %q: %q, want %q", tt.in, tt.out, got, tt.want)
		}
	}
}
