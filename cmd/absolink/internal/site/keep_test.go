package site_test

import (
	"slices"
	"testing"

	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
)

func TestKeep(t *testing.T) {
	tests := []struct{ html, want string }{ // the name that keeps the first link, "" for none
		{`<link rel=canonical href=x>`, "canonical"},
		{`<LINK HREF=x REL="Canonical nofollow">`, "canonical"},
		{`<a rel=canonical href=x>`, ""},
		{`<link rel=alternate hreflang=de href=x>`, "hreflang"},
		{`<link href=x rel="alternate" title="> hreflang=" hreflang='de'>`, ""}, // as far as the tag can be told
		{`<link rel=alternate title=hreflang href=x>`, ""},
		{`<link rel=alternate type="application/rss+xml" href=x>`, ""},
		{`<link rel=alternate type="application/json+oembed" href=x>`, "oembed"},
		{`<link rel=alternate type='text/xml+oembed' href=x>`, "oembed"},
		{`<link rel=amphtml href=x>`, "amp"},
		{`<link rel=self href=x>`, "self"},
		{"<link rel='a\fself' href=x>", "self"},
		{"<link rel='a\u00a0self' href=x>", ""},
		{`<meta property="og:url" content="http://a.test/">`, "og"},
		{`<meta content="http://a.test/x.png" name=twitter:image property=og:image>`, "og"},
		{`<meta http-equiv=refresh content="0;url=x">`, ""},
		{`<link rel=stylesheet href=x><link rel=canonical href=y>`, ""},
	}
	for _, tt := range tests {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.html)}
		var r extract.Resolver
		for l := range r.Links(d) {
			var names []string
			for _, name := range site.KeepNames() {
				var k site.Keep
				if err := k.Set(name); err != nil {
					t.Fatal(err)
				}
				if k.Covers(d.Data, &l) {
					names = append(names, name)
				}
			}
			if want := []string{tt.want}; tt.want != "" && !slices.Equal(names, want) || tt.want == "" && names != nil {
				t.Errorf("%s: kept by %q, want %q", tt.html, names, tt.want)
			}
			var none, all site.Keep
			none.Set("none")
			if none.Covers(d.Data, &l) || all.Covers(d.Data, &l) != (tt.want != "") {
				t.Errorf("%s: none keeps it, or the zero value does not", tt.html)
			}
			break
		}
	}
}

func TestRefusedInPage(t *testing.T) {
	tests := []struct {
		html  string
		names []string
		at    int
	}{
		{`<p><script src=a.js></script><img src=x><link rel=stylesheet href=y>`, nil, 0},
		{`<p><script type=Module src=a.js></script>`, []string{"module script"}, 3},
		{`<link rel="preload manifest" href=x><link crossorigin rel=stylesheet href=x>`,
			[]string{"manifest", "crossorigin"}, 0},
		{"<link rel='preload\vmanifest' href=x><link rel='a\u00a0modulepreload' href=x>", nil, 0},
		{`<p crossorigin>`, nil, 0},
		{`<script>x(); fetch ("y")</script><script>new XMLHttpRequest</script>`, []string{"fetch"}, 13},
		{`<script type="application/json">fetch("x")</script> fetch("x")`, nil, 0},
		{`<script>prefetch(1); navigator.serviceWorker.register("x"); import ("y"); new Worker("z")</script>`,
			[]string{"service worker", "worker", "import"}, 31},
		{`<svg><use href="#x"/><use xlink:href="a.svg#x"/></svg>`, []string{"use of another SVG file"}, 21},
		{`<video><track src=x>`, []string{"track"}, 7},
	}
	for _, tt := range tests {
		names, at := site.RefusedInPage([]byte(tt.html))
		if !slices.Equal(names, tt.names) || names != nil && at != tt.at {
			t.Errorf("RefusedInPage(%q): got %q at %d, want %q at %d", tt.html, names, at, tt.names, tt.at)
		}
	}
}

// No bytes bring the finders to an end that is not theirs.
func FuzzRefusedInPage(f *testing.F) {
	f.Add([]byte(`<script type=module><link rel=manifest`))
	f.Add([]byte("<script>fetch(\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if names, at := site.RefusedInPage(data); len(names) > 0 && (at < 0 || at >= len(data)) {
			t.Errorf("RefusedInPage: %q at %d of %d", names, at, len(data))
		}
	})
}
