package dom

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract"
	"absolink/resolve"
)

func parse(t testing.TB, src string) *goquery.Document {
	t.Helper()
	doc, err := read(strings.NewReader(src))
	if err != nil {
		t.Fatalf("html.ParseWithOptions(%q): %v", src, err)
	}
	return doc
}

// listed formats a reference as "element attribute kind value".
func listed(r Ref) string {
	return fmt.Sprintf("%s %s %s %s", strings.ToLower(r.Node.Data), r.Attr, r.Kind, r.Value)
}

func TestRefs(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"link", `<a href=" x ">`, []string{"a href nav  x "}},
		{"link element", `<link rel="Icon" href=a><link rel=preconnect href=b>`,
			[]string{"link href res a", "link href hint b"}},
		{"ping", `<a href=x ping=" p1  p2">`, []string{"a href nav x", "a ping ping p1", "a ping ping p2"}},
		{"srcset", `<img srcset="a,b 1x, c 2x,d,">`,
			[]string{"img srcset res a,b", "img srcset res c", "img srcset res d"}},
		{"srcset parentheses", `<img srcset="a (x, y), b">`, []string{"img srcset res a", "img srcset res b"}},
		{"refresh", `<meta http-equiv=Refresh content="5; URL = 'a b' c"><meta http-equiv=refresh content=5><meta content="0;x">`, []string{"meta content nav a b"}},
		{"refresh without url=", `<meta http-equiv=refresh content="0, x "><meta http-equiv=refresh content="0x">`,
			[]string{"meta content nav x"}},
		{"commas", `<applet archive=" a ,,b c">`, []string{"applet archive res a", "applet archive res b c"}},
		{"style", `<p style="background:url(a\62)"><style>@import "c"; @namespace url(d);</style>`,
			[]string{"p style res ab", "style  res c", "style  identifier d"}},
		{"style of another language", `<style type=text/less>@import "c"</style>`, nil},
		{"svg", `<svg><a xlink:href=1></a><feImage href=2 /><rect fill="url(f#g)" /><style>a{fill:url(h)}</style></svg>`,
			[]string{"a xlink:href nav 1", "feimage href res 2", "rect fill res f#g", "style  res h"}},
		{"math", `<math href=1><mi xlink:href=2></mi></math>`, []string{"math href nav 1", "mi xlink:href nav 2"}},
		{"template and noscript", `<template><a href=1></a></template><noscript><a href=2></a></noscript>`,
			[]string{"a href nav 1", "a href nav 2"}},
		{"srcdoc", `<iframe src=0 srcdoc="<a href='1'><img src=&quot;2&amp;amp;3&quot;>"></iframe>`,
			[]string{"iframe src frame 0", "a href nav 1", "img src res 2&3"}},
		{"identifiers", `<p itemtype="http://schema.org/A" itemprop="b http://c/" about="[d:e]" resource=f>`,
			[]string{"p itemtype identifier http://schema.org/A",
				"p itemprop identifier http://c/", "p resource identifier f"}},
		{"class of an object", `<object classid="clsid:1"><object classid="a.py">`,
			[]string{"object classid plugin clsid:1", "object classid plugin a.py"}},
		{"custom element", `<amp-img src=1 srcset="2 1x"></amp-img>`,
			[]string{"amp-img src res 1", "amp-img srcset res 2"}},
		{"other element", `<x href=1><div href=2>`, nil},
	} {
		var got []string
		for r := range Selection(parse(t, c.src).Selection, nil) {
			got = append(got, listed(r))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: Refs(%q):\n got %q\nwant %q", c.name, c.src, got, c.want)
		}
	}
}

func TestResolve(t *testing.T) {
	around := &base.Layer{Source: base.URL, Value: "http://example.test/dir/page.html"}
	for _, c := range []struct{ name, src, want string }{
		{"no base element", `<a href="x?a=1&amp;b#c">`, "http://example.test/dir/x?a=1&b#c"},
		{"base after the link", `<a href=x></a><base href=/sub/>`, "http://example.test/sub/x"},
		{"base in a template", `<template><base href=/sub/></template><a href=x>`, "http://example.test/dir/x"},
		{"base in SVG", `<svg><base href=/sub/></base></svg><a href=x>`, "http://example.test/dir/x"},
		{"base without href", `<base target=_top><base href=/sub/><base href=/no/><a href=x>`,
			"http://example.test/sub/x"},
		{"refresh before the base", `<meta http-equiv=refresh content="0;url=x"><base href=/sub/>`,
			"http://example.test/dir/x"},
		{"refresh after the base", `<base target=_top><base href=/sub/><meta http-equiv=refresh content="0;url=x">`,
			"http://example.test/sub/x"},
		{"codebase", `<object codebase=cb/ data=x>`, "http://example.test/dir/cb/x"},
		{"empty form action", `<form action="">`, "http://example.test/dir/page.html"},
		{"base inside srcdoc", `<iframe srcdoc="<base href=in/><a href=x>">`, "http://example.test/dir/in/x"},
		{"srcdoc before the base", `<iframe srcdoc="<a href=x>"></iframe><base href=/sub/>`,
			"http://example.test/dir/x"},
		{"srcdoc after the base", `<base href=/sub/><iframe srcdoc="<a href=x>"></iframe>`,
			"http://example.test/sub/x"},
		{"fragment", `<base href=/sub/><a href="#s">`, "http://example.test/sub/#s"},
	} {
		var r Resolver
		got := ""
		for ref := range Selection(parse(t, c.src).Selection, around) {
			if ref.Node.Data == "base" || ref.Attr == "codebase" {
				continue
			}
			uri, err := r.Resolve(ref)
			if err != nil {
				t.Errorf("%s: Resolve(%q): %v", c.name, ref.Value, err)
			}
			got = uri
		}
		if got != c.want {
			t.Errorf("%s: Resolve of %q = %q, want %q", c.name, c.src, got, c.want)
		}
	}
}

func TestResolveWithoutBase(t *testing.T) {
	var r Resolver
	for ref := range Selection(parse(t, "<a href=x>").Selection, nil) {
		if uri, err := r.Resolve(ref); !errors.Is(err, resolve.ErrNoBase) {
			t.Errorf("Resolve(%q) = %q, %v, want %v", ref.Value, uri, err, resolve.ErrNoBase)
		}
	}
}

func TestSelection(t *testing.T) {
	doc := parse(t,
		`<base href=/b/><nav><a href=1><i></i></a></nav><main><p><a href=2></a><a href=3></a></p></main><a href=4></a>`)
	for _, c := range []struct {
		selector string
		want     []string
	}{
		{"main", []string{"2", "3"}},
		{"a", []string{"1", "2", "3", "4"}},
		{"p, main, nav", []string{"1", "2", "3"}},
		{"a[href='3']", []string{"3"}},
		{"table", nil},
	} {
		var got []string
		for r := range Selection(doc.Find(c.selector), nil) {
			got = append(got, r.Value)
			if r.Layer == nil || r.Layer.Value != "/b/" {
				t.Errorf("Selection(%q): layer of %q = %v, want that of the base element", c.selector, r.Value, r.Layer)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("Selection(%q) = %q, want %q", c.selector, got, c.want)
		}
	}
}

func TestStop(t *testing.T) {
	doc := parse(t, `<img src=1 srcset="2, 3"><iframe srcdoc="<a href=4><a href=5>"></iframe><a href=6>`)
	for n := 1; n <= 6; n++ {
		count := 0
		for range Selection(doc.Selection, nil) {
			count++
			if count == n {
				break
			}
		}
		if count != n {
			t.Errorf("Refs stopped after %d references, want %d", count, n)
		}
	}
}

// Documents in srcdoc attributes are read to the same depth as in package extract.
func TestDeepSrcdoc(t *testing.T) {
	src := "<a href=x>"
	for depth := 1; depth <= 9; depth++ {
		src = `<iframe srcdoc="` + html.EscapeString(src) + `"></iframe>`
		want := 1
		if depth > 8 {
			want = 0
		}
		count, spans := 0, 0
		for range Selection(parse(t, src).Selection, nil) {
			count++
		}
		d := &extract.Doc{Format: extract.HTML, Data: []byte(src)}
		for range d.Refs() {
			spans++
		}
		if count != want || spans != want {
			t.Errorf("depth %d: %d references of the tree, %d of the bytes, want %d", depth, count, spans, want)
		}
	}
}

func TestDeepTree(t *testing.T) {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	n := root
	for range 200_000 {
		child := &html.Node{Type: html.ElementNode, Data: "div"}
		n.AppendChild(child)
		n = child
	}
	n.AppendChild(&html.Node{Type: html.ElementNode, Data: "a", Attr: []html.Attribute{{Key: "href", Val: "x"}}})
	count := 0
	for range Selection(goquery.NewDocumentFromNode(root).Selection, nil) {
		count++
	}
	if count != 1 {
		t.Errorf("Refs of a deep tree: %d references, want 1", count)
	}
}
