package extract

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/resolve"
)

const retrieved = "http://example.test/dir/page.html"

func webPage(data string) *Doc {
	return &Doc{Format: HTML, Data: []byte(data), Layer: &base.Layer{Source: base.URL, Value: retrieved}}
}

func TestLinks(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"relative", `<a href=x>`, "resolved http://example.test/dir/x"},
		{"absolute", `<a href=http://e.example/>`, "absolute http://e.example/"},
		{"host", `<a href="https://e.example"><a href="//e.example">`,
			"absolute https://e.example/, resolved http://e.example/"},
		{"same scheme", `<a href=http:x>`, "resolved http://example.test/dir/x"},
		{"fragment", `<a href=#f>`, "same-document http://example.test/dir/page.html#f"},
		{"empty", `<a href="  ">`, "same-document http://example.test/dir/page.html"},
		{"fragment under BASE", `<base href=/b/><a href=#f>`,
			"resolved http://example.test/b/, same-document http://example.test/b/#f"},
		{"empty action under BASE", `<base href=/b/><form action="">`,
			"resolved http://example.test/b/, same-document http://example.test/dir/page.html"},
		{"invalid", `<a href="http://[">`, "invalid"},
		{"late BASE", `<a href=x><base href=/b/>`, "resolved http://example.test/b/x, resolved http://example.test/b/"},
		{"refresh before BASE", `<meta http-equiv=refresh content="0;n"><base href=/b/>`,
			"resolved http://example.test/dir/n, resolved http://example.test/b/"},
		{"refresh after BASE", `<base href=/b/><meta http-equiv=refresh content="0;n">`,
			"resolved http://example.test/b/, resolved http://example.test/b/n"},
		{"manifest before BASE", `<html manifest=m><base href=/b/>`,
			"resolved http://example.test/dir/m, resolved http://example.test/b/"},
		{"codebase", `<object data=o codebase=c/ archive="a b">`,
			"resolved http://example.test/dir/c/o, resolved http://example.test/dir/c/, resolved http://example.test/" +
				"dir/c/a, resolved http://example.test/dir/c/b"},
		{"classid", `<object classid=clsid:1><object classid=x>`,
			"identifier clsid:1, resolved http://example.test/dir/x"},
		{"srcdoc inherits", `<base href=/b/><iframe srcdoc="<a href=x>">`,
			"resolved http://example.test/b/, resolved http://example.test/b/x"},
		{"srcdoc before BASE",
			`<iframe srcdoc="<a href=x>"></iframe><base href=/b/><iframe srcdoc="<iframe srcdoc='<a href=y>'></iframe><a href=z><base href=in/>">`,
			"resolved http://example.test/dir/x, resolved http://example.test/b/, resolved http://example.test/b/y, " +
				"resolved http://example.test/b/in/z, resolved http://example.test/b/in/"},
		{"srcdoc with BASE", `<iframe srcdoc="<a href=x><base href=in/>"></iframe><a href=y>`,
			"resolved http://example.test/dir/in/x, resolved http://example.test/dir/in/, resolved http://" +
				"example.test/dir/y"},
		{"itemid", `<p itemid=x itemtype=y>`, "identifier http://example.test/dir/x, identifier"},
		{"odd itemid", `<p itemid="x y" itemtype="y z">`,
			"identifier http://example.test/dir/x%20y, identifier, identifier"},
		{"quoted-printable left", `<a href='3D"x"'>`, "suspect"},
		{"template left", `<a href="{{ x }}"><a href="<%= x %>"><a href="%LINK%/x"><a href="%20x%20">`,
			"suspect, suspect, suspect, resolved http://example.test/dir/%20x%20"},
		{"template left as a part",
			`<a href=%FIRST_NAME%><a href="/a/%to_URL%?x"><a href="?t=%RANDOM%&b=1"><a href="x?a=b#%LINK%">`,
			"suspect, suspect, suspect, resolved http://example.test/dir/x?a=b#%LINK%"},
		{"per cent signs",
			`<a href="/x.js?d=%Y%m%d"><a href=/50%off%20now%><a href=/a%b%c><a href="/img/%Y%m%d.png"><a href="/%CAFE%/"><a href="?%RANDOM%"><a href="/a%NAME%/"><a href="x#/%NAME%">`,
			"resolved http://example.test/x.js?d=%Y%m%d, resolved http://example.test/50%off%20now%, resolved http://" +
				"example.test/a%b%c, resolved http://example.test/img/%Y%m%d.png, " +
				"resolved http://example.test/%CAFE%/, resolved http://example.test/dir/page.html?%RANDOM%, resolved " +
				"http://example.test/a%NAME%/, resolved http://example.test/dir/x#/%NAME%"},
		{"attribute in value", `<form action=method=post>`, "suspect"},
		{"mailbox", `<a href=me@example.org><img src=logo@2x.png><a href=logo@2x.png><a href=u@h/x>`,
			"suspect, resolved http://example.test/dir/logo@2x.png, resolved http://example.test/dir/logo@2x.png, " +
				"resolved http://example.test/dir/u@h/x"},
		{"euc-jp query", "<meta charset=euc-jp><a href=\"?\xc6\xfc&#xe5;\">",
			"resolved http://example.test/dir/page.html?%C6%FC%26%23229%3B"},
		{"query in a style attribute", "<meta charset=latin1><p style='background:url(?\xe4)'>",
			"resolved http://example.test/dir/page.html?%C3%A4"},
		{"query in a style element", "<meta charset=latin1><style>@import '?\xe4'; p{background:url(?\xe4)}</style>",
			"resolved http://example.test/dir/page.html?%C3%A4, resolved http://example.test/dir/page.html?%E4"},
		{"query in a srcdoc", "<meta charset=latin1><iframe srcdoc='<a href=?\xe4>'></iframe><a href=?\xe4>",
			"resolved http://example.test/dir/page.html?%C3%A4, resolved http://example.test/dir/page.html?%E4"},
		{"control in a windows-1252 query", "<meta charset=latin1><a href=\"?\x81\x9d&#xfffd;\">",
			"resolved http://example.test/dir/page.html?%81%9D%26%2365533%3B"},
		{"windows-1252 query", "<meta charset=latin1><a href=\"\xe4?\xe4&#x3b1;\">",
			"resolved http://example.test/dir/%C3%A4?%E4%26%23945%3B"},
	}
	for _, tt := range tests {
		var r Resolver
		var got []string
		for l := range r.Links(webPage(tt.data)) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s", l.Status, l.URI)))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: Links(%q) = %s, want %s", tt.name, tt.data, strings.Join(got, ", "), tt.want)
		}
	}
}

func TestNamesDirectory(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"codebase", `<object codebase=c data=d/><applet codebase=e/ archive=f/>`, "c e/"},
		{"xml:base", `<svg xml:base="b/"><a href="c/"/></svg>`, "b/"},
		{"import map",
			`<script type=importmap>{"imports":{"a/":"/b/","c":"./d.js"},"scopes":{"/e/":{"f/":"/g/"}}}</script>`,
			"/b/ /e/ /g/"},
		{"others", `<a href=a/><base href=b/><iframe src=c/></iframe><form action=d/></form><script src=e/></script>`,
			""},
	}
	for _, tt := range tests {
		d := webPage(tt.data)
		var got []string
		for r := range d.Refs() {
			if r.NamesDirectory() {
				got = append(got, string(r.Value))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: references of %q that name a directory: got %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestLinksWithoutBase(t *testing.T) {
	d := webPage(`<a href=x><a href=#f><a href=http://e.example/><a href="">`)
	d.Layer = nil
	want := "unresolved , same-document , absolute http://e.example/, same-document "
	for _, rules := range []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396} {
		r := Resolver{Policy: base.Policy{Rules: resolve.Options{Rules: rules}}}
		var got []string
		for l := range r.Links(d) {
			got = append(got, fmt.Sprintf("%s %s", l.Status, l.URI))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: Links = %s, want %s", rules, strings.Join(got, ", "), want)
		}
	}
}

// Warnings are about the reference and about its place.
func TestLinkWarnings(t *testing.T) {
	tests := []struct{ data, want string }{
		{`<a href="x">`, ""},
		{`<a href="//a.test/x">`, "host-change"},
		{`<a href=//a.test/x>`, "host-change"},
		{`<a href="//a.test:8000/x">`, "host-change port"},
		{`<a href="javascript:x">`, "script"},
		{`<a href="javascript:'x'">`, "script"},
		{`<a itemtype="//a.test/x">`, ""},
		{"<a href=\"//a.test/x\xff\">", "invalid-utf8 host-change"},
		{`<img srcset="//a.test/,">`, "host-change"},
		{`<base href="http://u@h.test/"><a href="x">`, "credentials-in-base"},
	}
	for _, tt := range tests {
		var r Resolver
		got := ""
		d := webPage(tt.data)
		d.Charset = "utf-8"
		for l := range r.Links(d) {
			got = strings.Join(l.Warnings, " ")
		}
		if got != tt.want {
			t.Errorf("Links(%q) warn of %q, want %q", tt.data, got, tt.want)
		}
	}
}

// A link that names a part of the message is not rewritten.
func TestInMessage(t *testing.T) {
	const data = `<a href="x"><a href="y"><a href="http://p.test/"><p style="a:url(x)">`
	r := Resolver{InMessage: func(value, uri []byte) bool {
		return string(value) == "x" || string(uri) == "http://p.test/"
	}}
	want := []string{"in-message false", "resolved true", "in-message false", "in-message false"}
	var got []string
	for l := range r.Links(webPage(data)) {
		got = append(got, fmt.Sprint(l.Status, l.Change))
	}
	if !slices.Equal(got, want) {
		t.Errorf("Links(%q) = %q, want %q", data, got, want)
	}
	if edits := r.Edits(nil, webPage(data)); len(edits) != 1 {
		t.Errorf("Edits(%q) = %v, want that of y", data, edits)
	}
}

// A relative reference that is the name of a part is suspect. It is not if it names a part by other
// rules or if the document has a BASE, an xml:base or a codebase of its own.
func TestPartName(t *testing.T) {
	name := func(value []byte) bool { return string(value) == "i.png" }
	located := func(value, _ []byte) bool { return string(value) == "i.png" }
	tests := []struct {
		name, data string
		located    func(value, uri []byte) bool
		want       string
	}{
		{"a name", `<img src="i.png"><img src=" i.png "><a href=i.png>`, nil, "suspect , suspect , suspect "},
		{"other names", `<img src="I.png"><img src="./i.png"><img src="i.png?x">`, nil,
			"resolved http://example.test/dir/I.png, resolved http://example.test/dir/i.png, resolved http://" +
				"example.test/dir/i.png?x"},
		{"with references", `<img src="i&#46;png">`, nil, "suspect "},
		{"in a style", `<p style="background:url(i.png)">`, nil, "suspect "},
		{"in a srcset", `<img srcset="i.png 1x, j.png 2x">`, nil, "suspect , resolved http://example.test/dir/j.png"},
		{"absolute", `<img src="http://example.test/dir/i.png">`, nil, "absolute http://example.test/dir/i.png"},
		{"named by other rules", `<img src="i.png">`, located, "in-message http://example.test/dir/i.png"},
		{"BASE", `<base href="/b/"><img src="i.png">`, nil,
			"resolved http://example.test/b/, resolved http://example.test/b/i.png"},
		{"a BASE that gives none", `<base href="data:,x"><img src="i.png">`,
			nil, "absolute data:,x, resolved http://example.test/dir/i.png"},
		{"a BASE without href", `<base target=x><img src="i.png">`, nil, "suspect "},
		{"codebase", `<object codebase="/c/" data="i.png">`, nil,
			"resolved http://example.test/c/, resolved http://example.test/c/i.png"},
		{"an identifier", `<p itemtype="i.png">`, nil, "identifier "},
		{"listed only", `<meta itemprop=image content="i.png">`, nil, "suspect "},
		{"invalid", `<img src="http://[">`, nil, "invalid "},
	}
	for _, tt := range tests {
		r := Resolver{PartName: name, InMessage: tt.located}
		var got []string
		for l := range r.Links(webPage(tt.data)) {
			if l.Status == Suspect && (l.URI != nil || l.Err != nil || l.Change || len(l.Warnings) > 0) {
				t.Errorf("%s: %q has URI %q, error %v, warnings %q", tt.name, l.Value, l.URI, l.Err, l.Warnings)
			}
			got = append(got, fmt.Sprintf("%s %s", l.Status, l.URI))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: Links(%q) = %q, want %q", tt.name, tt.data, got, tt.want)
		}
		edits := 0
		for _, e := range r.Edits(nil, webPage(tt.data)) {
			if strings.Contains(string(e.New), "dir/i.png") && tt.name == "a name" {
				edits++
			}
		}
		if edits > 0 {
			t.Errorf("%s: %d edits of a name", tt.name, edits)
		}
	}
	r := Resolver{PartName: name}
	d := webPage(`<img src="i.png">`)
	d.Layer = nil
	for l := range r.Links(d) {
		if l.Status != Suspect || l.Err != nil {
			t.Errorf("without a base %q is %s, %v", l.Value, l.Status, l.Err)
		}
	}
}

func TestEdits(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"quotes", `<a href="x"><a href='y'><a href=z>`,
			`<a href="http://example.test/dir/x"><a href='http://example.test/dir/y'><a href=http://example.test/dir/z>`},
		{"references once", `<a href="?a&amp;b&c">`, `<a href="http://example.test/dir/page.html?a&amp;b&amp;c">`},
		{"quotes added", `<a href=?a=b>`, `<a href="http://example.test/dir/page.html?a=b">`},
		{"apostrophe", `<a href='a&#39;b'>`, `<a href='http://example.test/dir/a&#39;b'>`},
		{"srcset", `<img srcset="a 1x,, b,c 2x ">`,
			`<img srcset="http://example.test/dir/a 1x,, http://example.test/dir/b,c 2x ">`},
		{"unquoted part", `<img srcset=a?b=c,d>`, `<img srcset="http://example.test/dir/a?b=c,d">`},
		{"unquoted list", `<img srcset=,a?b=c>`, `<img srcset=,http://example.test/dir/a?b&#61;c>`},
		{"refresh", `<meta http-equiv=refresh content="0; URL='a b' x">`,
			`<meta http-equiv=refresh content="0; URL='http://example.test/dir/a%20b' x">`},
		{"style attribute", `<p style="a:url('x');b:url( y(z\) )">`,
			`<p style="a:url('http://example.test/dir/x');b:url( y(z\) )">`},
		{"style attribute in references", `<p style="a:url(&quot;x&quot;)">`,
			`<p style="a:url(&quot;http://example.test/dir/x&quot;)">`},
		{"style element", `<style>@import "x";a{b:url(y\)z)}</style>`,
			`<style>@import "http://example.test/dir/x";a{b:url(http://example.test/dir/y\)z)}</style>`},
		{"srcdoc", `<iframe srcdoc="<a href='?a&amp;amp;b'>">`,
			`<iframe srcdoc="<a href='http://example.test/dir/page.html?a&amp;amp;b'>">`},
		{"after a reference without semicolon", `<p style="a:url(&quot&#120;&quot)">`,
			`<p style="a:url(&quot&#104;ttp://example.test/dir/x&quot)">`},
		{"refresh that cannot hold it",
			`<base href="http://e.example/it's/"><meta http-equiv=refresh content="0;url='x"><a href=y>`,
			`<base href="http://e.example/it's/"><meta http-equiv=refresh content="0;url='x"><a href="http://e.example/it's/y">`},
		{"archive that cannot hold it", `<base href="http://e.example/a,b/"><applet archive="x"><a href=y>`,
			`<base href="http://e.example/a,b/"><applet archive="x"><a href=http://e.example/a,b/y>`},
		{"host", `<a href="//a.test"><a href="http://b.test">`, `<a href="http://a.test/"><a href="http://b.test">`},
		{"base stays", `<base href=b/><a href=x>`, `<base href=b/><a href=http://example.test/dir/b/x>`},
		{"left alone", `<a href=#f><a href=mailto:x><form action=""><a href="">`,
			`<a href=#f><a href=mailto:x><form action=""><a href="">`},
	}
	for _, tt := range tests {
		if got := string(rewritten(webPage(tt.in))); got != tt.want {
			t.Errorf("%s: edited %q = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// The caller owns edits: reading the next document does not change them.
func TestEditsStay(t *testing.T) {
	var r Resolver
	var d [3]*Doc
	var edits [3][]Edit
	for i, path := range []string{"a", strings.Repeat("b", editChunk), "c"} {
		d[i] = webPage(`<a href="` + path + `"><p style="a:url(` + path + `/x)">`)
		edits[i] = r.Edits(nil, d[i])
	}
	for i, path := range []string{"a", strings.Repeat("b", editChunk), "c"} {
		want := `<a href="http://example.test/dir/` + path +
			`"><p style="a:url(http://example.test/dir/` + path + `/x)">`
		if got := string(Apply(nil, d[i].Data, edits[i])); got != want {
			t.Errorf("document %d became %.80q, want %.80q", i, got, want)
		}
	}
}

// A resolver that keeps the scopes of the layers around a document gives the same links as a new
// one.
func TestSameLayersAgain(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "http://a.test/d/e"}
	docs := []string{`<a href=f>`, `<base href=/b/><a href=f><object codebase=c data=g>`,
		`<a href=f>`, `<base href=//c.test/><a href=f>`, `<a href=f>`}
	var kept Resolver
	for _, text := range docs {
		for _, layer := range []*base.Layer{outer, nil, outer} {
			list := func(r *Resolver) (uris []string) {
				for l := range r.Links(&Doc{Data: []byte(text), Layer: layer}) {
					uris = append(uris, string(l.URI))
				}
				return uris
			}
			if got, want := list(&kept), list(new(Resolver)); !slices.Equal(got, want) {
				t.Errorf("Links of %s within %v: got %q, want %q", text, layer, got, want)
			}
		}
	}
}

// Under the first draft the empty query of a relative reference is removed, which leaves a comma at
// the end.
func TestSrcsetComma(t *testing.T) {
	r := Resolver{Normalize: true, Policy: base.Policy{Rules: resolve.Options{Rules: resolve.Draft00e}}}
	d := &Doc{Format: HTML, Data: []byte(`<base href="http://h/"><img srcset="http://h/x,? 1x, y,? 2x, z 3x">`)}
	var got []string
	for l := range r.Links(d) {
		got = append(got, string(l.Value)+" "+strings.Join(l.Warnings, " "))
	}
	want := []string{"http://h/ ", "http://h/x,? ", "y,? srcset-comma", "z "}
	if !slices.Equal(got, want) {
		t.Errorf("links and warnings are %q, want %q", got, want)
	}
}

// Browsers resolve the content of an object differently if its codebase counts.
func TestCodebaseWarning(t *testing.T) {
	const data = `<object codebase="c/" data="x"><object codebase="c/" data="/x"><object data="x"><object codebase="." data="x"><applet codebase="c/" object="x"><object codebase="c/" data="http://e.test/">`
	want := []string{"c/ []", "x [codebase]", "c/ []", "/x []", "x []", ". []", "x []", "c/ []", "x []", "c/ []",
		"http://e.test/ []"}
	for _, browsers := range []bool{false, true} {
		var r Resolver
		d := webPage(data)
		d.Options.HTML5Objects = browsers
		var got []string
		for l := range r.Links(d) {
			got = append(got, fmt.Sprintf("%s %s", l.Value, l.Warnings))
		}
		if browsers {
			want[1] = "x []"
		}
		if !slices.Equal(got, want) {
			t.Errorf("links and warnings are %q, want %q", got, want)
		}
	}
}

// Links that are collected keep their URIs, warnings and references, whatever follows them.
func TestLinksAreKept(t *testing.T) {
	var page strings.Builder
	var want []string
	long := strings.Repeat("x", 3*uriChunk)
	for i := range 500 {
		name := fmt.Sprint(i)
		if i%100 == 7 {
			name += long
		}
		fmt.Fprintf(&page, "<a href='%s'><a href='http://u@127.0.0.1:2%03d/'><a href='http://e.test/%[2]d'>", name, i)
		want = append(want, "http://example.test/dir/"+name,
			fmt.Sprintf("http://u@127.0.0.1:2%03d/", i), fmt.Sprintf("http://e.test/%d", i))
	}
	for name, links := range map[string]iter.Seq[Link]{
		"Links":          Links([]byte(page.String()), retrieved),
		"Resolver.Links": new(Resolver).Links(webPage(page.String())),
	} {
		list := slices.Collect(links)
		again := slices.Collect(links)
		for i, l := range list {
			uri, warned := want[i], i%3 == 1
			if got := string(l.URI); got != uri || warned != (len(l.Warnings) > 0) ||
				warned && !slices.Equal(l.Warnings, again[i].Warnings) {
				t.Fatalf("%s: link %d: got %.60q with warnings %q, want %.60q, warned of: %v",
					name, i, got, l.Warnings, uri, warned)
			}
			if _, value, _ := strings.Cut(uri, "/dir/"); i%3 == 0 && string(l.Value) != value {
				t.Fatalf("%s: link %d: got the value %.60q, want %.60q", name, i, l.Value, value)
			}
		}
		if len(list) != len(want) {
			t.Errorf("%s: got %d links, want %d", name, len(list), len(want))
		}
	}
}

// A page needs no declaration, and may have no URL.
func TestLinksOfPage(t *testing.T) {
	for page, want := range map[string]string{
		"<template><a href=x>":                         "resolved http://example.test/dir/x",
		`<rss><channel><link>x</link></channel></rss>`: "resolved http://example.test/dir/x",
		"not <b>a page, but <a href=x>":                "resolved http://example.test/dir/x",
		"":                                             "",
	} {
		if got := settled(Links([]byte(page), retrieved)); got != want {
			t.Errorf("Links of %q: got %s, want %s", page, got, want)
		}
	}
	if got, want := settled(Links([]byte("<a href=x><a href=http://e.test/>"),
		"")), "unresolved, absolute http://e.test/"; got != want {
		t.Errorf("Links without a URL: got %s, want %s", got, want)
	}
}

// settled lists links with their statuses.
func settled(links iter.Seq[Link]) string {
	var list []string
	for l := range links {
		list = append(list, strings.TrimSpace(l.Status.String()+" "+string(l.URI)))
	}
	return strings.Join(list, ", ")
}

// A reference that has a base only inside its message is listed, and not rewritten (RFC 2557
// Section 5).
func TestThisMessage(t *testing.T) {
	d := webPage(`<a href=x><a href="#f"><a href="http://e.test"><iframe srcdoc="<a href=y>">`)
	d.Layer = &base.Layer{Source: base.DefaultBase, Value: "thismessage:/"}
	r := Resolver{Fragments: true}
	if got, want := settled(r.Links(d)),
		"resolved thismessage:/x, same-document thismessage:/#f, absolute http://e.test/, resolved thismessage:/"+
			"y"; got != want {
		t.Errorf("Links: got %s, want %s", got, want)
	}
	if edits := r.Edits(nil, d); len(edits) > 0 {
		t.Errorf("Edits: got %d, want none", len(edits))
	}
}
