package extract

import (
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
		{"<!DOCTYPE NETSCAPE-Bookmark-file-1>", "a.html", identity{format: Bookmarks, named: HTML, ending: ".html"}},
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
	seen := map[string]bool{}
	for _, row := range endings {
		for ending := range strings.FieldsSeq(row.list) {
			if seen[ending] || ending[0] != '.' || ending != strings.ToLower(ending) ||
				slices.Contains(outer, ending) || slices.Contains(templates, ending) {
				t.Errorf("ending %q: written twice or in a wrong form", ending)
			}
			seen[ending] = true
		}
	}
	for f := HTML; f <= Script; f++ {
		if _, ok := rowFor(f); !ok && f != Sitemap && f != Bookmarks {
			t.Errorf("%v has no ending", f)
		}
	}
}
