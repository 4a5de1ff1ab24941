package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"absolink/testdata/chromium"
)

// TestRelativeInChromium opens the pages of a relative site from the disk, and from a server below
// a prefix that absolink does not know. Chromium reports the targets of their links. They must be
// the same at both places, and must be files of the site that the server sends. Pages at depth 6
// are always included. With -every-page the test takes all pages.
func TestRelativeInChromium(t *testing.T) {
	browse := browser(t)
	dir := t.TempDir()
	old, out := filepath.Join(dir, "old"), filepath.Join(dir, "relative")
	writeSite(t, old)
	ran(t, "rewrite", "-q", "--root", old+"="+oldSite, "--to", "relative", "-o", out, old)
	server := httptest.NewServer(served("/x/y/", out))
	defer server.Close()
	pages, within, deep := 0, 0, 0
	for i, file := range filesOf(t, out) {
		if ext := strings.ToLower(path.Ext(file)); ext != ".html" && ext != ".htm" && ext != ".xhtml" ||
			!*everyPage && i%9 != 0 && path.Dir(file) != "/base" && strings.Count(file, "/") < 7 {
			continue
		}
		pages++
		if strings.Count(file, "/") >= 7 {
			deep++
		}
		at := escapedPath(file)
		disk, net := browse("file://"+out, at), browse(server.URL+"/x/y", at)
		if len(disk) != len(net) {
			t.Errorf("%s: in Chromium the page has %d links on the disk and %d on the server",
				file, len(disk), len(net))
			continue
		}
		for i, l := range disk {
			if strings.Replace(net[i], "http://S", "S", 1) != l {
				t.Errorf("%s: in Chromium a link is %q on the disk and %q on the server", file, l, net[i])
			}
			switch inside, ok := strings.CutPrefix(strings.Trim(strings.TrimPrefix(l, "url("), `")`), "S/"); {
			case ok:
				within++
				there(t, file, inside, out, server.URL+"/x/y/")
			case strings.Contains(l, "//old.test") || strings.Contains(l, "file:"):
				t.Errorf("%s: in Chromium a link is %q, which leads out of the site", file, l)
			}
		}
	}
	if pages < 10 || within < 160 || deep < 2 {
		t.Errorf("%d pages with %d links within the site were opened, %d of them at depth 6, want at least 10 with "+
			"160, 2 of them", pages, within, deep)
	}
	t.Logf("%d pages, %d links within the site", pages, within)
}

// there checks that a link within the site, as Chromium writes it, leads to a file below dir that
// site serves.
func there(t *testing.T, page, link, dir, site string) {
	t.Helper()
	link, _, _ = strings.Cut(link, "#")
	file, _, _ := strings.Cut(link, "?")
	name, err := url.PathUnescape(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, "/") { // "#s" with a BASE leads here
		name += "index.html"
	}
	if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%s: a link leads to %q, which is no file: %v", page, name, err)
	}
	r, err := http.Get(site + link)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("%s: the server says %s to %q", page, r.Status, link)
	}
}

// TestImportMapInChromium imports modules through the import map of a page that was moved in each
// form: an address, a prefix, an address of a scope, and a key that is a URL. Patterns of
// speculation rules must match the same pages as before.
func TestImportMapInChromium(t *testing.T) {
	ctx := chromium.Start(t)
	const page = `<!doctype html><script type=importmap>{"imports": {"app": "/js/app.js", "lib/": "/js/lib/", "/js/old.js": "/js/new.js"},
"scopes": {"/js/deep/": {"dep": "/js/deep/dep.js"}}, "integrity": {}}</script>
<script type=speculationrules>{"prefetch": [{"where": {"or": [{"href_matches": "/shop/*"}, {"href_matches": "own/:id(\\d+)"}, {"href_matches": "/*\\?id=*"}]}}]}</script>
<script type=module>
const rules = JSON.parse(document.querySelector("[type=speculationrules]").text).prefetch[0].where.or;
const site = new URL("../../", location);
const test = (n, path) => new URLPattern(rules[n].href_matches, document.baseURI).test(new URL(path, site));
const names = [import("app"), import("lib/x.js"), import("../../js/old.js"), import("../../js/deep/uses.js")];
window.said = Promise.all(names).then(list => list.map(m => m.default).concat([test(0, "shop/tea"), test(0, "tea"), test(1, "a/b/own/12"), test(1, "a/b/own/x"), test(2, "x?id=1"), test(2, "x")]).join(" "), String);
</script>`
	old := t.TempDir()
	for name, text := range map[string]string{"a/b/index.html": page, "js/app.js": `export default "app"`,
		"js/lib/x.js": `export default "lib"`, "js/new.js": `export default "new"`,
		"js/deep/uses.js": `export { default } from "dep"`, "js/deep/dep.js": `export default "dep"`} {
		save(t, filepath.Join(old, filepath.FromSlash(name)), []byte(text))
	}
	for _, form := range []string{"absolute", "root-relative", "relative"} {
		out := filepath.Join(t.TempDir(), "out")
		server := httptest.NewServer(served("/moved/here/", out))
		defer server.Close()
		ran(t, "rewrite", "-q", "--root", old+"="+oldSite, "--map",
			oldSite+"="+server.URL+"/moved/here/", "--to", form, "-o", out, old)
		if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/moved/here/a/b/index.html")); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string]("window.said", chromedp.EvalAwaitPromise))
		if want := "app lib new dep true false true false true false"; err != nil || got != want {
			t.Errorf("%s: in Chromium the imports and patterns give %q, %v, want %q", form, got, err, want)
		}
	}
}
