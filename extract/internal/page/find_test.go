package page_test

import (
	"fmt"
	"strings"
	"testing"
)

// found returns "element attribute kind value" of each reference of an HTML document. It checks
// that the span of a reference holds the value if nothing is decoded.
func found(t *testing.T, data string) (list []string) {
	t.Helper()
	d := htmlDoc(data)
	for r := range d.Refs() {
		raw := data[r.Start:r.End]
		if !strings.ContainsAny(raw, "&\\\r\x00") && raw != string(r.Value) {
			t.Errorf("Refs(%q): span %v holds %q, want %q", data, r.Span, raw, r.Value)
		}
		list = append(list, fmt.Sprintf("%s %s %s %s", r.Element, r.Attr, r.Kind, r.Value))
	}
	return list
}

func TestRefs(t *testing.T) {
	tests := []struct {
		name, data string
		want       []string
	}{
		{"link", `<a href=x>`, []string{"a href nav x"}},
		{"case and quotes", `<A HREF='x'><AREA Href="y">`, []string{"a href nav x", "area href nav y"}},
		{"no value", `<a href><a href=>`, []string{"a href nav ", "a href nav "}},
		{"first of two", `<a href=1 href=2>`, []string{"a href nav 1"}},
		{"unfinished tag", `<a href=1><a href=2 `, []string{"a href nav 1"}},
		{"references", `<a href="?a=1&amp;b&copy=2&#x2f;">`, []string{"a href nav ?a=1&b&copy=2/"}},
		{"ping", `<a href=x ping=" p1  p2">`, []string{"a href nav x", "a ping ping p1", "a ping ping p2"}},
		{"raw text", `<textarea><a href=1></textarea><title><a href=2></title><xmp><a href=3></xmp>`, nil},
		{"noscript is markup", `<noscript><img src=1></noscript>`, []string{"img src res 1"}},
		{"comment", `<!-- <a href=1> --><a href=2>`, []string{"a href nav 2"}},
		{"srcset", `<img srcset="a,b 1x, c 2x,d,">`,
			[]string{"img srcset res a,b", "img srcset res c", "img srcset res d"}},
		{"srcset parentheses", `<img srcset="a (x, y), b">`, []string{"img srcset res a", "img srcset res b"}},
		{"imagesrcset", `<link rel=preload imagesrcset="a 1x">`, []string{"link imagesrcset res a"}},
		{"image is img", `<image src=x>`, []string{"img src res x"}},
		{"svg", `<svg><a xlink:href=1></a><image href=2 /><use xlink:href="#s"/><rect fill="url(f.svg#g)"/></svg>`,
			[]string{"a xlink:href nav 1", "image href res 2", "use xlink:href res #s", "rect fill res f.svg#g"}},
		{"math", `<math href=1><mi xlink:href=2></mi></math>`, []string{"math href nav 1", "mi xlink:href nav 2"}},
		{"rel", `<link rel="alternate stylesheet" href=1><link rel=canonical href=2><link rel="DNS-Prefetch" href=3><link rel=pingback href=4><link rel=schema.DC href=5>`,
			[]string{"link href res 1", "link href nav 2", "link href hint 3",
				"link href service 4", "link href identifier 5"}},
		{"archive lists", `<object archive="a b"><applet archive="c, d,">`,
			[]string{"object archive res a", "object archive res b", "applet archive res c", "applet archive res d"}},
		{"param", `<param name=a value=x valuetype=ref><param name=b value=y>`, []string{"param value plugin x"}},
		{"style attribute",
			`<p style="background:url(a.png)"><p style="background:url(&quot;b.png&quot;)"><p style="color:red">`,
			[]string{"p style res a.png", "p style res b.png"}},
		{"style element", `<style>@import "a.css"; p{background:url(b.png)} /* url(c) */</style>`,
			[]string{"style  res a.css", "style  res b.png"}},
		{"style of another language", `<style type=text/less>p{background:url(b.png)}</style>`, nil},
		{"svg style", `<svg><style>a{fill:url(&quot;a&quot;)}<![CDATA[b{fill:url("b")}]]></style><a href=c></svg>`,
			[]string{"style  res a", "style  res b", "a href nav c"}},
		{"identifiers",
			`<html xmlns="http://www.w3.org/1999/xhtml" XMLNS:V="urn:schemas-microsoft-com:vml"><p itemtype="http://schema.org/A http://schema.org/B" itemprop=url itemid=x>`,
			[]string{"html xmlns identifier http://www.w3.org/1999/xhtml",
				"html xmlns:v identifier urn:schemas-microsoft-com:vml", "p itemtype identifier http://schema.org/A",
				"p itemtype identifier http://schema.org/B", "p itemid identifier x"}},
		{"custom element", `<amp-img src=1 srcset="2 1x"></amp-img>`,
			[]string{"amp-img src res 1", "amp-img srcset res 2"}},
		{"srcdoc", `<iframe src=0 srcdoc="<a href='1'><img src=&quot;2&amp;amp;3&quot;>"></iframe>`,
			[]string{"iframe src frame 0", "a href nav 1", "img src res 2&3"}},
		{"configuration of tiles", `<meta name=msapplication-config content=none><meta content=" NONE&#10;" ` +
			`name=MSApplication-Config><meta name=msapplication-config content="/none"><meta name=msapplication-config ` +
			`content="none.xml"><meta name=msapplication-TileImage content=none>`,
			[]string{"meta content res /none", "meta content res none.xml", "meta content res none"}},
		{"no bookmarks", `<!doctype html><a href=1 icon=download icon_uri=2 feedurl=3><srcdoc>`, []string{"a href nav 1"}},
		{"bookmarks in a page", `<p><!DOCTYPE NETSCAPE-Bookmark-file-1><a href=1 icon=2>`, []string{"a href nav 1"}},
		{"bookmarks", ` <!doctype netscape-bookmark-file-1><DT><A HREF="1" ICON_URI="2" ICON="data:," FEEDURL="3">`,
			[]string{"a href nav 1", "a icon_uri res 2", "a icon res data:,", "a feedurl service 3"}},
		{"two srcdocs",
			`<iframe srcdoc="<a href=&quot;1&amp;amp;&quot;>"></iframe><iframe srcdoc="<a href=&quot;2&amp;amp;&quot;>"></iframe>`,
			[]string{"a href nav 1&", "a href nav 2&"}},
		{"other element", `<x href=1><div href=2>`, nil},
	}
	for _, tt := range tests {
		got := found(t, tt.data)
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: Refs(%q) =\n  %s\nwant\n  %s", tt.name, tt.data,
				strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
		}
	}
}

func TestRefresh(t *testing.T) {
	tests := []struct{ content, want string }{
		{"0;url=next", "next"},
		{"0; URL = 'a b'", "a b"},
		{`0;url="x"y`, "x"},
		{"5", "-"},
		{"5;", "-"},
		{"5; ", "-"},
		{"", "-"},
		{"x;url=y", "-"},
		{"5x;url=y", "-"},
		{".5;url=y", "y"},
		{"1.5.2;url=y", "y"},
		{"0,next", "next"},
		{"0 next", "next"},
		{"0next", "-"},
		{"1;http://abs.example/", "http://abs.example/"},
		{"0;\turl=  ../up  ", "../up"},
		{"0;url=x;y,z", "x;y,z"},
		{"0;;u", ";u"},
		{"0;'q'r", "q"},
		{"0;'q", "q"},
		{"0;urls", "urls"},
		{"0;u", "u"},
		{"0;url=", ""},
		{"  7 ; url=x", "x"},
	}
	for _, tt := range tests {
		d := htmlDoc(`<meta http-equiv=Refresh content="` + strings.ReplaceAll(tt.content, `"`, "&quot;") + `">`)
		got := "-"
		for r := range d.Refs() {
			got = string(r.Value)
		}
		if got != tt.want {
			t.Errorf("refresh %q = %q, want %q", tt.content, got, tt.want)
		}
	}
}
