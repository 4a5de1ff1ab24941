package extract

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The name counts, whatever surrounds its ending, unless no document with this name begins like the
// data.
// jsonFeed begins a JSON Feed.
const jsonFeed = `{"title":"x","items":[{"version":"y"}],"version":"https:\/\/www.jsonfeed.org\/version\/1.1"}`

func TestIdentify(t *testing.T) {
	const page, sheet, feed = "<!doctype html><p>", "a{color:red}", "<rss><channel>"
	const bookmarks = "<!DOCTYPE NETSCAPE-Bookmark-file-1>"
	tests := []struct {
		data, name string
		want       identity
	}{
		{sheet, "a.css", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "dir.html/A.CSS", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "a.css.gz", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "a.css.gz.open", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "a.css?ver=5.2", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "a.css%3Fver=5.2", identity{format: CSS, named: CSS, ending: ".css"}},
		{sheet, "a.css@ver=5.2", identity{format: CSS, named: CSS, ending: ".css"}},
		{page, "show.php?id=1.html", identity{format: HTML, named: HTML, ending: ".html"}},
		{sheet, "a.css.liquid", identity{format: CSS, named: CSS, ending: ".css"}},
		{"{% a %}", "a.liquid", identity{}},
		{sheet, "css", identity{format: CSS}},
		{sheet, "text", identity{format: CSS}},
		{sheet, "image", identity{format: CSS}},
		{`{"url":"https://jsonfeed.org/version/1"}`, "a.json", identity{ending: ".json"}},
		{sheet, ".css", identity{format: CSS, named: CSS, ending: ".css"}},
		{page, "a.css", identity{format: HTML, named: CSS, ending: ".css", misnamed: true}},
		{feed, "a.html", identity{format: Feed, named: HTML, ending: ".html", misnamed: true}},
		{feed, "a.xml", identity{format: Feed, named: XML, ending: ".xml"}},
		{page, "a.xml", identity{format: HTML, named: XML, ending: ".xml", misnamed: true}},
		{feed, "a.svg", identity{format: Feed, named: SVG, ending: ".svg", misnamed: true}},
		{feed, "a.rss", identity{format: Feed, named: Feed, ending: ".rss"}},
		{"\x00", "a.rss", identity{named: Feed, ending: ".rss", misnamed: true}},
		{page, "a.py", identity{format: HTML, ending: ".py", misnamed: true}},
		{"a = '<p>'", "a.py", identity{ending: ".py"}},
		{bookmarks, "a.html", identity{format: Bookmarks, named: HTML, ending: ".html"}},
		{"Subject: x", "a.eml", identity{ending: ".eml"}},
		{jsonFeed, "a.json", identity{format: JSONFeed, named: JSONFeed, ending: ".json"}},
		{jsonFeed, "feed", identity{format: JSONFeed}},
		{jsonFeed, "", identity{format: JSONFeed}},
		{jsonFeed, "a.txt", identity{format: Plain, named: Plain, ending: ".txt"}},
		{jsonFeed, "application/json", identity{}},
		{`{"items":[{"version":"https://jsonfeed.org/version/1"}]}`, "a.json", identity{ending: ".json"}},
		{`{"version":"https://x.example/jsonfeed.org/version/1"}`, "a.json", identity{ending: ".json"}},
		{`{"https://jsonfeed.org/version/1":"version"}`, "a.json", identity{ending: ".json"}},
		{`["version","https://jsonfeed.org/version/1"]`, "a.json", identity{ending: ".json"}},
		{`{"x":{}, "linkset":[]}`, "a.json", identity{format: JSONLinkset, named: JSONLinkset, ending: ".json"}},
		{`{"x":{"linkset":[]}}`, "a.json", identity{ending: ".json"}},
		{`{"x":"linkset"}`, "a.json", identity{ending: ".json"}},
		{`{"Container":{},"Envelope":{}}`, "a.json", identity{format: WAT, named: WAT, ending: ".json"}},
		{"<a-b>;rel=x", "a.linkset", identity{format: Linkset, named: Linkset, ending: ".linkset"}},
		{"x", "d/_headers", identity{format: HeaderRules, named: HeaderRules}},
		{"x", "d/_headers.gz", identity{format: HeaderRules, named: HeaderRules}},
		{page, "_headers", identity{format: HTML, named: HeaderRules, misnamed: true}},
		{"x", "_headers.html", identity{format: HTML, named: HTML, ending: ".html"}},
		{"http://h.example/", "Sitemap-2.txt.gz", identity{format: URLList, named: URLList, ending: ".txt"}},
		{"http://h.example/", "sitemap.txt?x=1", identity{format: URLList, named: URLList, ending: ".txt"}},
		{"http://h.example/", "my-sitemap.txt", identity{format: Plain, named: Plain, ending: ".txt"}},
		{"<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>", "a.xml",
			identity{format: OpenSearch, named: XML, ending: ".xml"}},
		{"<SearchPlugin xmlns='http://www.mozilla.org/2006/browser/search/'>", "a.xml",
			identity{format: OpenSearch, named: XML, ending: ".xml"}},
		{"<SearchPlugin>", "a.xml", identity{format: XML, named: XML, ending: ".xml"}},
		{page, "a.eml", identity{format: HTML, ending: ".eml", misnamed: true}},
		{"", "a.html", identity{format: HTML, named: HTML, ending: ".html"}},
		{feed, "text/html", identity{format: Feed, named: HTML, misnamed: true}},
		{"x", "application/xml", identity{format: XML, named: XML}},
		{feed, "application/vnd.x+xml", identity{format: Feed, named: XML}},
		{"<section>", "application/unknown", identity{}},
		{sheet, "application/octet-stream", identity{}},
		{page, "application/octet-stream", identity{format: HTML}},
		{bookmarks, "a.css", identity{format: Bookmarks, named: CSS, ending: ".css", misnamed: true}},
		{bookmarks, "a.py", identity{format: Bookmarks, ending: ".py", misnamed: true}},
		{bookmarks, "a.txt", identity{format: Bookmarks, named: Plain, ending: ".txt", misnamed: true}},
		{"<xsl:transform xmlns:xsl='urn:x'>", "a.xsl", identity{format: HTML}},
		{"<xsl:x xmlns:xsl='urn:x'>", "a.xsl", identity{format: XML}},
		{"x <p>", "", identity{format: HTML}},
		{"x <p>", "x", identity{}},
		{"<x:y xmlns:x='urn:x'>", "x", identity{format: XML}},
		{"<x:y xmlns:x='urn:x'>", "application/unknown", identity{}},
		{"<xsl:stylesheet xmlns:xsl='urn:x'>", "a.xsl", identity{format: HTML}},
		{"<?xml version='1.0'?><xsl:stylesheet xmlns:xsl='urn:x'>", "a.xsl", identity{format: XML}},
	}
	for _, tt := range tests {
		d := Doc{Data: []byte(tt.data)}
		var got identity
		got.named, got.ending, got.misnamed = d.Identify(tt.name)
		got.format = d.Format
		if got != tt.want {
			t.Errorf("Identify(%q) of %q:\ngot  %+v\nwant %+v", tt.name, tt.data, got, tt.want)
		}
	}
}

// No ending is in two rows, and each format that --type accepts and that has its own files has an
// ending.
func TestEndings(t *testing.T) {
	form := regexp.MustCompile(`^\.[a-z0-9]+$`)
	lists := [][]string{outer, templates}
	for _, row := range endings {
		lists = append(lists, strings.Fields(row.list))
	}
	seen := map[string]bool{}
	for _, ending := range slices.Concat(lists...) {
		if seen[ending] || !form.MatchString(ending) {
			t.Errorf("ending %q: written twice or in a wrong form", ending)
		}
		seen[ending] = true
	}
	for f := HTML; f <= Script; f++ {
		if _, ok := rowFor(f); !ok && f != Sitemap && f != Bookmarks {
			t.Errorf("%v has no ending", f)
		}
	}
}

// The root elements of the formats of XML, in the namespaces in which they count, and no others.
func TestRoots(t *testing.T) {
	const declared = "<?xml version='1.0'?>"
	for _, tt := range []struct {
		root string // with its attributes
		want Format
	}{
		{"html xmlns='http://www.w3.org/1999/xhtml'", XHTML}, {"html xmlns='urn:x'", XML},
		{"svg xmlns='http://www.w3.org/2000/svg'", SVG}, {"svg", SVG},
		{"rss", Feed}, {"RDF", XML},
		{"rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'", Feed},
		{"feed xmlns='http://www.w3.org/2005/Atom'", Feed}, {"entry xmlns='http://www.w3.org/2005/Atom'", Feed},
		{"feed xmlns='urn:x'", XML}, {"entry xmlns='urn:x'", XML},
		{"urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'", Sitemap},
		{"sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'", Sitemap},
		{"urlset xmlns='urn:x'", XML}, {"sitemapindex xmlns='urn:x'", XML},
		{"opml", OPML}, {"OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'", OpenSearch},
		{"SearchPlugin xmlns='http://www.mozilla.org/2006/browser/search/'", OpenSearch}, {"SearchPlugin", XML},
		{"x", XML},
	} {
		if got := Detect([]byte(declared+"<"+tt.root+">"), "a.xml"); got != tt.want {
			t.Errorf("Detect of <%s>: got %v, want %v", tt.root, got, tt.want)
		}
	}
}

// A document in UTF-16 is recognised like the same text in ASCII, however short it is, with and
// without a byte order mark.
func TestStartOf(t *testing.T) {
	const page = "<!doctype html><p>x"
	for n := 1; n <= len(page); n++ {
		var little, big []byte
		for _, c := range []byte(page[:n]) {
			little = append(little, c, 0)
			big = append(big, 0, c)
		}
		for _, data := range []string{page[:n], "\xef\xbb\xbf" + page[:n], string(little), string(big),
			"\xff\xfe" + string(little), "\xfe\xff" + string(big)} {
			if got := startOf([]byte(data)); string(got) != page[:n] {
				t.Errorf("startOf %q: got %q, want %q", data, got, page[:n])
			}
		}
	}
}

// A media type begins with a top-level type that is registered, or that HTTP servers use.
func TestIsMediaType(t *testing.T) {
	for _, top := range strings.Fields("application audio font image message model multipart text video unknown") {
		if !isMediaType(top+"/x") || !isMediaType(strings.ToUpper(top)+"/x") || isMediaType(top) ||
			isMediaType(top+"s/x") || isMediaType("/"+top) {
			t.Errorf("isMediaType with %s: want true only for %[1]s/x", top)
		}
	}
	for _, name := range []string{"", "x/y", "/text", "a.txt"} {
		if isMediaType(name) {
			t.Errorf("isMediaType of %q: got true", name)
		}
	}
}

// Files that begin with the signature of a binary format are no text.
func TestSignatures(t *testing.T) {
	for _, s := range []string{"\x89PNG\r", "\xff\xd8\xff", "PK\x03\x04", "\x1f\x8b\x08", "BZh91AY", "\xfd7zXZ",
		`{\rtf1\`, "filedesc://", "!BDN", "\xd0\xcf\x11\xe0", "%PDF-1.4\n", "%PDF-1.4\r", "\x00"} {
		if !isBinary([]byte(s+"<p>")) && s != "\x00" || !isBinary([]byte(s)) {
			t.Errorf("isBinary of %q: got false", s)
		}
	}
	for _, s := range []string{"", "%PDF-1.45\n", "%PDF-1.4 is\n", "%PDF-\n", "%PDF-1.4", "PDF-1.4\n",
		strings.Repeat(" ", 1024) + "\x00"} {
		if isBinary([]byte(s)) {
			t.Errorf("isBinary of %q: got true", s)
		}
	}
	if !isBinary([]byte(strings.Repeat(" ", 1023) + "\x00")) {
		t.Error("isBinary of a NUL in the last byte that counts: got false")
	}
}

// A beginning decides against a name only if no file with the ending of the name begins like that.
func TestMisnamed(t *testing.T) {
	begins := map[string]string{"binary": "\x00\x01", "tag": "<a href=x>", "page": "<!doctype html>",
		"whole": "<!doctype html><p>", "feed": "<rss><channel>", "declared": "<?xml version='1.0'?><x>",
		"image": "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'>"}
	for _, line := range []string{
		"a.html: binary feed",
		"a.php: binary feed declared image",
		"a.xhtml: binary page whole feed image",
		"a.xml: binary page whole",
		"a.svg: binary page whole feed",
		"a.rss: binary page whole image",
		"a.opml: binary page whole feed image",
		"a.osdx: binary page whole feed image",
		"a.css: binary tag page whole feed declared image",
		"a.js: binary page whole feed declared image",
		"a.txt: binary whole feed image",
		"a.md: binary",
		"a.webmanifest: binary tag page whole feed declared image",
		"a.linkset: binary",
		"a.jsonfeed: binary tag page whole feed declared image",
		"a.eml: tag page whole feed declared image",
		"a.cjs: page whole feed declared image",
		"sitemap.txt: binary tag page whole feed declared image",
		"_headers: binary tag page whole feed declared image",
	} {
		name, against, _ := strings.Cut(line, ": ")
		for begin, data := range begins {
			d := Doc{Data: []byte(data)}
			want := slices.Contains(strings.Fields(against), begin)
			if _, _, got := d.Identify(name); got != want {
				t.Errorf("Identify(%q) of %q: misnamed is %v, want %v", name, data, got, want)
			}
		}
	}
}

// A text that begins by naming a tag is no document with this root.
func TestMentionedRoots(t *testing.T) {
	for _, root := range []string{"<rss>", "<feed xmlns='http://www.w3.org/2005/Atom'>", "<opml>"} {
		if got := Detect([]byte(root+" is a format"), ""); got != Unknown {
			t.Errorf("a text about %s is %v", root, got)
		}
		if got := Detect([]byte(root+"\n<x>"), ""); got == Unknown {
			t.Errorf("a document with the root %s is unknown", root)
		}
	}
}
