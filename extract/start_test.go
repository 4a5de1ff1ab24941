package extract

import (
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
)

// oldLink returns the first link of d that contains old.test.
func oldLink(t *testing.T, r *Resolver, d *Doc) *Link {
	t.Helper()
	for l := range r.Links(d) {
		if strings.Contains(string(l.Value), "old.test") {
			return &l
		}
	}
	t.Fatalf("no link to old.test in %q", d.Data)
	return nil
}

// AppendPart replaces the start of a URL in each spelling of a place, and leaves all bytes after
// it.
func TestAppendPartOfPlaces(t *testing.T) {
	const start, uri = "http://old.test", "https://new.test/n"
	wide := func(text string, big bool) string { return string(readingtest.UTF16(text, big)) }
	for _, tt := range []struct {
		name   string
		format Format
		in     string
		want   string // "" if the start cannot be separated
	}{
		{"an attribute", HTML, `<a href="http://old.test/a&amp;b">`, `<a href="https://new.test/n/a&amp;b">`},
		{"blanks", HTML, "<a href=' \n http://old.test/a '>", "<a href=' \n https://new.test/n/a '>"},
		{"no quotes", HTML, `<a href=http://old.test/a>`, `<a href=https://new.test/n/a>`},
		{"decimal references", HTML, `<a href="&#104;ttp&#58;//old&#46;tes&#116;/a">`, `<a href="https://new.test/n/a">`},
		{"references without end", HTML, `<a href="&#104ttp:&#x2F/old.test/a">`, `<a href="https://new.test/n/a">`},
		{"named references", HTML, `<a href="http&colon;&sol;/old&period;test/a">`, `<a href="https://new.test/n/a">`},
		{"a reference after it", HTML, `<a href="http://old.test&sol;&eacute;">`,
			`<a href="https://new.test/n&sol;&eacute;">`},
		{"an XML attribute", XML, `<a xmlns:x="http://www.w3.org/1999/xlink" x:href="http:&#x2f;/old.test/&lt;"/>`,
			`<a xmlns:x="http://www.w3.org/1999/xlink" x:href="https://new.test/n/&lt;"/>`},
		{"a CDATA section", Feed, `<rss><channel><link><![CDATA[http://old.test/a&amp;b]]></link></channel></rss>`,
			`<rss><channel><link><![CDATA[https://new.test/n/a&amp;b]]></link></channel></rss>`},
		{"a style", HTML, `<p style="a:url(&quot;http://old.test/a)b&quot;)">`,
			`<p style="a:url(&quot;https://new.test/n/a)b&quot;)">`},
		{"a style sheet", CSS, `a{b:url('http://old.test/&amp;')}`, `a{b:url('https://new.test/n/&amp;')}`},
		{"an escape of a style sheet", CSS, `a{b:url('\68ttp://old.test/a')}`, ``},
		{"a string", HTML, `<script>"http://old.test/a&amp;"</script>`, `<script>"https://new.test/n/a&amp;"</script>`},
		{"a string of PHP", HTML, `<script>"http:\/\/old.test\/a"</script>`, `<script>"https:\/\/new.test\/n\/a"</script>`},
		{"\\x and \\u", HTML, `<script>"\x68\u0074tp:\/\/old.tes\x74\u002fa"</script>`,
			`<script>"https:\/\/new.test\/n\u002fa"</script>`},
		{"an escaped letter", HTML, `<script>"http://o\ld.test/\a"</script>`, `<script>"https://new.test/n/\a"</script>`},
		{"an escape in a handler", HTML, `<p onclick="f('\x68ttp:&#x2f;/old.test/a'+b)">`,
			`<p onclick="f('https://new.test/n/a'+b)">`},
		{"a javascript: URL", HTML, `<a href="javascript:f('%68ttp:%2F%2Fold.test%2fa')">`,
			`<a href="javascript:f('https://new.test/n%2fa')">`},
		{"UTF-16", HTML, wide(`<a href="http://old.test/&amp;">`, false), wide(`<a href="https://new.test/n/&amp;">`, false)},
		{"UTF-16 of another order", HTML, wide("<script>'http://old.test/\u4e00'</script>", true),
			wide("<script>'https://new.test/n/\u4e00'</script>", true)},
		{"references in UTF-16", HTML, wide(`<a href="http:&#x2f;/old.test/&amp;">`, false),
			wide(`<a href="https://new.test/n/&amp;">`, false)},
	} {
		d := &Doc{Format: tt.format, Data: []byte(tt.in), Options: Options{Scripts: true}}
		var r Resolver
		l := oldLink(t, &r, d)
		from := strings.Index(string(l.Value), start)
		edits, ok := r.AppendPart(nil, l, from, from+len(start), []byte(uri))
		if ok != (tt.want != "") || ok != (len(edits) == 1) {
			t.Errorf("%s: AppendPart: got %+v, %v, want an edit: %v", tt.name, edits, ok, tt.want != "")
			continue
		}
		if got := Apply(nil, d.Data, edits); ok && string(got) != tt.want {
			t.Errorf("%s: AppendPart in %q: got %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// AppendPart escapes the new start for its place.
func TestAppendPartEscapes(t *testing.T) {
	for _, in := range []string{
		`<a href="http://old.test/a">`, `<a href='http://old.test/a'>`, `<a href=http://old.test/a>`,
		`<p style="a:url('http://old.test/a')">`, `<script>"http://old.test/a"</script>`,
		`<p onclick='f("http://old.test/a")'>`,
	} {
		uri := `http://new.test/'">&`
		if strings.Contains(in, "script") || strings.Contains(in, "onclick") {
			uri = "http://new.test/~&b" // a string with quotation marks does not count as a URL
		}
		d := &Doc{Format: HTML, Data: []byte(in), Options: Options{Scripts: true}}
		var r Resolver
		edits, ok := r.AppendPart(nil, oldLink(t, &r, d), 0, len("http://old.test"), []byte(uri))
		got := string(Apply(nil, d.Data, edits))
		before, after, _ := strings.Cut(in, "http://old.test")
		if !ok || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
			t.Errorf("AppendPart in %q: got %q, %v, want an edit of the start", in, got, ok)
		}
		n := 0
		for l := range r.Links(&Doc{Format: HTML, Data: []byte(got), Options: Options{Scripts: true}}) {
			n++
			if string(l.Value) != uri+"/a" {
				t.Errorf("%q is read back as %q, want %q", got, l.Value, uri+"/a")
			}
		}
		if n != 1 {
			t.Errorf("%q has %d links, want 1", got, n)
		}
	}
}

// Known tells the start of a URL that is surely known.
func TestKnown(t *testing.T) {
	for in, want := range map[string]struct {
		known       string
		open, whole bool
	}{
		`<a href="http://old.test/a">`:                   {"http://old.test/a", false, true},
		`<a href="http://old.test/{{ x }}">`:             {"http://old.test/", true, false},
		`<a href=" http://old.test/a${x}b{{ y }} ">`:     {" http://old.test/a", true, false},
		`<a href="http://old.test/<?= x ?>">`:            {"http://old.test/", true, false},
		`<script>"http://old.test/a"</script>`:           {"http://old.test/a", false, false},
		`<script>f("http://old.test/a"+b)</script>`:      {"http://old.test/a", true, false},
		"<script>`http://old.test/a/${b}.png`</script>":  {"http://old.test/a/", true, false},
		`<script>"http://old.test/${b}.png"</script>`:    {"http://old.test/", true, false},
		`<script>f("http://old.test/a.png", x)</script>`: {"http://old.test/a.png", false, false},
	} {
		d := &Doc{Format: HTML, Data: []byte(in), Options: Options{Scripts: true}}
		l := oldLink(t, new(Resolver), d)
		n, open, whole := l.Known()
		if string(l.Value[:n]) != want.known || open != want.open || whole != want.whole {
			t.Errorf("Known in %q: got %q, %v, %v, want %+v", in, l.Value[:n], open, whole, want)
		}
	}
	if n, open, whole := (Ref{Value: []byte("a{{ b }}")}).Known(); n != 8 || open || !whole {
		t.Errorf("Known of a Ref of the caller: got %d, %v, %v, want all of it", n, open, whole)
	}
}

// Resolve resolves another value in the place of a link.
func TestResolveInPlace(t *testing.T) {
	d := webPage(`<base href="/b/"><a href="old.test"><object codebase="c/" data="y">`)
	d.Layer = &base.Layer{Source: base.URL, Value: "http://e.test/d/"}
	var r Resolver
	for l := range r.Links(d) {
		within := map[string]string{"base": "http://e.test/d/", "a": "http://e.test/b/"}[l.Element]
		if l.Attr == "data" {
			within = "http://e.test/b/c/"
		}
		if within == "" {
			continue
		}
		for value, want := range map[string]string{"x": within + "x", " /x\n": "http://e.test/x",
			"http://f.test": "http://f.test/", "http://[": ""} {
			if got := string(r.Resolve(&l, []byte(value))); got != want {
				t.Errorf("Resolve of %q in the %s of %s: got %q, want %q", value, l.Attr, l.Element, got, want)
			}
		}
	}
}
