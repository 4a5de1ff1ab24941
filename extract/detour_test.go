package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
)

// With a base for images and one for paths, references have these URIs and sources of their base.
func TestDetours(t *testing.T) {
	const images, root = "https://h.example/raw/d/page", "https://h.example/blob/main"
	page := &base.Layer{Source: base.URL, Value: "https://h.example/blob/d/page"}
	for _, tt := range []struct{ name, images, root, format, data, want string }{
		{"markdown", images, "", "markdown", "[a](b) ![c](d) [![e](f)](g)",
			"blob/d/b url, raw/d/d image-base, raw/d/f image-base, blob/d/g url"},
		{"definitions", images, "", "markdown", "![a][] [b][] ![c][] [c][]\n\n[a]: 1\n[b]: 2\n[c]: 3\n",
			"raw/d/1 image-base, blob/d/2 url, blob/d/3 url"},
		{"html in markdown", images, "", "markdown", "<a href=a><img src=b></a> <source srcset='c 1x'>",
			"blob/d/a url, raw/d/b image-base, raw/d/c image-base"},
		{"html", images, "", "html", "<img src=a longdesc=b srcset='c 1x'><video poster=d src=e><link href=f>",
			"raw/d/a image-base, blob/d/b url, raw/d/c image-base, blob/d/d url, blob/d/e url, blob/d/f url"},
		{"a base element", images, "", "html", "<base href=e/><img src=a><a href=b>",
			"blob/d/e/ url, raw/d/e/a base-element, blob/d/e/b base-element"},
		{"images below a base element", images, "", "html", "<base href=e/><img src=a><img src=b><img src=c><a href=d>",
			"blob/d/e/ url, raw/d/e/a base-element, raw/d/e/b base-element, raw/d/e/c base-element, " +
				"blob/d/e/d base-element"},
		{"slashes", "", root, "markdown", "[a](/) [b](//) [d](/e) [f](//g.example)",
			"blob/main/ root-base,  url, blob/main/e root-base, https://g.example/ url"},
		{"a backslash", "", root, "html", `<a href="/\g.example/"><a href="/\"><a href="/[a">`,
			"https://g.example/ url,  url, blob/main/[a root-base"},
		{"pictures of SVG", images, "", "html", "<svg><image href=a /></svg>", "blob/d/a url"},
		{"an absolute base element", images, "", "html", "<base href=https://h.example/o/><img src=a>",
			"o/ url, o/a base-element"},
		{"root", "", root, "markdown", "[a](/b) [c](d) ![e](/f/) [g](//h.example/i) [j](/k:l) [m](/) [n](/?o)",
			"blob/main/b root-base, blob/d/d url, blob/main/f/ root-base, i url, blob/main/k:l root-base, " +
				"blob/main/ root-base, blob/main/?o root-base"},
		{"root with a slash", "", root + "/", "markdown", "[a](/b)", "blob/main/b root-base"},
		{"both", images, root, "markdown", "![a](b) ![c](/d)", "raw/d/b image-base, blob/main/d root-base"},
		{"other references", images, root, "markdown", "![a](https://h.example/b) ![c](#d) ![e]()",
			"b image-base, raw/d/page#d image-base, raw/d/page image-base"},
		{"neither", "", "", "markdown", "![a](/b) [c](/d)", "b url, d url"},
	} {
		r := Resolver{ImageBase: tt.images, RootBase: tt.root}
		d := &Doc{Format: HTML, Data: []byte(tt.data), Layer: page}
		if tt.format == "markdown" {
			d.Format = Markdown
		}
		for range 2 { // the second time with layers that are kept
			var got []string
			for l := range r.Links(d) {
				source := " "
				if l.From != nil {
					source = l.From.Source.String()
				}
				got = append(got, fmt.Sprint(strings.TrimPrefix(string(l.URI), "https://h.example/"), " ", source))
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("%s: got %q, want %q", tt.name, s, tt.want)
			}
		}
	}
}

// The edits have the same URIs as the links.
func TestDetourEdits(t *testing.T) {
	d := &Doc{Format: Markdown, Data: []byte("![a](b) [c](/d) [e](f)"),
		Layer: &base.Layer{Source: base.URL, Value: "http://h.example/1/p"}}
	r := Resolver{ImageBase: "http://i.example/2/", RootBase: "http://r.example/3/"}
	got := string(Apply(nil, d.Data, r.Edits(nil, d)))
	want := "![a](http://i.example/2/b) [c](http://r.example/3/d) [e](http://h.example/1/f)"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The bases of detours may change from one reading to the next.
func TestDetoursChange(t *testing.T) {
	d := &Doc{Format: Markdown, Data: []byte("![a](b) [c](/d)"),
		Layer: &base.Layer{Source: base.URL, Value: "http://h.example/p"}}
	var r Resolver
	for _, host := range []string{"1", "2", "2", "3"} {
		r.ImageBase = "http://i.example/" + host + "/"
		r.RootBase = "http://r.example/" + host + "/"
		got := string(Apply(nil, d.Data, r.Edits(nil, d)))
		if want := fmt.Sprintf("![a](http://i.example/%[1]s/b) [c](http://r.example/%[1]s/d)", host); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The references of one layer share one base, with every option.
func TestSharedBases(t *testing.T) {
	page := "<base href=/b/>" + strings.Repeat("<a href=x><img src=y><a href='/z'><a href='#s'>", 20) +
		"<object codebase=c/ archive='" + strings.Repeat("d #s ", 20) + "'></object>"
	for _, tt := range []struct {
		name string
		r    Resolver
		want int
	}{
		{"no option", Resolver{}, 3},
		{"images", Resolver{ImageBase: "http://i.test/"}, 4},
		{"a root", Resolver{RootBase: "http://r.test/"}, 3},
		{"both", Resolver{ImageBase: "http://i.test/", RootBase: "http://r.test/"}, 4},
		{"without BASE", Resolver{BaseElement: DropBase}, 4},
	} {
		d := document([]byte(page), "utf-8")
		for range tt.r.Links(d) {
		}
		if got := len(tt.r.scopes); got != tt.want {
			t.Errorf("%s: got %d bases, want %d", tt.name, got, tt.want)
		}
	}
}
