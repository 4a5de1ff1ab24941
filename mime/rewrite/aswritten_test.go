package rewrite_test

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// hrefs matches the links of the documents in these tests.
var hrefs = regexp.MustCompile(`href="([^"]*)"`)

// valuesOf returns the values of href in a document.
func valuesOf(doc string) (list []string) {
	for _, m := range hrefs.FindAllStringSubmatch(doc, -1) {
		list = append(list, m[1])
	}
	return list
}

// join resolves ref as the standard library does.
func join(t *testing.T, base, ref string) string {
	t.Helper()
	b, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	u, err := b.Parse(ref)
	if err != nil {
		t.Fatal(err)
	}
	return u.String()
}

// mapped replaces the longest prefix of uri that a rule has.
func mapped(rules [][2]string, uri string) string {
	from, to := "", ""
	for _, r := range rules {
		if strings.HasPrefix(uri, r[0]) && len(r[0]) > len(from) {
			from, to = r[0], r[1]
		}
	}
	return to + strings.TrimPrefix(uri, from)
}

// formOf returns the form of a reference: absolute, network, root or relative.
func formOf(ref string) string {
	switch {
	case strings.Contains(ref, "://"):
		return "absolute"
	case strings.HasPrefix(ref, "//"):
		return "network"
	case strings.HasPrefix(ref, "/"):
		return "root"
	}
	return "relative"
}

// written rewrites a document under rules with the form AsWritten, and checks that a second
// rewriting at the new URI changes nothing.
func written(t *testing.T, rules [][2]string, layer *base.Layer, src *document.Source, again string) string {
	t.Helper()
	site := &move.Site{Form: move.AsWritten, Messages: move.AsWritten}
	for _, m := range rules {
		addRule(t, site, m[0], m[1])
	}
	r := &rewrite.Rewriter{Site: site}
	run := func(layer *base.Layer, src *document.Source) string {
		p, err := r.Plan(src, layer)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range p.Problems {
			if problem.Kind != extract.BaseRepeated {
				t.Fatalf("%q: problem %v", src.Data, problem)
			}
		}
		return result(t, r, p)
	}
	out := run(layer, src)
	second := *src
	second.Data = []byte(out)
	second.At = strings.NewReader(out)
	second.Size = int64(len(out))
	if layer != nil {
		moved := *layer
		moved.Value = again
		layer = &moved
	}
	if twice := run(layer, &second); twice != out {
		t.Errorf("%q, written %q, is %q if it is written twice", src.Data, out, twice)
	}
	return out
}

// checkAsWritten compares the links of a document with those of its output. before and after are
// the bases of the two.
func checkAsWritten(t *testing.T, rules [][2]string, before, after, in, out string) {
	t.Helper()
	values := valuesOf(in)
	got := valuesOf(out)
	if hrefs.ReplaceAllString(in, "") != hrefs.ReplaceAllString(out, "") || len(values) != len(got) {
		t.Fatalf("%q became %q", in, out)
	}
	for i, value := range values {
		want := mapped(rules, join(t, before, value))
		if leads := join(t, after, got[i]); leads != want {
			t.Errorf("%s from %s became %s from %s, which leads to %s, want %s",
				value, before, got[i], after, leads, want)
		}
		if join(t, after, value) == want {
			if got[i] != value {
				t.Errorf("%s from %s may stay at %s, became %s", value, before, after, got[i])
			}
			continue
		}
		if form := formOf(got[i]); form != formOf(value) && form != "absolute" {
			t.Errorf("%s from %s became %s: another form", value, before, got[i])
		}
		a := strings.SplitN(after, "/", 4)
		b := strings.SplitN(want, "/", 4)
		if formOf(got[i]) == "absolute" && formOf(value) != "absolute" && a[0]+a[2] == b[0]+b[2] {
			t.Errorf("%s from %s became %s, which can have its form at %s", value, before, got[i], after)
		}
	}
}

// asWrittenLinks are links of each form from a directory.
func asWrittenLinks(depth int) (list []string) {
	list = []string{"x", "x?q=1#f", "./x", "d1/x", "d1/", "../x", "../", "../../d2/x", "?q", "/x", "/", "/d1/d2/x?q",
		"/d1/", "//old.test/d1/x", "//old.test/", "//other.test/x", "http://old.test/d1/x", "http://old.test/",
		"https://old.test/d1/x", "http://other.test/d1/", "HTTP://other.test/A", "http://old.test/d1/d2/d3/x#f"}
	for i := range depth {
		list = append(list, strings.Repeat("../", i+1)+"d1/x")
	}
	return list
}

var asWrittenRules = [][][2]string{
	{{"http://old.test/", "http://new.test/"}},
	{{"http://old.test/", "https://new.test/"}},
	{{"http://old.test/", "http://new.test/n/m/"}},
	{{"http://old.test/", "http://new.test/n/"}, {"https://old.test/", "https://new.test/n/"}},
	{{"http://old.test/d1/", "http://old.test/e/f/"}},
	{{"http://old.test/d1/", "http://new.test/"}},
	{{"http://old.test/d1/d2/", "http://old.test/"}},
	{{"http://old.test/d1/", "http://new.test/a/"}, {"http://old.test/d1/d2/", "http://new.test/b/c/"},
		{"http://other.test/", "https://other.test/o/"}},
	{{"http://nothing.test/", "http://new.test/"}},
}

// TestAsWrittenOfPages sweeps pages over depths of directories, rules and kinds of BASE.
func TestAsWrittenOfPages(t *testing.T) {
	n := 0
	for depth := range 5 {
		page := "http://old.test/"
		for i := range depth {
			page += fmt.Sprintf("d%d/", i+1)
		}
		page += "page"
		for _, href := range []string{"", "http://old.test/", "http://old.test/d1/d2/b", "http://other.test/d1/",
			"b/c/", "../", "/d1/", "//old.test/d1/d2/", "./"} {
			for _, rules := range asWrittenRules {
				n++
				if n%effort.Pick(1, 7) != 0 {
					continue
				}
				var doc strings.Builder
				before := page
				if href != "" {
					fmt.Fprintf(&doc, "<base href=%q>\n", href)
					before = join(t, page, href)
				}
				for _, link := range asWrittenLinks(depth) {
					fmt.Fprintf(&doc, "<a href=%q>\n", link)
				}
				in := doc.String()
				src := source(in)
				src.Format = extract.HTML
				place := mapped(rules, page)
				out := written(t, rules, &base.Layer{Source: base.URL, Value: page}, src, place)
				after := place
				if href != "" {
					after = join(t, place, valuesOf(out)[0])
					in, out = strings.SplitN(in, "\n", 2)[1], strings.SplitN(out, "\n", 2)[1]
					if want := mapped(rules, before); after != want {
						t.Errorf("the BASE %s of %s leads to %s, want %s", href, page, after, want)
					}
				}
				checkAsWritten(t, rules, before, after, in, out)
			}
		}
	}
	if n < 400 {
		t.Errorf("%d pages, want 400", n)
	}
}

// The header fields of a message stay, so its links keep the base that these give.
func TestAsWrittenOfMessages(t *testing.T) {
	for _, field := range []string{"Content-Base: http://old.test/d1/d2/", "Content-Location: http://old.test/d1/page",
		"Content-Base: http://other.test/d1/"} {
		_, before, _ := strings.Cut(field, ": ")
		for _, rules := range asWrittenRules {
			var doc strings.Builder
			fmt.Fprintf(&doc, "%s\nContent-Type: text/html\n\n", field)
			for _, link := range asWrittenLinks(2) {
				fmt.Fprintf(&doc, "<a href=%q>\n", link)
			}
			in := doc.String()
			src := source(in)
			src.Message = true
			checkAsWritten(t, rules, before, before, in, written(t, rules, nil, src, ""))
		}
	}
}

// The values of other layers are mapped like links, and what they give a base to stays.
func TestAsWrittenOfLayers(t *testing.T) {
	rules := [][2]string{{"http://old.test/", "https://new.test/n/"}}
	for _, tt := range []struct {
		name     string
		format   extract.Format
		in, want string
	}{
		{"an xml:base", extract.XML, `<a xmlns:xlink="http://www.w3.org/1999/xlink" xml:base="http://old.test/b/">` +
			`<b xml:base="c/" xlink:href="x"/><b xlink:href="/y"/></a>`,
			`<a xmlns:xlink="http://www.w3.org/1999/xlink" xml:base="https://new.test/n/b/">` +
				`<b xml:base="c/" xlink:href="x"/><b xlink:href="/n/y"/></a>`},
		{"a codebase", extract.HTML, `<object codebase="/c/" data="o"></object>`,
			`<object codebase="/n/c/" data="o"></object>`},
		{"an @base", extract.HTML, `<script type="application/ld+json">` +
			`{"@context":{"@base":"http://old.test/r/"},"url":"s"}</script>`,
			`<script type="application/ld+json">` +
				`{"@context":{"@base":"http://old.test/r/"},"url":"https://new.test/n/r/s"}</script>`},
		{"the link of a feed", extract.Feed, `<rss><channel><link>http://old.test/l/</link><item>` +
			`<description>&lt;a href="n"></description></item></channel></rss>`,
			`<rss><channel><link>https://new.test/n/l/</link><item>` +
				`<description>&lt;a href="n"></description></item></channel></rss>`},
		{"two links of a feed with one text", extract.Feed, `<rss><channel><item xml:base="http://other.test/">` +
			`<link>/l/</link></item><item><link>/l/</link><description>&lt;a href="n"></description></item></channel></rss>`,
			`<rss><channel><item xml:base="http://other.test/"><link>/l/</link></item><item>` +
				`<link>/n/l/</link><description>&lt;a href="n"></description></item></channel></rss>`},
		{"two BASE elements", extract.HTML, `<base href="http://old.test/a/"><base href="/b/"><a href=x><a href="/y">`,
			`<base href="https://new.test/n/a/"><base href="/n/b/"><a href=x><a href="/n/y">`},
	} {
		src := source(tt.in)
		src.Format = tt.format
		layer := &base.Layer{Source: base.URL, Value: "http://old.test/d/page"}
		if got := written(t, rules, layer, src, "https://new.test/n/d/page"); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

// feedParts are the links and the HTML of a feed with one item.
type feedParts struct {
	Home string `xml:"channel>link" json:"home_page_url"`
	Item []struct {
		Link string `xml:"link" json:"url"`
		HTML string `xml:"description" json:"content_html"`
	} `xml:"channel>item" json:"items"`
}

// feedOf returns a feed with one item. Empty links are left out.
func feedOf(f extract.Format, home, link, html string) string {
	if f == extract.JSONFeed {
		m := map[string]any{"title": "t"}
		item := map[string]any{"content_html": html}
		if home != "" {
			m["home_page_url"] = home
		}
		if link != "" {
			item["url"] = link
		}
		m["items"] = []any{item}
		text, _ := json.Marshal(m)
		return string(text)
	}
	element := func(link string) string {
		if link == "" {
			return ""
		}
		return "<link>" + link + "</link>"
	}
	return "<rss><channel>" + element(home) + "<item>" + element(link) +
		"<description><![CDATA[" + html + "]]></description></item></channel></rss>"
}

// The link of an item, or of the feed, is the base of HTML in a feed. In the output, the moved link
// is.
func TestAsWrittenOfFeeds(t *testing.T) {
	const page = "http://old.test/d1/feed"
	var html strings.Builder
	for _, link := range asWrittenLinks(1) {
		fmt.Fprintf(&html, "<a href=%q>\n", link)
	}
	links := []string{"", "http://old.test/", "http://old.test/d1/d2/i", "http://other.test/d1/", "/d1/", "d2/i"}
	for _, format := range []extract.Format{extract.Feed, extract.JSONFeed} {
		for i := range links {
			for j := range links {
				rules := asWrittenRules[(i+2*j)%len(asWrittenRules)]
				src := source(feedOf(format, links[i], links[j], html.String()))
				src.Format, src.Message = format, false
				place := mapped(rules, page)
				out := written(t, rules, &base.Layer{Source: base.URL, Value: page}, src, place)
				var parts feedParts
				read := xml.Unmarshal
				if format == extract.JSONFeed {
					read = json.Unmarshal
				}
				if err := read([]byte(out), &parts); err != nil || len(parts.Item) != 1 {
					t.Fatalf("%q became %q: %v", src.Data, out, err)
				}
				item := parts.Item[0]
				before := join(t, page, cmp.Or(links[j], links[i]))
				after := join(t, place, cmp.Or(item.Link, parts.Home))
				if want := mapped(rules, before); links[i]+links[j] != "" && after != want {
					t.Errorf("the link of %q leads to %s, want %s", out, after, want)
				}
				checkAsWritten(t, rules, before, after, html.String(), item.HTML)
			}
		}
	}
}

// A link in the HTML of an item has the same text as the link of the item, which gives its base.
func TestAsWrittenOfFeedsInside(t *testing.T) {
	rules := [][2]string{{"http://old.test/", "http://new.test/y/"}}
	for _, link := range []string{"r?u=http://z.test/", "r", "//old.test/r", "http://old.test/r"} {
		for _, format := range []extract.Format{extract.Feed, extract.JSONFeed} {
			in := feedOf(format, "", link, fmt.Sprintf("<link rel=canonical href=%q><a href=\"q\">", link))
			src := source(in)
			src.Format, src.Message = format, false
			layer := &base.Layer{Source: base.URL, Value: "http://old.test/feed"}
			if out := written(t, rules, layer, src, "http://new.test/y/feed"); strings.Contains(link, "//old.test") !=
				(out != in) {
				t.Errorf("%v: %s became %s", format, in, out)
			}
		}
	}
}

// A BASE that stays, because the caller keeps links, goes on to give links their base.
func TestAsWrittenPartial(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/")
	for _, tt := range []struct {
		base    extract.BaseElement
		partial bool
		want    string
	}{
		{extract.KeepBase, true, `<base href="http://old.test/b/"><a href="http://new.test/b/x"><a href="#f">`},
		{extract.KeepBase, false, `<base href="http://new.test/b/"><a href="x"><a href="#f">`},
		{extract.DropBase, false, `<base ><a href="b/x"><a href="http://new.test/b/#f">`},
	} {
		r := &rewrite.Rewriter{Site: site, Partial: tt.partial}
		r.Resolver.BaseElement = tt.base
		p := planAt(t, r, `<base href="http://old.test/b/"><a href="x"><a href="#f">`, "http://old.test/")
		if got := result(t, r, p); got != tt.want {
			t.Errorf("BASE %v, partial %v: got %s, want %s", tt.base, tt.partial, got, tt.want)
		}
		stays := len(p.Problems) == 1 && p.Problems[0].Kind == rewrite.Left &&
			p.Problems[0].Detail == "http://new.test/b/"
		if stays != tt.partial || !tt.partial && len(p.Problems) > 0 {
			t.Errorf("BASE %v, partial %v: problems %+v, want one of a BASE that stays: %v",
				tt.base, tt.partial, p.Problems, tt.partial)
		}
	}
}

// If the caller keeps links, the links of a feed that are the base of its HTML stay. All others
// move.
func TestAsWrittenPartialOfFeeds(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/")
	for format, in := range map[extract.Format]string{
		extract.JSONFeed: `{"home_page_url":"http://old.test/keep","feed_url":"http://old.test/1",` +
			`"author":{"url":"http://old.test/2"},"items":[{"url":"http://old.test/keep",` +
			`"external_url":"http://old.test/3","image":"http://old.test/4"}]}`,
		extract.Feed: `<rss><channel><link>http://old.test/keep</link><docs>http://old.test/1</docs><item>` +
			`<link>http://old.test/keep</link><comments>http://old.test/2</comments></item></channel></rss>`,
	} {
		r := &rewrite.Rewriter{Site: site, Partial: true}
		src := source(in)
		src.Format, src.Message = format, false
		p, err := r.Plan(src, outer)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(in, "old.test", "new.test")
		want = strings.ReplaceAll(want, "new.test/keep", "old.test/keep")
		if got := result(t, r, p); got != want {
			t.Errorf("%s: got %s, want %s", format, got, want)
		}
	}
}

// If the new BASE is not read back, it stays, and the links below it become absolute.
func TestAsWrittenMends(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/")
	for _, tt := range []struct{ in, bad, want string }{
		{`<rss><channel><item xml:base="http://old.test/b/"/><item><link>http://old.test/b/</link>` +
			`<description>&lt;a href="x"></description></item></channel></rss>`, `xml:base="http://new.test/b/"`,
			`<rss><channel><item xml:base="http://old.test/b/"/><item><link>http://new.test/b/</link>` +
				`<description>&lt;a href="x"></description></item></channel></rss>`},
		{`<base href="http://old.test/b/"><a href="x"><a href="http://old.test/y">`, `<base href="http://new.test/b/">`,
			`<base href="http://old.test/b/"><a href="http://new.test/b/x"><a href="http://new.test/y">`},
		{`<a href="http://old.test/y"><a href="x"><base href="/b/">`, `<a href="http://new.test/y">`,
			`<a href="http://old.test/y"><a href="x"><base href="/b/">`},
		{`<p><a href="http://old.test/1"><a href="http://old.test/2"><base href="http://old.test/b/"><a href="x">`,
			`<base href="http://new.test/b/">`, `<p><a href="http://new.test/1"><a href="http://new.test/2">` +
				`<base href="http://old.test/b/"><a href="http://new.test/b/x">`},
	} {
		r := &rewrite.Rewriter{Site: site}
		src := source(tt.in)
		if strings.HasPrefix(tt.in, "<rss>") {
			src.Format = extract.Feed
		}
		p, err := r.Plan(src, &base.Layer{Source: base.URL, Value: "http://old.test/"})
		if err != nil {
			t.Fatal(err)
		}
		q := p.Mend(func(q *rewrite.Plan) bool { return !strings.Contains(result(t, r, q), tt.bad) })
		if q == nil {
			t.Errorf("%s: the plan is not mended", tt.in)
			continue
		}
		if got := result(t, r, q); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

// A BASE in a charset that is never written stays, and all links with it.
func TestAsWrittenReadOnly(t *testing.T) {
	const in = "Content-Type: text/html; charset=utf-7\n\n<base href=\"http://old.test/b/\"><a href=\"x\">"
	src := source(in)
	src.Message = true
	site := addRule(t, &move.Site{Messages: move.AsWritten}, "http://old.test/", "http://new.test/")
	r := &rewrite.Rewriter{Site: site}
	p, err := r.Plan(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Edited() || len(p.Problems) == 0 {
		t.Errorf("edited %v, problems %v, want a problem alone", p.Edited(), p.Problems)
	}
}

// Pages and messages each have the form that the site gives them.
func TestAsWrittenForms(t *testing.T) {
	const page = `<link rel=stylesheet href="http://old.test/s.css"><a href="x"><a href="//old.test/y">`
	const moved = `<link rel=stylesheet href="http://new.test/s.css">`
	for _, tt := range []struct {
		pages, messages move.Form
		message         bool
		want            string
	}{
		{move.AsWritten, move.Absolute, false, moved + `<a href="x"><a href="//new.test/y">`},
		{move.AsWritten, move.Absolute, true, moved + `<a href="http://new.test/d/x"><a href="http://new.test/y">`},
		{move.Absolute, move.AsWritten, false, moved + `<a href="http://new.test/d/x"><a href="http://new.test/y">`},
		// a message does not move, and so keeps the base that only its surroundings give
		{move.Absolute, move.AsWritten, true, moved + `<a href="http://new.test/d/x"><a href="//new.test/y">`},
	} {
		site := addRule(t, &move.Site{Form: tt.pages, Messages: tt.messages}, "http://old.test/", "http://new.test/")
		for _, partial := range []bool{false, true} {
			r := &rewrite.Rewriter{Site: site, Partial: partial}
			head := ""
			if tt.message {
				head = "Content-Type: text/html\n\n"
			}
			p := planAt(t, r, head+page, "http://old.test/d/")
			if got := strings.TrimPrefix(result(t, r, p), head); got != tt.want {
				t.Errorf("pages %v, messages %v, a message %v: got %s, want %s", tt.pages, tt.messages, tt.message, got,
					tt.want)
			}
		}
	}
}

// A link whose rule gives no URI stays, and so does a pattern.
func TestAsWrittenUnmoved(t *testing.T) {
	site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/{date}/")
	const in = `<a href="http://old.test/x"><a href="y"><script type=speculationrules>` +
		`{"prefetch":[{"where":{"href_matches":"/a/*"}}]}</script>`
	r := &rewrite.Rewriter{Site: site}
	p := planAt(t, r, in, "http://old.test/")
	n := 0
	for _, problem := range p.Problems {
		if problem.Kind == rewrite.Unmoved {
			n++
		}
	}
	if p.Edited() || n != 2 {
		t.Errorf("edited %v, problems %v, want two of the kind unmoved", p.Edited(), p.Problems)
	}
}

// Places that hold not every reference get one that they hold, and links that stay are named.
func TestAsWrittenPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		lazy           bool
		base           extract.BaseElement
		left           int
	}{
		{"an import map", `<script type=importmap>{"imports":{"a":"../x.js","b":"/y.js"}}</script>`,
			`<script type=importmap>{"imports":{"a":"../../x.js","b":"/y.js"}}</script>`, false, extract.KeepBase, 0},
		{"an import map whose target comes near", `<script type=importmap>{"imports":{"a":"../e/f/x.js"}}</script>`,
			`<script type=importmap>{"imports":{"a":"./x.js"}}</script>`, false, extract.KeepBase, 0},
		{"a relative BASE that becomes absolute", `<base href="b/"><a href="x">`,
			`<base href="http://old.test/e/f/b/"><a href="x">`, false, extract.AbsolutizeBase, 0},
		{"a doubtful name", `<embed href="www.old.test"><embed href="../k">`,
			`<embed href="www.old.test"><embed href="../../k">`, true, extract.KeepBase, 0},
	} {
		site := addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/d/", "http://old.test/e/f/")
		r := &rewrite.Rewriter{Site: site, Options: document.Options{Read: extract.Options{Lazy: tt.lazy}}}
		r.Resolver.BaseElement = tt.base
		p := planAt(t, r, tt.in, "http://old.test/d/page")
		left := 0
		for _, problem := range p.Problems {
			if problem.Kind == rewrite.Left {
				left++
			}
		}
		if got := result(t, r, p); got != tt.want || left != tt.left {
			t.Errorf("%s: got %s with %d left, want %s with %d", tt.name, got, left, tt.want, tt.left)
		}
	}
}

// A reference of the same form that would name a part of the message becomes absolute instead.
func TestAsWrittenNamesPart(t *testing.T) {
	const message = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n" +
		"<a href=\"a\"><a href=\"c\">\n--b\nContent-Type: image/png; name=b\n\nx\n--b--\n"
	site := &move.Site{Messages: move.AsWritten}
	addRule(t, site, "http://old.test/d/a", "http://old.test/d/b")
	addRule(t, site, "http://old.test/d/c", "http://old.test/d/e")
	r := &rewrite.Rewriter{Site: site}
	p := planAt(t, r, message, "http://old.test/d/page")
	want := strings.Replace(message, `<a href="a"><a href="c">`, `<a href="http://old.test/d/b"><a href="e">`, 1)
	if got := result(t, r, p); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Without a BASE and a URI of the page, links become absolute.
func TestAsWrittenWithoutBase(t *testing.T) {
	r := &rewrite.Rewriter{Site: addRule(t, &move.Site{Form: move.AsWritten}, "http://old.test/", "http://new.test/")}
	r.Resolver.BaseElement = extract.DropBase
	p, err := r.Plan(source(`<base href="http://old.test/b/"><a href="x"><a href="/y">`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `<base ><a href="http://new.test/b/x"><a href="http://new.test/y">`
	if got := result(t, r, p); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A relative BASE of a message leads from its Content-Base, which stays. So it becomes absolute if
// a rule moves it.
func TestMovedBaseOfMessage(t *testing.T) {
	const message = "Content-Type: text/html\nContent-Base: http://old.test/d/\n\n<base href=\"b/\"><a href=\"x\">"
	for from, want := range map[string]string{
		"http://old.test/":   `<base href="http://new.test/d/b/"><a href="http://new.test/d/b/x">`,
		"http://other.test/": `<base href="b/"><a href="http://old.test/d/b/x">`,
	} {
		r := &rewrite.Rewriter{Site: addRule(t, new(move.Site), from, "http://new.test/")}
		p, err := r.Plan(source(message), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := result(t, r, p); !strings.HasSuffix(got, "\n\n"+want) {
			t.Errorf("%s moves: got %q, want %q", from, got, want)
		}
	}
}
