package extract_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"absolink/base"
	"absolink/extract"
	"absolink/testdata/effort"
)

// In every place and spelling, the bytes between two offsets of a value can be replaced alone: the
// new value has the new bytes there, and all other links stay.
func TestAppendPartEverywhere(t *testing.T) {
	const url, new = "http://a.test/x?y&z", "NEW"
	spellings := []struct{ name, page string }{
		{"bare", `<a href=%s>`},
		{"quoted", `<a href="%s">`},
		{"references", `<a href="htt&#112;&#x3a;//a.test/x&quest;y&amp;z">`},
		{"semicolons left out", `<a href="http&#58//a.test/x?y&amp;z">`},
		{"a style sheet", `<style>a{b:url(%s)}</style>`},
		{"a string of a style sheet", `<style>@import "%s";</style>`},
		{"a style attribute", `<p style="a:url('http://a.test/x?y&amp;z')">`},
		{"a script", `<script>f("%s")</script>`},
		{"escapes of a script", `<script>f("http:\/\/a.test\x2fx?y\u0026z")</script>`},
		{"long escapes of a script", `<script>f("http:\u{2f}\u{00002f}a.te\
st\
/x?y\u{26}z")</script>`},
		{"JSON", `<script type="application/ld+json">{"url":"http:\/\/a.test\/x?y&z"}</script>`},
		{"escapes of JSON", `<script type="application/ld+json">{"url":"http:\u002f\u002fa.test\/x?y\u0026z"}</script>`},
		{"a handler", `<a onclick="location='http://a.test/x?y&amp;z'">`},
		{"escapes of a handler", `<a onclick="location='http:\/\/a.test\/x\?y\&amp;z'">`},
		{"srcdoc", `<iframe srcdoc="<a href='http://a.test/x?y&amp;amp;z'>"></iframe>`},
		{"SVG", `<svg><style><![CDATA[a{b:url("%s")}]]></style></svg>`},
		{"a list", `<img srcset="http://a.test/x?y&amp;z 2x, w">`},
		{"a refresh", `<meta http-equiv=refresh content="1; url=http://a.test/x?y&amp;z">`},
	}
	values := func(d *extract.Doc) (list []string) {
		var r extract.Resolver
		for l := range r.Links(d) {
			list = append(list, string(l.Value))
		}
		return list
	}
	for _, s := range spellings {
		page := s.page
		if strings.Contains(page, "%s") {
			page = fmt.Sprintf(page, url)
		}
		d := func(text []byte) *extract.Doc {
			return &extract.Doc{Format: extract.HTML, Data: text, Charset: "utf-8",
				Options: extract.Options{Scripts: true, Lazy: true}}
		}
		before := values(d([]byte(page)))
		n := slices.Index(before, url)
		if n < 0 {
			t.Errorf("%s: the values are %q", s.name, before)
			continue
		}
		known := len(url)
		if s.name == "srcdoc" || s.name == "escapes of a handler" {
			known = strings.Index(url, "&") // two levels spell an ampersand
		}
		parts := 0
		wantParts := 0
		for from := range len(url) + 1 {
			for to := from; to <= len(url); to++ {
				if !effort.Whole() && (from+to)%3 > 0 {
					continue
				}
				if to <= known {
					wantParts++
				}
				doc := d([]byte(page))
				var r extract.Resolver
				for l := range r.Links(doc) {
					if string(l.Value) != url {
						continue
					}
					edits, ok := r.AppendPart(nil, &l, from, to, []byte(new))
					if !ok {
						continue
					}
					parts++
					want := slices.Clone(before)
					want[n] = url[:from] + new + url[to:]
					after := extract.Apply(nil, doc.Data, edits)
					isURL := from >= len("http://") // in a script nothing else is a link
					if got := values(d(after)); isURL && !slices.Equal(got, want) {
						t.Errorf("%s, [%d, %d): %s has the values %q, want %q", s.name, from, to, after, got, want)
					}
					break
				}
			}
		}
		if parts != wantParts {
			t.Errorf("%s: %d parts can be replaced, want %d", s.name, parts, wantParts)
		}
	}
}

// A link stays as it is while further links are read, with its URI and its warnings.
func TestLinksStay(t *testing.T) {
	page := `<base href="/a/"><base href="/b/">` + strings.Repeat(`<a href="x"><a href="http://A.test/é\z">`+
		`<a href="www.a.test"><a href="http://["><object codebase="c/" data="d"></object>`, 100)
	d := &extract.Doc{Format: extract.HTML, Data: []byte(page), Charset: "utf-8",
		Layer: &base.Layer{Source: base.URL, Value: "http://a.test/"}}
	var r extract.Resolver
	var links []extract.Link
	var told []string
	tell := func(l extract.Link) string {
		return fmt.Sprintf("%q %s %v %q %v", l.Value, l.URI, l.Status, l.Warnings, l.Err)
	}
	warnings := 0
	for l := range r.Links(d) {
		links = append(links, l)
		told = append(told, tell(l))
		warnings += len(l.Warnings)
	}
	if len(links) != 602 || warnings < 100 {
		t.Fatalf("%d links with %d warnings", len(links), warnings)
	}
	for i, l := range links {
		if got := tell(l); got != told[i] {
			t.Fatalf("link %d was %s, became %s", i, told[i], got)
		}
	}
}

// White space before a JSON text does not hide its format.
func TestDetectBehindSpace(t *testing.T) {
	for _, text := range []string{`{"version":"https://jsonfeed.org/version/1.1","items":[]}`,
		`{"linkset":[{"anchor":"http://a.test/"}]}`, `{"Container":{},"Envelope":{}}`, `{"a":1}`, `[]`, `<html>`,
		`<rss version="2.0"/>`, `<svg xmlns="http://www.w3.org/2000/svg"/>`} {
		want := extract.Detect([]byte(text), "")
		for _, space := range []string{" ", "\n", "\r\n", "\t \n", "\ufeff", "\ufeff\n"} {
			if got := extract.Detect([]byte(space+text), ""); got != want {
				t.Errorf("Detect(%q): got %v, want %v", space+text, got, want)
			}
		}
	}
}

// Each format declares its charset in its own way, or not at all.
func TestDeclarations(t *testing.T) {
	declarations := map[string]string{
		"meta": `<meta charset="windows-1251">`, "xml": `<?xml version="1.0" encoding="windows-1251"?>`,
		"rule": `@charset "windows-1251";`,
	}
	counts := map[string][]extract.Format{
		"meta": {extract.HTML, extract.Bookmarks},
		"xml": {extract.HTML, extract.Bookmarks, extract.XHTML, extract.XML, extract.SVG, extract.Feed,
			extract.Sitemap, extract.OPML, extract.OpenSearch},
		"rule": {extract.CSS},
	}
	others := []extract.Format{extract.Manifest, extract.JSONFeed, extract.Linkset, extract.WAT, extract.JSONLinkset,
		extract.Calendar, extract.Plain, extract.URLList}
	all := slices.Concat(counts["xml"], counts["rule"], others)
	for kind, declaration := range declarations {
		for _, f := range all {
			d := &extract.Doc{Format: f, Data: []byte(declaration + "<a>x</a>")}
			want := slices.Contains(counts[kind], f)
			if got := d.Encoding() == "windows-1251"; got != want {
				t.Errorf("%v with %s: the charset is %s, declared: want %v", f, declaration, d.Encoding(), want)
			}
		}
	}
}

// A script may add a path to a host, so no slash is written there. Elsewhere the URI is written as
// it is.
func TestEditOfHost(t *testing.T) {
	for page, want := range map[string]string{
		`<script>f("http://a.test" + p)</script>`:   "http://b.test",
		`<script>f("http://a.test/" + p)</script>`:  "http://b.test/",
		`<script>f("http://a.test/x" + p)</script>`: "http://b.test/",
		`<a href="http://a.test">`:                  "http://b.test/",
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(page), Options: extract.Options{Scripts: true}}
		n := 0
		for l := range new(extract.Resolver).Links(d) {
			n++
			if got := string(l.Edit([]byte("http://b.test/")).New); got != want {
				t.Errorf("%s: the edit writes %s, want %s", page, got, want)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d links, want 1", page, n)
		}
	}
	if got := (extract.Ref{}).Edit([]byte("http://b.test/")); !bytes.Equal(got.New, []byte("http://b.test/")) {
		t.Errorf("the edit of a Ref without a document writes %q", got.New)
	}
}

// A relative template without a base has no URI, and its error says so.
func TestTemplateWithoutBase(t *testing.T) {
	const page = `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url template="x/{y}"/>` +
		`<Url template="http://a.test/{y}"/><Url template="http://[/{y}"/><Url template="{y}"/></OpenSearchDescription>`
	d := &extract.Doc{Format: extract.OpenSearch, Data: []byte(page)}
	var got []string
	for l := range new(extract.Resolver).Links(d) {
		if l.Identifier {
			continue // the name space
		}
		got = append(got, fmt.Sprintf("%s %v %s %v", l.Value, l.Status, l.URI, l.Err != nil))
	}
	want := []string{"x/{y} unresolved  true", "http://a.test/{y} absolute http://a.test/{y} false",
		"http://[/{y} invalid  true", "{y} suspect  false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A part does not begin or end inside an escape: then the bytes of the part are unknown.
func TestAppendPartInEscape(t *testing.T) {
	for _, tt := range []struct {
		page, value string
		known       int // the part may begin and end in the first bytes of the value
	}{
		{`<a onclick="location='http://a.test/?y\&amp;z'">`, "http://a.test/?y&z", len("http://a.test/?y")},
		{`<a onclick="location='http://a.test/\u{7&#53;}'">`, "http://a.test/u", len("http://a.test/")},
		{`<a onclick="location='http://a.test/\x7&#53;'">`, "http://a.test/u", len("http://a.test/")},
		{`<style>a{b:url("http://a.test/?\\")}</style>`, `http://a.test/?\`, len("http://a.test/?")},
		{`<a href="javascript:location='http://a.test/?\\'">`, `http://a.test/?\`, len("http://a.test/?")},
		{`<a href='http://a.test/?\'>`, `http://a.test/?\`, len(`http://a.test/?\`)},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.page), Options: extract.Options{Scripts: true}}
		var r extract.Resolver
		n := 0
		for l := range r.Links(d) {
			if string(l.Value) != tt.value {
				t.Errorf("%s has the value %q, want %q", tt.page, l.Value, tt.value)
				continue
			}
			for to := range len(tt.value) + 1 {
				if _, ok := r.AppendPart(nil, &l, 0, to, nil); ok {
					n = to
				}
			}
		}
		if n != tt.known {
			t.Errorf("%s: parts of up to %d bytes can be replaced, want %d", tt.page, n, tt.known)
		}
	}
}

// Bytes of a destination of Markdown that are removed leave nothing behind.
func TestAppendPartRemoves(t *testing.T) {
	for _, text := range []string{"[t](http://a.test/x?y)", "[t](<http://a.test/x?y>)", "[t]: http://a.test/x?y\n[t]"} {
		d := &extract.Doc{Format: extract.Markdown, Data: []byte(text), Charset: "utf-8"}
		var r extract.Resolver
		n := 0
		for l := range r.Links(d) {
			n++
			edits, ok := r.AppendPart(nil, &l, len("http://a.test/x"), len(l.Value), nil)
			if !ok || len(edits) != 1 || len(edits[0].New) != 0 {
				t.Errorf("%q: got %v, %v, want one edit without new bytes", text, edits, ok)
			}
		}
		if n == 0 {
			t.Errorf("%q: no link", text)
		}
	}
}

// The order of the parts does not matter, although AppendPart begins its search at the last part.
func TestAppendPartOrder(t *testing.T) {
	const page = `<a href="http://a.test/é?y&amp;z"><a href="http://b.test/x?y&amp;z">`
	type part struct{ link, from, to int }
	for _, name := range []string{"utf-8", "utf-16le", "windows-1252"} {
		text := []byte(page)
		switch name {
		case "utf-16le":
			text = nil
			for _, u := range utf16.Encode([]rune(page)) {
				text = append(text, byte(u), byte(u>>8))
			}
		case "windows-1252":
			text = bytes.ReplaceAll(text, []byte("é"), []byte{0xE9})
		}
		d := &extract.Doc{Format: extract.HTML, Data: text, Charset: name}
		want := make(map[part]string)
		var r extract.Resolver
		links := slices.Collect(r.Links(d))
		for i, l := range links {
			for from := range l.Value {
				for to := from; to <= len(l.Value); to++ {
					for range r.Links(d) {
						break // forget the last part
					}
					edits, ok := r.AppendPart(nil, &l, from, to, nil)
					want[part{i, from, to}] = fmt.Sprint(edits, ok)
				}
			}
		}
		if len(want) < 400 {
			t.Fatalf("%s: %d parts", name, len(want))
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 5000 {
			i := random.IntN(len(links))
			l := &links[i]
			from := random.IntN(len(l.Value))
			to := from + random.IntN(len(l.Value)+1-from)
			edits, ok := r.AppendPart(nil, l, from, to, nil)
			if got := fmt.Sprint(edits, ok); got != want[part{i, from, to}] {
				t.Fatalf("%s: part %d to %d of %q: got %s, want %s",
					name, from, to, l.Value, got, want[part{i, from, to}])
			}
		}
	}
}

// A part of another document is not searched from the last part, even if the links have one span.
func TestAppendPartOfNextDocument(t *testing.T) {
	var r extract.Resolver
	for _, tt := range []struct {
		page string
		from int
		want string
	}{
		{`<a href="http://a.test/?a&amp;b=1">`, len("http://a.test/?a&"), "b=1"},
		{`<a href="http://a.test/?a=1234b=1">`, len("http://a.test/?a=1234"), "b=1"},
		{`<a href="http://a.test/?aa&amp;b=">`, len("http://a.test/?aa&"), "b="},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(tt.page), Charset: "utf-8"}
		for l := range r.Links(d) {
			edits, ok := r.AppendPart(nil, &l, tt.from, len(l.Value), nil)
			if !ok || len(edits) != 1 {
				t.Fatalf("%s: got %v, %v, want one edit", tt.page, edits, ok)
			}
			if got := tt.page[edits[0].Start:edits[0].End]; got != tt.want {
				t.Errorf("%s: the part is %q, want %q", tt.page, got, tt.want)
			}
		}
	}
}
