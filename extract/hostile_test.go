package extract

import (
	"strconv"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// TestHostileDocuments reads and rewrites documents that make a careless reader quadratic. All of
// them together must take at most a second.
func TestHostileDocuments(t *testing.T) {
	n := effort.Pick(50_000, 2000)
	attributes := new(strings.Builder)
	attributes.WriteString("<a")
	for i := range n {
		attributes.WriteString(" h" + strconv.Itoa(i) + "=x")
	}
	attributes.WriteString(" href=y>")
	tests := []struct {
		name, data string
		want       int
	}{
		{"links", strings.Repeat("<a href=x>", n), n},
		{"attributes", attributes.String(), 1},
		{"the same attribute", "<a" + strings.Repeat(" href=x", n) + ">", 1},
		{"nesting", strings.Repeat("<div><svg>", n) + "<a href=x>", 1},
		{"references", "<a href='" + strings.Repeat("&amp;", n) + "'>", 1},
		{"broken references", "<a href='" + strings.Repeat("&", n) + "'>", 1},
		{"srcset", "<img srcset='" + strings.Repeat("&#x61; 1x,", n) + "'>", n},
		{"open parentheses in srcset", "<img srcset='" + strings.Repeat("a (", n) + "'>", 1},
		{"ping", "<a ping='" + strings.Repeat("x ", n) + "'>", n},
		{"codebases", strings.Repeat("<object codebase=c data=d>", n/10), n / 5},
		{"bases", strings.Repeat("<base href=x>", n), n},
		{"srcdocs", strings.Repeat("<iframe srcdoc='<a href=x>'></iframe>", n/10), n / 10},
		{"srcdoc of references", "<iframe srcdoc='" + strings.Repeat("&lt;a href=&amp;amp;x>", n/10) + "'>", n / 10},
		{"svg styles", "<svg>" + strings.Repeat("<style>a{b:url(c)}</style>", n/10), n / 10},
		{"unclosed svg style", "<svg><style>" + strings.Repeat("a{b:url(c)}<!---->", n/10), n / 10},
		{"styles", strings.Repeat("<p style='a:url(b)'>", n), n},
		{"rel", strings.Repeat("<link rel='"+strings.Repeat("x ", 100)+"' href=x>", n/100), n / 100},
		{"metas", strings.Repeat("<meta charset=x>", n), 0},
		{"unfinished", strings.Repeat("<a href=x ", n), 0},
		{"quotes", "<a href=\"" + strings.Repeat("<a href='", n), 0},
	}
	for _, tt := range tests {
		var r Resolver
		got := 0
		d := webPage(tt.data)
		for range r.Links(d) {
			got++
		}
		out := Apply(nil, d.Data, r.Edits(nil, d))
		if got != tt.want {
			t.Errorf("%s: %d links, want %d", tt.name, got, tt.want)
		}
		if len(out) < len(tt.data) {
			t.Errorf("%s: %d bytes after rewriting, want at least %d", tt.name, len(out), len(tt.data))
		}
	}
}

// Names longer than all names in the table are folded by the same rule: ASCII only.
func TestLongNames(t *testing.T) {
	d := webPage("<X-\u212a" + strings.Repeat("A", 40) + " style='a:url(b)'>")
	want := "x-\u212a" + strings.Repeat("a", 40)
	got := ""
	for r := range d.Refs() {
		got = r.Element
	}
	if got != want {
		t.Errorf("element of Refs(%q) = %q, want %q", d.Data, got, want)
	}
}

// TestHostileOptions does the same with all options, and with a BASE that is dropped.
func TestHostileOptions(t *testing.T) {
	n := effort.Pick(20_000, 1000)
	block := func(kind, text string) string { return "<script type=" + kind + ">" + text + "</script>" }
	tests := []struct {
		name, data string
		want       int
	}{
		{"metas", strings.Repeat("<meta property=og:image name=twitter:image content=x>", n), n},
		{"linked data", block("application/ld+json", strings.Repeat(`{"url":"a"},`, n)), n},
		{"nested linked data", block("application/ld+json", strings.Repeat("[", n)+strings.Repeat(`"a",`, n)), 0},
		{"linked data with a base", block("application/ld+json", `{"@context":{"x":["`+strings.Repeat(`@base","`, n)),
			0},
		{"scripts", block("module", strings.Repeat("f('/a');", n)), n},
		{"expressions", block("module", strings.Repeat("=/[", n)), 0},
		{"open strings", block("module", strings.Repeat("`${'", n)), 0},
		{"source maps", block("module", strings.Repeat("//# sourceMappingURL= ", n)), 0},
		{"handlers", strings.Repeat("<p onclick=f('/a')>", n), n},
		{"comments", strings.Repeat("<!--<a href=x>-->", n), n},
		{"a comment", "<!--" + strings.Repeat("<a href=x>", n) + "-->", n},
		{"conditions", strings.Repeat("<!--[if mso]><a href=x><![endif]-->", n), n},
		{"open conditions", "<!--" + strings.Repeat("[if mso", n) + "<![endif]-->", 0},
		{"loaders", "<style>" + strings.Repeat("AlphaImageLoader(src='x')", n) + "</style>", n},
		{"open loaders", "<style>" + strings.Repeat("AlphaImageLoader(src", n) + "</style>", 0},
		{"dropped bases", strings.Repeat("<base href=/x>", n), n},
		{"dropped base and codebases", "<base href=/x>" + strings.Repeat("<object codebase=c data=d>", n/10), n/5 + 1},
		{"attributes of a dropped base", "<base" + strings.Repeat(" href=x", n) + ">", 1},
		{"policies", "<meta http-equiv=content-security-policy content='" + strings.Repeat("report-uri x;", n) + "'>",
			n},
		{"tasks", "<meta name=msapplication-task content='" + strings.Repeat("icon-uri=x;", n) + "'>", n},
	}
	for _, tt := range tests {
		r := Resolver{Fragments: true, Normalize: true, BaseElement: DropBase}
		d := webPage(tt.data)
		d.Options = Options{Lazy: true, Scripts: true, Comments: true}
		got := 0
		for range r.Links(d) {
			got++
		}
		if got != tt.want {
			t.Errorf("%s: %d links, want %d", tt.name, got, tt.want)
		}
		Apply(nil, d.Data, r.Edits(nil, d))
	}
}
