package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/corpus"
	"absolink/testdata/effort"
)

// A site of 67 files of all kinds in directories, with all kinds of names, which refer to each
// other in all forms. It is made by rules, so the test knows the target of each link without asking
// the program. The number of files is prime, so that links reach all files.

const oldSite = "http://old.test/"

// sitePages lists the pages; sitePaths lists all files that links lead to.
var sitePages = []string{
	"index.html", "about.html", "contact.htm", "a b.html", "100%.html",
	"what?.html", "no#1.html", "semi;colon.html", "c:d.html", "plus+and&.html",
	"quote'\".html", "ü.html", "日本.html", "latin\xe4.html", "UPPER.HTML",
	"dots..html", "~user.html", "[x].html", "comma,name.html", "equals=.html",
	"docs/index.html", "docs/one.html", "docs/two.html", "docs/deep/index.html",
	"docs/deep/er/index.html", "docs/deep/er/page.html", "docs/deep/er/ü b.html",
	"news/2025/index.html", "news/2025/a.html", "news/2026/index.html", "news/2026/b.html", "news/2026/c d.html",
	"base/index.html", "base/absolute.html", "base/relative.html", "base/late.html", "x.xhtml",
	"six/directories/deep/lies/this/one/page.html", "six/directories/deep/lies/this/one/index.html",
	"six/directories/deep/page.html", "six/a b.html",
}

var siteOthers = []string{
	"style.css", "css/main.css", "css/deep/print.css", "css/a b.css", "six/directories/deep/lies/this/one/deep.css",
	"six/directories/deep/lies/this/one/deep.png", "js/app.js",
	"img/logo.png", "img/a b.png", "img/ü.png", "img/photo@2x.jpg",
	"img/latin\xe9.gif", "img/drawing.svg", "icons/icon.svg", "feed.rss",
	"atom.xml", "sitemap.xml", "site.webmanifest", "blogroll.opml", "robots.txt",
	"download.pdf", "media/film.mp4", "fonts/f.woff2", "data.json", "empty.html", "notes.txt",
}

// escapedPath returns the path of a file in a URL, by the standard library.
func escapedPath(file string) string {
	var names []string
	for _, n := range strings.Split(file, "/") {
		names = append(names, strings.ReplaceAll(url.PathEscape(n), "'", "%27"))
	}
	return strings.Join(names, "/")
}

// siteLink returns reference number n from one file to another, in one of five forms.
func siteLink(from, to string, n int) string {
	suffix := []string{"", "", "?v=1", "#part", "?a=1&amp;b=2#part"}[n/5%5]
	switch n % 5 {
	case 0:
		return "/" + escapedPath(to) + suffix
	case 1:
		return oldSite + escapedPath(to) + suffix
	case 2:
		return "//old.test/" + escapedPath(to) + suffix
	}
	rel, err := filepath.Rel(path.Dir("/"+from), "/"+to)
	if err != nil {
		panic(err)
	}
	rel = escapedPath(filepath.ToSlash(rel))
	if n%5 == 4 || strings.Contains(strings.SplitN(rel, "/", 2)[0], ":") {
		rel = "./" + rel
	}
	return rel + suffix
}

// writeSite writes the site and returns its number of files.
func writeSite(t *testing.T, dir string) int {
	t.Helper()
	all := append(slices.Clone(sitePages), siteOthers...)
	for i, name := range all {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, siteFile(all, i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return len(all)
}

// siteFile returns the content of a file.
func siteFile(all []string, i int) []byte {
	name := all[i]
	n := i * 3
	link := func(to string) string { n++; return siteLink(name, to, n) }
	some := func() string { n++; return link(all[(i*7+n*5)%len(all)]) }
	var b bytes.Buffer
	p := func(format string, a ...any) { fmt.Fprintf(&b, format, a...) }
	switch path.Ext(strings.ToLower(name)) {
	case ".html", ".htm":
		if name == "empty.html" {
			return nil
		}
		p("<!DOCTYPE html><title>%d</title>\n", i)
		switch name {
		case "base/absolute.html":
			p("<base href=%q>\n", oldSite+"base/")
		case "base/relative.html":
			p("<base href='../base/'>\n")
		}
		p("<link rel=stylesheet href=\"%s\"><link rel=icon href='%s'><script src=%q></script>\n",
			link("style.css"), link("icons/icon.svg"), link("js/app.js"))
		p("<style>@import url(%s); b { background: url(\"%s\") }</style>\n", link("css/main.css"), link("img/logo.png"))
		for range 4 {
			p("<p><a href=\"%s\">a</a> <a href=\"%s\">b</a>\n", some(), some())
		}
		p("<img src=\"%s\" srcset=\"%s 1x, %s 2x\" alt=x>",
			link("img/logo.png"), link("img/a b.png"), link("img/photo@2x.jpg"))
		p("<div style=\"background: url('%s')\"></div><video src=\"%s\"></video>\n",
			link("img/logo.png"), link("media/film.mp4"))
		p("<form action=\"%s\"></form><form action=''></form><iframe srcdoc=\"<a href='%s'>in</a>\"></iframe>\n",
			link("contact.htm"), link("about.html"))
		p("<meta http-equiv=refresh content=\"99; url=%s\"><object data=\"%s\"></object>\n",
			link("index.html"), link("img/drawing.svg"))
		p("<a href=#here>h</a> <a href='mailto:me@old.test'>m</a> <a href=https://other.test/old.test/>o</a> <img " +
			"src=data:,x> <a href='javascript:x()'>j</a>\n")
		if name == "base/late.html" {
			p("<base href=%q>\n", "/base/")
		}
	case ".xhtml":
		p("<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p><a href=\"%s\">x</a><img "+
			"src='%s'/></p></body></html>\n", some(), link("img/logo.png"))
	case ".css":
		p("@import \"%s\";\nb { background: url(%s) } i { src: url('%s') }\n",
			link("css/deep/print.css"), link("img/logo.png"), link("fonts/f.woff2"))
	case ".svg":
		p("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><a href=\"%s\"/>"+
			"<image xlink:href=\"%s\"/><g xml:base=\"/img/\"><image href=\"logo.png\"/></g></svg>\n",
			some(), link("img/logo.png"))
	case ".rss":
		p("<rss version=\"2.0\"><channel><link>%s</link><item><link>%s</link><description>&lt;a href=\"%s\"&gt;x&lt;/"+
			"a&gt;</description></item></channel></rss>\n", oldSite, oldSite+"about.html", "docs/one.html")
	case ".xml":
		if name == "sitemap.xml" {
			p("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">")
			for _, page := range sitePages {
				p("<url><loc>%s</loc></url>", strings.ReplaceAll(oldSite+escapedPath(page), "&", "&amp;"))
			}
			p("</urlset>\n")
			break
		}
		p("<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"/docs/\"><link href=\"one.html\"/><entry><link "+
			"href=\"%s\"/></entry></feed>\n", oldSite+"about.html")
	case ".webmanifest":
		p("{\"start_url\": \"%s\", \"icons\": [{\"src\": \"%s\"}]}\n", link("index.html"), link("icons/icon.svg"))
	case ".opml":
		p("<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"%s\" htmlUrl=\"%s\"/></body></opml>\n",
			oldSite+"feed.rss", oldSite)
	default:
		p("the file %q\n", name)
	}
	return b.Bytes()
}

// ran runs the program and returns its standard output.
func ran(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, err bytes.Buffer
	if code := absolink(args, strings.NewReader(""), &out, &err); code != cli.ExitDone {
		t.Fatalf("absolink %q: exit code %d: %s", args, code, err.Bytes())
	}
	return out.Bytes()
}

// siteRecord holds the keys of a record of a link.
type siteRecord struct {
	Source, Element, Attribute, Kind, Value, URI, Status string
}

// siteRecords lists the links of a tree that was retrieved from uri, without BASE and identifiers.
// Their sources are relative to uri.
func siteRecords(t *testing.T, dir, uri string) (list []siteRecord) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(ran(t, "extract", "--format",
		"jsonl", "--root", dir+"="+uri, "--status", "!identifier", dir)))
	for {
		var r siteRecord
		err := d.Decode(&r)
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Source = strings.TrimPrefix(r.Source, dir)
		if r.Element != "base" && r.Attribute != "xml:base" {
			list = append(list, r)
		}
	}
}

// TestSite moves the site in all forms. Each link leads to the same file, at the new place, and a
// server answers all links within the site.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if n := writeSite(t, old); n != 67 {
		t.Fatalf("the site has %d files, want 67", n)
	}
	before := siteRecords(t, old, oldSite)
	if len(before) < 700 {
		t.Fatalf("the site has %d links, want at least 700", len(before))
	}
	for _, form := range effort.Pick([]string{"absolute", "root-relative", "relative"}, []string{"relative"}) {
		t.Run(form, func(t *testing.T) {
			out := filepath.Join(dir, form)
			server := httptest.NewServer(served("/archive/here/", out))
			defer server.Close()
			site := server.URL + "/archive/here/"
			ran(t, "rewrite", "-q", "--root", old+"="+oldSite, "--map", oldSite+"="+site, "--to", form, "-o", out, old)
			sameFiles(t, old, out)
			after := siteRecords(t, out, site)
			compareSites(t, before, after, site)
			crawl(t, after, site)
			if form == "relative" {
				elsewhere(t, dir, out, after, site)
			}
		})
	}
}

// TestMovedPages moves real pages in all forms. Each link leads to the same target, at the new
// place.
func TestMovedPages(t *testing.T) {
	pages := corpus.Folder("pages")
	const site = "http://new.test/archive/"
	before := siteRecords(t, pages, oldSite)
	if least := corpus.Least(30_000, 900); len(before) < least {
		t.Fatalf("the pages have %d links, want at least %d", len(before), least)
	}
	for _, form := range []string{"absolute", "root-relative", "relative"} {
		t.Run(form, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			ran(t, "rewrite", "-q", "--root", pages+"="+oldSite, "--map",
				oldSite+"="+site, "--to", form, "-o", out, pages)
			compareSites(t, before, siteRecords(t, out, site), site)
		})
	}
}

// compareSites checks that each link leads to the new place of its old target. A reference to a
// part of a picture in the same page stays, whatever the dropped BASE said.
func compareSites(t *testing.T, before, after []siteRecord, site string) {
	t.Helper()
	if len(after) != len(before) {
		t.Fatalf("the new site has %d links, want %d", len(after), len(before))
	}
	wrong := 0
	for i, b := range before {
		want := b.URI
		if rest, ok := strings.CutPrefix(want, oldSite); ok {
			want = site + rest
		}
		a := after[i]
		if b.Kind == "res" && b.Status == "same-document" &&
			a.Status == b.Status && a.Value == b.Value && a.Source == b.Source {
			continue
		}
		if a.URI != want || a.Source != b.Source {
			wrong++
			if wrong < 10 {
				t.Errorf("%s: %s %s %q: got %q, which is %s, want %s", b.Source,
					b.Element, b.Attribute, b.Value, a.Value, a.URI, want)
			}
		}
	}
}

// crawl checks that a server answers each link below site.
func crawl(t *testing.T, links []siteRecord, site string) {
	t.Helper()
	asked := make(map[string]bool)
	for _, l := range links {
		page, _, _ := strings.Cut(l.URI, "#")
		if !strings.HasPrefix(page, site) || asked[page] {
			continue
		}
		asked[page] = true
		r, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: %q: the server says %s to %s", l.Source, l.Value, r.Status, page)
		}
	}
	if len(asked) < 60 {
		t.Errorf("the links lead to %d pages, want at least 60", len(asked))
	}
}

// served serves the files of a directory below a prefix, whatever their names. http.FileServer does
// not do that.
func served(prefix, dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, prefix)
		if strings.HasSuffix(r.URL.Path, "/") {
			name += "index.html"
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if !ok || err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(name)))
		w.Write(data)
	})
}

// sameFiles checks that two trees have the same files.
func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	if x, y := filesOf(t, a), filesOf(t, b); !slices.Equal(x, y) {
		t.Errorf("the trees have the files %q and %q", x, y)
	}
}

func filesOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, strings.TrimPrefix(p, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// elsewhere checks that the relative site works from a disk and below another prefix, and that it
// can become the absolute one again.
func elsewhere(t *testing.T, dir, out string, links []siteRecord, site string) {
	other := httptest.NewServer(served("/x/y/", out))
	defer other.Close()
	within := 0
	for _, l := range links {
		if l.Status != "resolved" {
			continue
		}
		within++
		ref, err := url.Parse(strings.TrimSpace(l.Value))
		if err != nil {
			t.Fatal(err)
		}
		here := &url.URL{Scheme: "file", Path: out + filepath.ToSlash(l.Source)}
		on := here.ResolveReference(ref).Path
		if strings.Contains(on, "\uFFFD") {
			continue // a record cannot name a file whose name is not UTF-8
		}
		if _, err := os.Stat(on); err != nil || !strings.HasPrefix(on, out) {
			t.Errorf("%s: %q leads to the file %s: %v", l.Source, l.Value, on, err)
		}
	}
	if within < 500 {
		t.Errorf("%d links are relative, want at least 500", within)
	}
	var below []siteRecord
	for _, l := range siteRecords(t, out, other.URL+"/x/y/") {
		if l.Status == "resolved" {
			below = append(below, l)
		}
	}
	crawl(t, below, other.URL+"/x/y/")
	again := filepath.Join(dir, "again")
	ran(t, "rewrite", "-q", "--root", out+"="+site, "--to", "absolute", "-o", again, out)
	for i, a := range siteRecords(t, again, site) {
		if a.URI != links[i].URI || a.Source != links[i].Source {
			t.Errorf("%s: %q, made absolute again, is %s, want %s", a.Source, a.Value, a.URI, links[i].URI)
		}
	}
}
