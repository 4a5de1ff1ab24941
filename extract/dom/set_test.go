package dom

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/base"
)

// Every reference is set to its resolved URI, except the srcdoc.
func TestSet(t *testing.T) {
	tests := []struct{ in, want string }{
		{`<p><a href="a&amp;b" ping="c d">x</a></p>`,
			`<p><a href="http://e.test/d/a&amp;b" ping="http://e.test/d/c http://e.test/d/d">x</a></p>`},
		{`<img srcset="a 1x, b 2x"/>`, `<img srcset="http://e.test/d/a 1x, http://e.test/d/b 2x"/>`},
		{`<p style="background:url(&#39;a&#39;)"></p>`, `<p style="background:url(&#39;http://e.test/d/a&#39;)"></p>`},
		{`<style>@import "a";b{c:url(d)}</style>`,
			`<style>@import "http://e.test/d/a";b{c:url(http://e.test/d/d)}</style>`},
		{`<script type="importmap">{"imports":{"x":"./a"}}</script>`,
			`<script type="importmap">{"imports":{"x":"http://e.test/d/a"}}</script>`},
		{`<svg><a xlink:href="a"></a></svg>`, `<svg><a xlink:href="http://e.test/d/a"></a></svg>`},
		{`<iframe srcdoc="&lt;a href=b&gt;" src="c"></iframe>`,
			`<iframe srcdoc="&lt;a href=b&gt;" src="http://e.test/d/c"></iframe>`},
	}
	for _, tt := range tests {
		doc, err := read(strings.NewReader("<!doctype html><html><head></head><body>" + tt.in + "</body></html>"))
		if err != nil {
			t.Fatal(err)
		}
		var r Resolver
		for ref := range Selection(doc.Selection, &base.Layer{Source: base.URL, Value: "http://e.test/d/"}) {
			uri, err := r.Resolve(ref)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := ref.Set(uri), ref.Frame == nil; got != want {
				t.Errorf("%s: Set(%q) = %v, want %v", tt.in, uri, got, want)
			}
		}
		var out strings.Builder
		html.Render(&out, doc.Find("body").Nodes[0])
		if want := "<body>" + tt.want + "</body>"; out.String() != want {
			t.Errorf("%s became %s, want %s", tt.in, out.String(), want)
		}
	}
}

// A URI that a place cannot hold is not set.
func TestSetOnlyWhatIsHeld(t *testing.T) {
	doc, err := read(strings.NewReader(`<applet archive="a, b"></applet>`))
	if err != nil {
		t.Fatal(err)
	}
	for ref := range Selection(doc.Selection, nil) {
		if ref.Set("c,d") {
			t.Errorf("%q of a list with commas was set", ref.Value)
		}
	}
	if got := doc.Find("applet").AttrOr("archive", ""); got != "a, b" {
		t.Errorf("archive = %q, want %q", got, "a, b")
	}
}
