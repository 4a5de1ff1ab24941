package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
)

// foundIn returns "element attribute kind value uri" of each reference of a document. References
// that are only listed begin with "!". It checks that the edits keep the invariants.
func foundIn(t *testing.T, f Format, data string) (list []string) {
	t.Helper()
	d := &Doc{Format: f, Data: []byte(data),
		Layer: &base.Layer{Source: base.Option, Value: "http://f.example/d/feed.xml"}}
	var r Resolver
	for l := range r.Links(d) {
		mark := ""
		if l.ListOnly {
			mark = "!"
		}
		list = append(list, fmt.Sprintf("%s%s %s %s %s %s", mark, l.Element, l.Attr, l.Kind, l.Value, l.URI))
	}
	return list
}

func TestXMLRefs(t *testing.T) {
	tests := []struct {
		name   string
		format Format
		data   string
		want   []string
	}{
		{"xhtml", XHTML,
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><base href="/b/"/></head><body><a href="x">y</a><A HREF="n"/><img src='i'/></body></html>`,
			[]string{"!html xmlns identifier http://www.w3.org/1999/xhtml http://www.w3.org/1999/xhtml",
				"!base href meta /b/ http://f.example/b/", "a href nav x http://f.example/b/x",
				"img src res i http://f.example/b/i"}},
		{"base without the namespace", XHTML,
			`<html><base href="/b/"/><h:base xmlns:h="http://www.w3.org/1999/xhtml" href="/c/"/><a href="x"/></html>`,
			[]string{"!base href meta /b/ http://f.example/b/",
				"!base xmlns:h identifier http://www.w3.org/1999/xhtml http://www.w3.org/1999/xhtml",
				"!base href meta /c/ http://f.example/c/", "a href nav x http://f.example/c/x"}},
		{"prefixes", XML, `<h:a xmlns:h="http://www.w3.org/1999/xhtml" href="x"/>`,
			[]string{"!a xmlns:h identifier http://www.w3.org/1999/xhtml http://www.w3.org/1999/xhtml",
				"a href nav x http://f.example/d/x"}},
		{"no namespace", XML, `<a href="x"/>`, nil},
		{"another namespace", XHTML, `<html><a xmlns="http://n.example/" href="x"/></html>`,
			[]string{"!a xmlns identifier http://n.example/ http://n.example/"}},
		{"xlink", XML,
			`<a xmlns:k="http://www.w3.org/1999/xlink" k:href="x"><b k:href="y" k:show="embed"/><c k:actuate="onLoad" k:href="z"/><d href="n"/></a>`,
			[]string{"!a xmlns:k identifier http://www.w3.org/1999/xlink http://www.w3.org/1999/xlink",
				"a xlink:href nav x http://f.example/d/x", "b xlink:href res y http://f.example/d/y",
				"c xlink:href res z http://f.example/d/z"}},
		{"xml:base", XML, `<a xml:base="/a/"><b xml:base="b/" xlink:href="x"/><c xlink:href="y"/></a>`,
			[]string{"!a xml:base meta /a/ http://f.example/a/", "!b xml:base meta b/ http://f.example/a/b/",
				"b xlink:href nav x http://f.example/a/b/x", "c xlink:href nav y http://f.example/a/y"}},
		{"svg", SVG, `<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="x"/><linearGradient href="g"/><rect fill="url(f.svg#a)"/><style><!-- c -->a{b:url(<![CDATA[s)}]]></style></svg>`,
			[]string{"!svg xmlns identifier http://www.w3.org/2000/svg http://www.w3.org/2000/svg",
				"a xlink:href nav x http://f.example/d/x", "lineargradient href res g http://f.example/d/g",
				"rect fill res f.svg#a http://f.example/d/f.svg#a", "style  res s http://f.example/d/s"}},
		{"prolog", SVG,
			`<?xml-stylesheet type="text/css" href="s.css?a&amp;b"?><!DOCTYPE svg PUBLIC "p" "x.dtd" [<!ENTITY p SYSTEM "p.gif" NDATA g>]><svg xml:base="/o/"/><?xml-stylesheet href="n"?>`,
			[]string{"?xml-stylesheet href res s.css?a&b http://f.example/d/s.css?a&b",
				"!!doctype system identifier x.dtd http://f.example/d/x.dtd",
				"!!entity system identifier p.gif http://f.example/d/p.gif",
				"!svg xml:base meta /o/ http://f.example/o/"}},
		{"entities", SVG,
			`<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"><!ENTITY h "x&#38;y"><!ENTITY n '&h;z'>]><svg xmlns="&s;"><a href="&n;1"/><a href="&no;"/><a href="&amp;&#65;"/></svg>`,
			[]string{"!svg xmlns identifier http://www.w3.org/2000/svg http://www.w3.org/2000/svg",
				"!a href nav &n;1 http://f.example/d/&n;1", "!a href nav &no; http://f.example/d/&no;",
				"a href nav &A http://f.example/d/&A"}},
		{"script", XHTML, `<html><script>if (a<b) "<a href='n'/>";</script><a href="x"/></html>`,
			[]string{"a href nav x http://f.example/d/x"}},
		{"data block", XHTML,
			`<html><script type="importmap">{"imports": {"a": <![CDATA["./x&y.js"}}]]></script><script>"./n.js"</script></html>`,
			[]string{"script  script ./x&y.js http://f.example/d/x&y.js"}},
		{"sitemap", Sitemap,
			`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><url><loc> /a?b&amp;c </loc><i:image><i:loc><![CDATA[i&j]]></i:loc></i:image></url></urlset>`,
			[]string{"!urlset xmlns identifier http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/" +
				"schemas/sitemap/0.9",
				"!urlset xmlns:i identifier http://www.google.com/schemas/sitemap-image/1.1 http://www.google.com/" +
					"schemas/sitemap-image/1.1", "loc  nav /a?b&c http://f.example/a?b&c",
				"loc  res i&j http://f.example/d/i&j"}},
		{"an export of WordPress", Feed,
			`<rss xmlns:excerpt="http://wordpress.org/export/1.1/excerpt/" xmlns:w="http://wordpress.org/export/1.2/"><channel><w:base_site_url> /a </w:base_site_url><w:base_blog_url>/b</w:base_blog_url><item><guid isPermaLink="false">http://g.example/</guid><excerpt:encoded><![CDATA[<a href="c">]]></excerpt:encoded><w:attachment_url>d.png</w:attachment_url><w:meta_value>/e</w:meta_value></item></channel></rss>`,
			[]string{"!rss xmlns:excerpt identifier http://wordpress.org/export/1.1/excerpt/ http://wordpress.org/" +
				"export/1.1/excerpt/",
				"!rss xmlns:w identifier http://wordpress.org/export/1.2/ http://wordpress.org/export/1.2/",
				"base_site_url  nav /a http://f.example/a", "base_blog_url  nav /b http://f.example/b",
				"guid  identifier http://g.example/ http://g.example/", "a href nav c http://f.example/d/c",
				"attachment_url  res d.png http://f.example/d/d.png"}},
		{"an export without declarations", Feed,
			`<rss><channel><wp:base_blog_url>/b</wp:base_blog_url><item><excerpt:encoded>&lt;a href="c"></excerpt:encoded></item></channel></rss>`,
			[]string{"base_blog_url  nav /b http://f.example/b", "a href nav c http://f.example/d/c"}},
		{"opml", OPML,
			`<opml version="2.0"><body><outline text="&lt;a href='x'>" xmlUrl="f" htmlUrl="h"/></body></opml>`,
			[]string{"a href nav x http://f.example/d/x", "outline xmlurl service f http://f.example/d/f",
				"outline htmlurl nav h http://f.example/d/h"}},
		{"rss", Feed,
			`<rss><channel><link>http://c.example/c/</link><description>&lt;a href=x&gt;</description><item><description><![CDATA[<img src="i">]]></description><link>http://i.example/i/p</link><guid>12</guid><guid isPermaLink="true">g</guid><guid>http://g.example/</guid><enclosure url="e"/></item></channel></rss>`,
			[]string{"link  nav http://c.example/c/ http://c.example/c/", "a href nav x http://c.example/c/x",
				"img src res i http://i.example/i/i", "link  nav http://i.example/i/p http://i.example/i/p",
				"guid  nav g http://f.example/d/g", "guid  nav http://g.example/ http://g.example/",
				"enclosure url res e http://f.example/d/e"}},
		{"rss with xml:base", Feed,
			`<rss xml:base="http://x.example/"><channel><link>l</link><item><description>&lt;a href=x></description></item></channel></rss>`,
			[]string{"!rss xml:base meta http://x.example/ http://x.example/",
				"link  nav l http://x.example/l", "a href nav x http://x.example/x"}},
		{"rss 1.0", Feed,
			`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="a"><link>http://c.example/</link></channel><item><description>&lt;a href="x"></description></item></rdf:RDF>`,
			[]string{"!rdf xmlns:rdf identifier http://www.w3.org/1999/02/22-rdf-syntax-ns# http://www.w3.org/1999/" +
				"02/22-rdf-syntax-ns#", "!rdf xmlns identifier http://purl.org/rss/1.0/ http://purl.org/rss/1.0/",
				"!channel rdf:about identifier a http://f.example/d/a",
				"link  nav http://c.example/ http://c.example/", "a href nav x http://c.example/x"}},
		{"bare HTML in rss", Feed,
			`<rss><channel><item><description>t <a href="x">&lt;b cite=n&gt;</a> &lt;img src=y&gt;</description></item></channel></rss>`,
			[]string{"a href nav x http://f.example/d/x", "img src res y http://f.example/d/y"}},
		{"atom", Feed,
			`<feed><link href="l" rel="self"/><entry xml:base="/e/"><link rel="enclosure" href="m"/><content type="html">&lt;a href="x"&gt;</content><summary>&lt;a href="n"></summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="y"/></div></content><icon>i</icon></entry></feed>`,
			[]string{"link href service l http://f.example/d/l", "!entry xml:base meta /e/ http://f.example/e/",
				"link href res m http://f.example/e/m", "a href nav x http://f.example/e/x",
				"!div xmlns identifier http://www.w3.org/1999/xhtml http://www.w3.org/1999/xhtml",
				"a href nav y http://f.example/e/y", "icon  res i http://f.example/e/i"}},
		{"media", Feed,
			`<rss xmlns:m="http://search.yahoo.com/mrss/"><m:thumbnail url="t"/><m:text type="html">&lt;a href="x"></m:text><m:text>&lt;a href="n"></m:text></rss>`,
			[]string{"!rss xmlns:m identifier http://search.yahoo.com/mrss/ http://search.yahoo.com/mrss/",
				"thumbnail url res t http://f.example/d/t", "a href nav x http://f.example/d/x"}},
		{"pieces", Feed,
			`<rss><channel><link>a<!-- c -->b</link><docs> <![CDATA[d]]> </docs><docs>e<![CDATA[f]]></docs></channel></rss>`,
			[]string{"!link  nav ab http://f.example/d/ab",
				"docs  nav d http://f.example/d/d", "!docs  nav ef http://f.example/d/ef"}},
		{"schema locations", XML,
			`<a xsi:schemaLocation="http://n.example/ n.xsd" xsi:noNamespaceSchemaLocation="m.xsd"/>`,
			[]string{"!a xsi:schemalocation identifier http://n.example/ http://n.example/",
				"!a xsi:schemalocation identifier n.xsd http://f.example/d/n.xsd",
				"!a xsi:nonamespaceschemalocation identifier m.xsd http://f.example/d/m.xsd"}},
		{"unclosed", Feed, `<rss><channel><item><link>x</item><item></guid><link>y`,
			[]string{"link  nav x http://f.example/d/x", "link  nav y http://f.example/d/y"}},
	}
	for _, tt := range tests {
		got := foundIn(t, tt.format, tt.data)
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: links of %q =\n  %s\nwant\n  %s", tt.name, tt.data,
				strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
		}
	}
}

// If a document ends inside an element, the reference at its end may be cut off.
func TestCutText(t *testing.T) {
	const before = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>`
	tests := []struct{ name, data, want string }{
		{"in the address", before + `<loc>http://e.test/a</loc><loc>http://e.test/very/lo`,
			"http://e.test/a, http://e.test/very/lo unclear-end"},
		{"in the scheme", before + `<loc>ht`, "http://b.test/ht unclear-end"},
		{"in an entity", before + `<loc>http://e.test/?a&am`, "http://e.test/?a&am unclear-end"},
		{"in a character reference", before + `<loc>http://e.test/?a&amp;b&#x2`, "http://e.test/?a&b&#x2 unclear-end"},
		{"in a CDATA section", before + `<loc><![CDATA[http://e.test/lo`, "http://e.test/lo unclear-end"},
		{"in the end of a CDATA section", before + `<loc><![CDATA[http://e.test/lo]]`,
			"http://e.test/lo]] unclear-end"},
		{"behind a comment", before + `<loc>http://e.test/<!-- c -->lo`, "http://e.test/lo unclear-end"},
		{"in UTF-16", string(readingtest.UTF16(before+`<loc>http://e.test/lo`, false)), "http://e.test/lo unclear-end"},
		{"in a feed", `<rss><channel><link>http://e.test/lo`, "http://e.test/lo unclear-end"},
		{"in the end tag", before + `<loc>http://e.test/a</lo`, "http://e.test/a"},
		{"behind the end tag", before + `<loc>http://e.test/a</loc>`, "http://e.test/a"},
		{"behind a blank", before + "<loc>http://e.test/a\n", "http://e.test/a"},
		{"in an attribute",
			before + `<loc>http://e.test/a</loc><x:link xmlns:x="http://www.w3.org/1999/xhtml" href="http://e.test/lo`,
			"http://e.test/a"},
		{"nowhere", before + `<loc>http://e.test/a</loc></url></urlset>`, "http://e.test/a"},
	}
	for _, tt := range tests {
		d := &Doc{Data: []byte(tt.data), Layer: &base.Layer{Source: base.URL, Value: "http://b.test/"}}
		var r Resolver
		for range 2 { // the document is read twice
			var got []string
			for l := range r.Links(d) {
				if l.Status != IdentifierRef {
					got = append(got, strings.Join(append([]string{string(l.URI)}, l.Warnings...), " "))
				}
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("%s: Links(%q): got %s, want %s", tt.name, tt.data, s, tt.want)
			}
		}
	}
}
