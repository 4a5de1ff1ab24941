package markdown_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
	"absolink/testdata/effort"
)

// Under a map, a document stays the same but for its destinations, and the text of autolinks and of
// URLs in text. Code stays.

// places are the places of URLs, with URL for each.
var places = []string{
	"[a](URL)", "![a](URL \"b\")", "[a](<URL>)", "[a]: URL\n\n[a] ![a]", "<URL>", "URL",
	"(URL) *URL* **URL** ~~URL~~", "_URL_ \"URL\" URL. URL, URL: URL?", "[URL](URL)", "[URL](b)", "![URL](URL)",
	"# URL", "a URL\n===", "> URL\n> b URL", "- URL\n- [ ] URL\n  1. URL", "|URL|b|\n|-|-|\n|URL|[URL](URL)|",
	"|a|URL\n-|-\nURL|", "a[^1]\n\n[^1]: URL [a](URL)", "<p>URL <a href=\"URL\">URL</a></p>",
	"<a href='URL'>URL</a> <code>URL</code>", "<img src=\"URL\" srcset=\"URL 2x\">", "`URL` ``URL` `` [`URL`](URL)",
	"    URL [a](URL)", "```\nURL [a](URL)\n```", "~~~ URL\nURL", "<!-- URL -->\n\nb <!-- URL --> URL",
	"<pre>\nURL [a](URL)\n\nURL</pre>", "<script>\n\"URL\"\n</script>", "URL<b>URL</b>URL", "URL&amp;b URL&copy;",
	"URL)URL (URL(b)) URL]", "[a](URL\n\"b\")\nURL  \nURL\\\nURL", "URL*b*URL_c_ URL`d`", "\\<URL> &lt;URL>",
	"[a](b \"URL\")", "aURL a.URL 1URL", "URL\\_ URL\\*", "URL|URL\n-|-", "URL\r\nURL\rURL",
}

// urls are URLs that a rule moves, or does not move.
var urls = []string{
	"http://old.test/x", "https://old.test/x/y_z?a=b&c=d#e_f", "http://www.old.test/", "www.old.test/x", "www.old.test",
	"http://old.test", "http://old.test/page", "www.old.test/page", "http://old.test/a(b)c", "ftp://old.test/x",
	"http://old.test/~x/*y*", "http://old.test/\u00e9", "http://older.test/x", "www.old.test/a_b_",
}

// targets are URIs to which the rules move.
var targets = []string{"https://new.test/", "http://www.new.test/a_b/", "https://new.test/?u=", "http://localhost/x/"}

// inURL matches a URL in text, or the rest of one.
var inURL = regexp.MustCompile(`(?i)(?:[a-z]+://|www\.)[^\s<>"\\]*`)

// joinsTexts matches the end of a text of goldmark and the beginning of the next one.
var joinsTexts = regexp.MustCompile(`" false false\)\n\(Text "`)

// withoutURLs replaces the URLs in a page or a skeleton.
func withoutURLs(s string) string {
	return inURL.ReplaceAllString(joinsTexts.ReplaceAllString(s, ""), "URL")
}

func TestUnderMap(t *testing.T) {
	var documents [][]byte
	for _, p := range places {
		for _, u := range urls {
			documents = append(documents, []byte(strings.ReplaceAll(p, "URL", u)+"\n"))
		}
	}
	documents = append(documents, examples(t)...)
	for _, target := range effort.Pick(targets, targets[:1]) {
		site := siteTo(t, target)
		var pairs [][2][]byte
		moved := 0
		for _, source := range documents {
			out := underMap(t, site, source)
			before, _ := skeleton(lineEnds(source))
			after, _ := skeleton(lineEnds(out))
			if b, a := withoutURLs(before), withoutURLs(after); b != a {
				t.Errorf("%q became %q:\n%s", source, out, difference(b, a))
			}
			if !bytes.Equal(source, out) {
				moved++
				pairs = append(pairs, [2][]byte{source, out})
			}
		}
		if moved < len(places) {
			t.Errorf("to %s: %d documents changed", target, moved)
		}
		checkCmarkPages(t, pairs, func(page string) string {
			return attribute.ReplaceAllString(withoutURLs(page), "$1*")
		})
	}
}

// lineEnds returns source with all line ends as goldmark reads them.
func lineEnds(source []byte) []byte {
	return []byte(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(source)))
}

// siteTo returns a move of old.test to target.
func siteTo(t *testing.T, target string) *move.Site {
	t.Helper()
	site := new(move.Site)
	for from, to := range map[string]string{"//old.test/": target, "//www.old.test/": target,
		"http://old.test/page": target + "other", "//foo.bar.baz/": target} {
		if err := site.Map.Add(from, to); err != nil {
			t.Fatal(err)
		}
	}
	return site
}

// underMap returns a document after the move of a site.
func underMap(t *testing.T, site *move.Site, source []byte) []byte {
	t.Helper()
	r := rewrite.Rewriter{Site: site}
	var out bytes.Buffer
	outer := &base.Layer{Source: base.Option, Value: "http://base.test/"}
	src := &document.Source{At: bytes.NewReader(source), Size: int64(len(source)), Data: source,
		Format: extract.Markdown}
	p, err := r.Plan(src, outer)
	if err != nil {
		t.Fatal(err)
	}
	page, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(p, page); err != nil {
		t.Errorf("%q: %v", source, err)
	}
	out.Write(page.Data)
	return out.Bytes()
}
