package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/page"
)

// A program without the finder of Markdown reads Markdown as plain text, and reports a document
// whose format is given as Markdown.
func TestWithoutMarkdown(t *testing.T) {
	find, anchors := page.Markdown, page.MarkdownAnchors
	defer func() {
		page.Markdown = find
		page.MarkdownAnchors = anchors
	}()
	const text = "# A heading\n\nhttp://a.test/\n"
	for _, with := range []bool{true, false} {
		if !with {
			page.Markdown = nil
			page.MarkdownAnchors = nil
		}
		want := map[bool]Format{true: Markdown, false: Plain}[with]
		d := Doc{Data: []byte(text)}
		if named, _, _ := d.Identify("a.md"); named != want || d.Format != want {
			t.Errorf("with Markdown %v: a.md is named %v and read as %v, want %v", with, named, d.Format, want)
		}
		d = Doc{Format: Markdown, Data: []byte(text)}
		refs, names := len(slices.Collect(d.Refs())), len(slices.Collect(d.Anchors()))
		if n := map[bool]int{true: 1}[with]; refs != n || names != n {
			t.Errorf("with Markdown %v: got %d references and %d anchors, want %d", with, refs, names, n)
		}
		for range d.Refs() { // Anchors drops the problems
		}
		if p := d.Problems(); (len(p) == 1 && p[0].Kind == "unknown-format") == with {
			t.Errorf("with Markdown %v: got the problems %v", with, p)
		}
	}
}

// The references and anchors of a document can be left at any of them, and read again.
func TestLeftEarly(t *testing.T) {
	const text = "<a href=1 id=1><a href=2 id=2><a href=3 id=3>"
	d := Doc{Format: HTML, Data: []byte(text)}
	var r Resolver
	for n := 1; n <= 3; n++ {
		got := ""
		for ref := range d.Refs() {
			got += string(ref.Value)
			if len(got) == n {
				break
			}
		}
		for l := range r.Links(&d) {
			got += string(l.Value)
			if len(got) == 2*n {
				break
			}
		}
		for name := range d.Anchors() {
			got += string(name)
			if len(got) == 3*n {
				break
			}
		}
		if want := strings.Repeat("123"[:n], 3); got != want {
			t.Errorf("%d of each: got %s, want %s", n, got, want)
		}
	}
}

// All of a reference without a shape is known, and nothing of a URL in the code of a template.
func TestZeroRef(t *testing.T) {
	r := Ref{Value: []byte(" x{y} ")}
	n, open, whole := r.Known()
	if n != 6 || open || !whole || r.Prefix() != 6 || r.InText() || r.Fixed() || string(r.Stripped()) != "x{y}" {
		t.Errorf("the zero Ref has %d known bytes, open %v, whole %v, prefix %d, in text %v, fixed %v, stripped %q", n,
			open, whole, r.Prefix(), r.InText(), r.Fixed(), r.Stripped())
	}
	d := Doc{Format: HTML, Data: []byte(`<a href="<?= 'http://a.test/x' ?>">`)}
	refs := 0
	for r := range d.Refs() {
		refs++
		if n, open, whole := r.Known(); n != 0 || !open || whole {
			t.Errorf("a URL in code has %d known bytes, open %v, whole %v", n, open, whole)
		}
	}
	if refs != 1 {
		t.Errorf("got %d references, want the URL in the code", refs)
	}
	if got := Status(len(statusNames)).String(); got != "" {
		t.Errorf("an unknown status is %q, want nothing", got)
	}
}

// Of a URL in the code of a template nothing is known. A URL beside a piece of a template is known.
func TestKnownInTemplateCode(t *testing.T) {
	for page, known := range map[string]bool{
		`<script>f({{ "http://a.test/x" }})</script>`:           false,
		`<style>{{ a{b:url("http://a.test/x")} }}</style>`:      false,
		`{% if <a href="http://a.test/x"> %}`:                   false,
		`<script>f("http://a.test/x"{{ y }})</script>`:          true,
		`<img srcset="http://a.test/x {{ y }}, {{ z }}">`:       true,
		`{% if y %}<a href="http://a.test/x">{% endif %}`:       true,
		`<style>a{b:url("http://a.test/x")}{{ y }}</style>`:     true,
		`{{ y }}<img alt="{{ z }}" src="http://a.test/x">{{ }}`: true,
	} {
		d := &Doc{Format: HTML, Charset: "utf-8", Data: []byte(page), Options: Options{Scripts: true}}
		found := false
		for r := range d.Refs() {
			if string(r.Value) != "http://a.test/x" {
				continue
			}
			found = true
			n, open, _ := r.Known()
			if (n == len(r.Value)) != known || (n == 0) == known || open == known {
				t.Errorf("%s: %d bytes are known, open: %v, want them known: %v", page, n, open, known)
			}
		}
		if !found {
			t.Errorf("%s: the URL was not found", page)
		}
	}
}

// Only the URL at the start of a pattern or template is its prefix.
func TestPrefixOfPlaces(t *testing.T) {
	const rules = `<script type=speculationrules>{"prefetch":[{"where":{"href_matches":%q}}]}</script>`
	const search = `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">` +
		`<Url type="text/html" template=%q/></OpenSearchDescription>`
	for _, tt := range []struct {
		format            Format
		page, value, want string
	}{
		{HTML, rules, "/a/*", "/a/"}, {HTML, rules, "/a/b", "/a/b"}, {HTML, rules, "*", ""},
		{OpenSearch, search, "http://a.test/s?q={searchTerms}", "http://a.test/s"},
		{OpenSearch, search, "http://a.test/s", "http://a.test/s"}, {HTML, "<a href=%q>", "a*{b}", "a*{b}"},
	} {
		d := Doc{Format: tt.format, Data: fmt.Appendf(nil, tt.page, tt.value)}
		got := []string{}
		for r := range d.Refs() {
			if string(r.Value) == tt.value {
				got = append(got, tt.value[:r.Prefix()])
			}
		}
		if !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%v with %s: got the prefixes %q, want %q", tt.format, tt.value, got, tt.want)
		}
	}
}

// The Sitemap lines of a robots.txt are references, and nothing else in it.
func TestSitemapsOfRobots(t *testing.T) {
	d := Doc{Format: Plain, RobotsTxt: true,
		Data: []byte("User-agent: *\nSitemap: http://a.test/s.xml\nDisallow: /x\n")}
	var got []string
	for r := range d.Refs() {
		got = append(got, string(r.Value))
	}
	if !slices.Equal(got, []string{"http://a.test/s.xml"}) {
		t.Errorf("got %q, want the sitemap", got)
	}
}

// A document in an encoding that is never read has no anchors and no references.
func TestUnreadEncodings(t *testing.T) {
	for _, name := range []string{"replacement", "iso-2022-kr", "hz-gb-2312"} {
		d := Doc{Format: HTML, Data: []byte("<a href=x id=y>"), Charset: name}
		if got := len(slices.Collect(d.Anchors())); got != 0 {
			t.Errorf("%s: got %d anchors", name, got)
		}
		if got := len(slices.Collect(d.Refs())); got != 0 {
			t.Errorf("%s: got %d references", name, got)
		}
	}
}

// Without the BASE, equal references in a layer of their own are written alike.
func TestEqualReferencesWithoutBase(t *testing.T) {
	const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><base%s/><p xml:base="%s">%s</p></html>`
	const href = ` href="/b/"`
	for _, tt := range []struct {
		format    Format
		page      string // with the attribute of the BASE, a base of the references, and the references
		base, ref string
		newBase   string
		newRef    string
	}{
		{HTML, `<base%s><a href="%s">%s`, "y", `<a href="#x">`, "http://h.test/b/y", `<a href="http://h.test/b/#x">`},
		{XHTML, xhtml, "http://o.test/c/", `<a href="#x"/>`, "http://o.test/c/", `<a href="#x"/>`},
		{XHTML, xhtml, "c/", `<a href="x"/>`, "http://h.test/b/c/", `<a href="http://h.test/b/c/x"/>`},
	} {
		for n := 1; n <= 3; n++ {
			d := Doc{Format: tt.format, Data: fmt.Appendf(nil, tt.page, href, tt.base, strings.Repeat(tt.ref, n)),
				Layer: &base.Layer{Source: base.URL, Value: "http://h.test/p"}}
			r := Resolver{BaseElement: DropBase}
			got := string(Apply(nil, d.Data, r.Edits(nil, &d)))
			if want := fmt.Sprintf(tt.page, " ", tt.newBase, strings.Repeat(tt.newRef, n)); got != want {
				t.Errorf("%s became %s, want %s", d.Data, got, want)
			}
		}
	}
}

// A document without a defect has nil as its problems, also after another document.
func TestNoProblems(t *testing.T) {
	var d Doc
	for _, tt := range []struct {
		text string
		want int
	}{{"<p>", 0}, {"<base href=a><base href=b>", 1}, {"<p>", 0}} {
		d.Reset()
		d.Format = HTML
		d.Data = []byte(tt.text)
		if got := d.Problems(); len(got) != tt.want || (got == nil) != (tt.want == 0) {
			t.Errorf("Problems of %s: got %v, want %d", tt.text, got, tt.want)
		}
	}
}

// Links reads data without a known format as HTML.
func TestLinksOfUnknownFormat(t *testing.T) {
	data := strings.Repeat("x", 3000) + "<a href=y>"
	n := 0
	for l := range Links([]byte(data), "http://a.test/") {
		n++
		if string(l.URI) != "http://a.test/y" {
			t.Errorf("got %s", l.URI)
		}
	}
	if n != 1 {
		t.Errorf("got %d links, want 1", n)
	}
}

// A method that describes a document reads it, if nothing has read it yet.
func TestReadsOnDemand(t *testing.T) {
	const text = "<base href=http://b.test/>\n\n[a link](x) <script>x</script>\n"
	newDoc := func() *Doc {
		return &Doc{Format: Markdown, Data: []byte(text), Options: Options{LinkText: true}}
	}
	if got := newDoc().LinkText(strings.Index(text, "x)")); got != "a link" {
		t.Errorf("LinkText: got %q", got)
	}
	if got := newDoc().RawEnds(); len(got) == 0 {
		t.Error("RawEnds: got none")
	}
	if got := newDoc().Base(); got == nil || got.Value != "http://b.test/" {
		t.Errorf("Base: got %+v", got)
	}
	if !newDoc().Layered() {
		t.Error("Layered: got false")
	}
}
