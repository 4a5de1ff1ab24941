package rewrite_test

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	dom "golang.org/x/net/html"

	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/corpus"
)

// visibleTexts lists pages, each with the page after the move, or "" if it stays, and the reasons
// of URLs that stay.
var visibleTexts = []struct{ page, want, stays string }{
	{`<a href="http://old.test/x">http://old.test/x</a>`, `<a href="https://new.test/a/x">https://new.test/a/x</a>`,
		""},
	{`<p>http://old.test/?a&amp;b, (http://old.test)`, `<p>https://new.test/a/?a&amp;b, (https://new.test/a/)`, ""},
	{`<b>http://old.test/</b>x`, `<b>https://new.test/a/</b>x`, ""},
	{`<p>http://<b>old</b>.test/x`, ``, "folded:1"},
	{`<p>http://old.test<b>.evil.test</b>/`, ``, ""},
	{`<p>http&#58;//old.test/x`, `<p>https://new.test/a/x`, ""},
	{`<code>http://old.test/</code><textarea>http://old.test/</textarea><script>"http://old.test/"</script>`, ``, ""},
	{`<p>http://wiki.test/x日本`, ``, "unclear-end:1"},
	{`<p>http://old.test/{{x}} http://old.test{{port}}`, `<p>https://new.test/a/{{x}} http://old.test{{port}}`,
		"unclear-end:1"},
	{"<pre>\n@@ -1 +1 @@\n-http://old.test/\n+http://old.test/\nhttp://old.test/</pre>",
		"<pre>\n@@ -1 +1 @@\n-http://old.test/\n+http://old.test/\nhttps://new.test/a/</pre>", "patch:2"},
	{"<pre>-----BEGIN PGP SIGNED MESSAGE-----\nhttp://old.test/</pre><a href=http://old.test/>",
		"<pre>-----BEGIN PGP SIGNED MESSAGE-----\nhttp://old.test/</pre><a href=https://new.test/a/>", "signed:1"},
	{`<iframe srcdoc="<p>http://old.test/ &amp;amp;">`, `<iframe srcdoc="<p>https://new.test/a/ &amp;amp;">`, ""},
	{"<meta charset=iso-2022-jp><p>\x1b(J(\x1b(Jhttp://old.test/x) http://old.test/y\x1b(B",
		"<meta charset=iso-2022-jp><p>\x1b(J(\x1b(Jhttp://old.test/x) https://new.test/a/y\x1b(B", "unsafe:1"},
	{`<p>www.old.test //old.test/x /x`, ``, ""},
}

// visibleRewriter reads the text of pages, and moves old.test.
func visibleRewriter(t *testing.T) *rewrite.Rewriter {
	return &rewrite.Rewriter{Site: textSite(t), Options: document.Options{Read: extract.Options{VisibleText: true}}}
}

func TestVisibleText(t *testing.T) {
	for _, test := range visibleTexts {
		r := visibleRewriter(t)
		p := plan(t, r, test.page)
		want := test.want
		if want == "" {
			want = test.page
		}
		if got := result(t, r, p); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.page, got, want)
		}
		if got := staysOf(p); got != test.stays {
			t.Errorf("%s: stays: got %q, want %q", test.page, got, test.stays)
		}
		r.Options.Read.VisibleText = false
		p = plan(t, r, test.page)
		if got := result(t, r, p); strings.Contains(got, "https://new.test/a/") != strings.Contains(want,
			`"https://new.test/a/`) &&
			!strings.Contains(want, "=https") {
			t.Errorf("%s: without the option got %s", test.page, got)
		}
	}
}

// In a message, an HTML part moves with its text, and a signed one stays.
func TestVisibleTextOfMessage(t *testing.T) {
	r := visibleRewriter(t)
	const part = "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>http://old.=\ntest/x\n"
	p := plan(t, r, part)
	if got := result(t, r, p); !strings.Contains(got, "<p>https://new.test/a/x\n") {
		t.Errorf("got %q", got)
	}
	p = plan(t, r, "Content-Type: multipart/signed; boundary=b\n\n--b\n"+part+"--b--\n")
	if p.Edited() || staysOf(p) != "signed:1" {
		t.Errorf("signed: edited %t, stays %q", p.Edited(), staysOf(p))
	}
}

// Real pages keep their tree: only texts and URLs outside of code change, as a replacement of the
// prefix says.
func TestVisibleTextOfCorpus(t *testing.T) {
	changed := 0
	for _, page := range corpus.Documents(t, "pages") {
		host := hostInText(page.Data)
		if host == "" {
			continue
		}
		site := addRule(t, new(move.Site), "//"+host+"/", "https://new.example/a/")
		r := visibleRewriter(t)
		r.Site = site
		var out bytes.Buffer
		res, err := r.Page(&out, bytes.NewReader(page.Data), "")
		if err != nil {
			t.Fatal(err)
		}
		if res.Edited == 0 {
			t.Errorf("%s: nothing has moved: %v", page.Name, res.Problems)
			continue
		}
		changed += compareTrees(t, page.Name, host, page.Data, out.Bytes())
	}
	t.Logf("%d texts have changed", changed)
	if least := corpus.Least(20, 0); changed < least {
		t.Errorf("%d texts have changed, want at least %d", changed, least)
	}
}

// hostInText returns the host of the first URL in the text of a page, or "".
func hostInText(page []byte) string {
	d := extract.Doc{Format: extract.HTML, Data: page, Options: extract.Options{VisibleText: true}}
	for r := range d.Refs() {
		if u, err := url.Parse(string(r.Value)); err == nil && r.InText() && u.Scheme == "http" && u.Port() == "" &&
			u.User == nil {
			return u.Host
		}
	}
	return ""
}

// compareTrees compares the trees of two pages, and returns the number of texts that changed.
func compareTrees(t *testing.T, name, host string, before, after []byte) (changed int) {
	t.Helper()
	a, err := dom.ParseWithOptions(bytes.NewReader(before), dom.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	b, err := dom.ParseWithOptions(bytes.NewReader(after), dom.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	withPath := regexp.MustCompile(`(?i)\bhttps?://` + regexp.QuoteMeta(host) + `(?::80|:443)?/`)
	bare := regexp.MustCompile(`(?i)\bhttps?://` + regexp.QuoteMeta(host) + `($|[^\w.:@/-]|\.(?:\W|$))`)
	moved := func(text string) string {
		text = withPath.ReplaceAllString(text, "https://new.example/a/")
		return bare.ReplaceAllString(text, "https://new.example/a/$1")
	}
	never := []string{"code", "kbd", "samp", "script", "style", "textarea", "title", "iframe", "xmp", "svg"}
	var walk func(x, y *dom.Node, hidden bool)
	walk = func(x, y *dom.Node, hidden bool) {
		if x.Type != y.Type || x.Type == dom.ElementNode && x.Data != y.Data || len(x.Attr) != len(y.Attr) {
			t.Errorf("%s: %q became %q", name, x.Data, y.Data)
			return
		}
		hidden = hidden || x.Type == dom.ElementNode && slices.Contains(never, x.Data)
		inSheet := x.Parent != nil && x.Parent.Data == "style" // its links move
		if x.Type == dom.TextNode && x.Data != y.Data && !inSheet {
			changed++
			if want := moved(x.Data); hidden || want != y.Data {
				t.Errorf("%s: the text %.200q became %.200q, want %.200q", name, x.Data, y.Data, want)
			}
		}
		p, q := x.FirstChild, y.FirstChild
		for ; p != nil && q != nil; p, q = p.NextSibling, q.NextSibling {
			walk(p, q, hidden)
		}
		if p != nil || q != nil {
			t.Errorf("%s: the children of %q differ", name, x.Data)
		}
	}
	walk(a, b, false)
	return changed
}
