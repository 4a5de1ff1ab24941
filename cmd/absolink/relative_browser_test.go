package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestRelativeInChromium opens the pages of a relative site from the disk, and from a
// server below a prefix that the program is not told. Chromium says what their links
// lead to: the same at both places, to a file of the site, which the server answers for.
// Pages at depth 6 are always among them. With -every-page it takes all pages.
func TestRelativeInChromium(t *testing.T) {
	browse := browser(t)
	dir := t.TempDir()
	old, out := filepath.Join(dir, "old"), filepath.Join(dir, "relative")
	writeSite(t, old)
	ran(t, "rewrite", "-q", "--root", old+"="+oldSite, "--to", "relative", "-o", out, old)
	server := httptest.NewServer(served("/x/y/", out))
	defer server.Close()
	pages, within, deep := 0, 0, 0
	for i, file := range files(t, out) {
		if ext := strings.ToLower(path.Ext(file)); ext != ".html" && ext != ".htm" && ext != ".xhtml" || !*everyPage && i%9 != 0 && path.Dir(file) != "/base" && strings.Count(file, "/") < 7 {
			continue
		}
		pages++
		if strings.Count(file, "/") >= 7 {
			deep++
		}
		at := escapedPath(file)
		disk, net := browse("file://"+out, at), browse(server.URL+"/x/y", at)
		if len(disk) != len(net) {
			t.Errorf("%s: in Chromium the page has %d links on the disk and %d on the server", file, len(disk), len(net))
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
		t.Errorf("%d pages with %d links within the site were opened, %d of them at depth 6, want at least 10 with 160, 2 of them", pages, within, deep)
	}
	t.Logf("%d pages, %d links within the site", pages, within)
}

// there wants what a link leads to within the site, as Chromium writes it, to be a
// file below dir that site serves.
func there(t *testing.T, page, link, dir, site string) {
	t.Helper()
	link, _, _ = strings.Cut(link, "#")
	file, _, _ := strings.Cut(link, "?")
	name, err := url.PathUnescape(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, "/") { // as "#s" led to by a BASE
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
