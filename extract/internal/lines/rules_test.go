package lines_test

import (
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/lines"
	"absolink/extract/internal/page"
	"absolink/extract/internal/readingtest"
)

func rules(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Layer: &base.Layer{Source: base.Root, Value: "r"},
		Find: func(f *page.Finder) { lines.Rules(&f.Text) }}
}

func urls(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { lines.URLs(&f.Text) }}
}

func linkset(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8,
		Find: func(f *page.Finder) { lines.Linkset(&f.Text) }}
}

// checkDescribed compares the description of a document, without the contexts of references.
func checkDescribed(t *testing.T, d *readingtest.Doc, want []string) {
	t.Helper()
	got := strings.ReplaceAll(strings.Join(d.Described(), "\n"), " sheet", "")
	if want := strings.Join(want, "\n"); got != want {
		t.Errorf("%q:\n%s\nwant\n%s", d.Data, got, want)
	}
}

func TestURLs(t *testing.T) {
	const bare = " list=1"
	checkDescribed(t, urls("\xef\xbb\xbfhttp://h/a?(b),c.\r\n\n \t/d \rhttp://h/<e>"), []string{
		`3-20 @ nav "http://h/a?(b),c."` + bare, `25-27 @ nav "/d"` + bare, `29-41 @ nav "http://h/<e>"` + bare})
	checkDescribed(t, urls("# http://h/a, x\nsee http://h/b.\n#\n"), []string{
		`2-12 @ nav "http://h/a" listed list=11`, `20-30 @ nav "http://h/b" listed list=11`})
	checkDescribed(t, urls(""), nil)
}

func TestRules(t *testing.T) {
	const pattern = ` in headers-path "/*" in root "r" list=11`
	checkDescribed(t, rules("/*\n  Link: <a>; rel=icon, </b>\n\tlink:<http://h/c>\r\n  x: <d>\n  Link\n"), []string{
		`12-13 header@link res "a" rel="icon"` + pattern,
		`27-29 header@link nav "/b" in root "r" list=11`,
		`38-48 header@link nav "http://h/c" in root "r" list=11`})
	checkDescribed(t, rules("  Link: <a>\n/p\n # Link: <b>\n Link: <c>, </d>\n!x\n Link: <e>\n"), []string{
		`9-10 header@link nav "a" in root "r" list=11`,
		`36-37 header@link nav "c" in headers-path "/p" in root "r" list=11`,
		`41-43 header@link nav "/d" in root "r" list=11`,
		`56-57 header@link nav "e" in headers-path "!x" in root "r" list=11`})
	checkDescribed(t, rules("https://h/a/:x\n Link: </b>, <c>\n"), []string{
		`23-25 header@link nav "/b" in headers-path "https://h/a/" in root "r" list=11`,
		`29-30 header@link nav "c" in headers-path "https://h/a/:x" in root "r" list=11`})
	checkDescribed(t, rules("https://:x.h/\n Link: </b>\n"), []string{
		`22-24 header@link nav "/b" in headers-path "https://:x.h/" in root "r" list=11`})
	checkDescribed(t, rules("https://h:8080/\n Link: <b>\n"), []string{
		`24-25 header@link nav "b" in headers-path "https://h:8080/" in root "r" list=11`})
	checkDescribed(t, rules("/p\n ! X-Pingback: /a\n Refresh: 1;url=b\n Origin: http://o/\n Content-Location: c\n"+
		" X-URL: d\n Outlink: e\n"), []string{
		`18-20 header@x-pingback service "/a" in root "r" listed list=11`,
		`37-38 header@refresh nav "b" in headers-path "/p" in root "r" listed list=4`,
		`48-57 header@origin identifier "http://o/" layer=-1 identifier listed absolute list=11`})
}

// Only a rule for one path or URL gives a base for references that are relative to it.
func TestRulePatterns(t *testing.T) {
	for path, want := range map[string]bool{"/a": false, "/a/*": true, "/:a": true, "/a:": false, "/a:8": false,
		"https://h/a": false, "https://h/a*": true, "*": true} {
		for r := range rules(path + "\n Link: <x>\n").Refs() {
			if r.Layer.Value != path || r.Layer.Template != want {
				t.Errorf("%s: layer %q, a pattern %v, want %v", path, r.Layer.Value, r.Layer.Template, want)
			}
		}
	}
}

func TestLinkset(t *testing.T) {
	checkDescribed(t, linkset("<a>\n; rel=\"next\"\r\n , x,\n<b>;\nanchor=\"c\""), []string{
		`1-2 linkset@ nav "a" rel="next" listed list=11`,
		`25-26 linkset@ nav "b" listed list=11`, `37-38 linkset@ meta "c" listed list=11`})
}
