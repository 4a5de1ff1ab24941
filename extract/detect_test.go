package extract

import (
	"strings"
	"testing"
)

// The name counts, whatever surrounds its ending, unless no document of the name begins so.
func TestIdentify(t *testing.T) {
	const page, sheet, feed = "<!doctype html><p>", "a{color:red}", "<rss><channel>"
	tests := []struct {
		data, name string
		want       Identity
	}{
		{sheet, "a.css", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "dir.html/A.CSS", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "a.css.gz", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "a.css.gz.open", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "a.css?ver=5.2", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "a.css%3Fver=5.2", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{sheet, "a.css@ver=5.2", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{page, "show.php?id=1.html", Identity{Format: HTML, Named: HTML, Ending: ".html"}},
		{sheet, "a.css.liquid", Identity{Format: CSS, Named: CSS, Ending: ".css", Template: true}},
		{"{% a %}", "a.liquid", Identity{Template: true}},
		{sheet, "css", Identity{Format: CSS}},
		{sheet, ".css", Identity{Format: CSS, Named: CSS, Ending: ".css"}},
		{page, "a.css", Identity{Format: HTML, Named: CSS, Ending: ".css", Misnamed: true}},
		{feed, "a.html", Identity{Format: Feed, Named: HTML, Ending: ".html", Misnamed: true}},
		{feed, "a.xml", Identity{Format: Feed, Named: XML, Ending: ".xml"}},
		{page, "a.xml", Identity{Format: HTML, Named: XML, Ending: ".xml", Misnamed: true}},
		{feed, "a.svg", Identity{Format: Feed, Named: SVG, Ending: ".svg", Misnamed: true}},
		{feed, "a.rss", Identity{Format: Feed, Named: Feed, Ending: ".rss"}},
		{"\x00", "a.rss", Identity{Named: Feed, Ending: ".rss", Misnamed: true}},
		{page, "a.py", Identity{Format: HTML, Ending: ".py", Misnamed: true}},
		{"a = '<p>'", "a.py", Identity{Ending: ".py"}},
		{"<!DOCTYPE NETSCAPE-Bookmark-file-1>", "a.html", Identity{Format: Bookmarks, Named: HTML, Ending: ".html"}},
		{"Subject: x", "a.eml", Identity{Ending: ".eml"}},
		{page, "a.eml", Identity{Format: HTML, Ending: ".eml", Misnamed: true}},
		{"", "a.html", Identity{Format: HTML, Named: HTML, Ending: ".html"}},
		{feed, "text/html", Identity{Format: Feed, Named: HTML, Misnamed: true}},
		{"x", "application/xml", Identity{Format: XML, Named: XML}},
		{feed, "application/vnd.x+xml", Identity{Format: Feed, Named: XML}},
		{"<section>", "application/unknown", Identity{}},
		{sheet, "application/octet-stream", Identity{}},
		{page, "application/octet-stream", Identity{Format: HTML}},
		{"x <p>", "", Identity{Format: HTML}},
		{"x <p>", "x", Identity{}},
		{"<x:y xmlns:x='urn:x'>", "x", Identity{Format: XML}},
		{"<x:y xmlns:x='urn:x'>", "application/unknown", Identity{}},
		{"<xsl:stylesheet xmlns:xsl='urn:x'>", "a.xsl", Identity{Format: HTML}},
		{"<?xml version='1.0'?><xsl:stylesheet xmlns:xsl='urn:x'>", "a.xsl", Identity{Format: XML}},
	}
	for _, tt := range tests {
		if got := Identify([]byte(tt.data), tt.name); got != tt.want {
			t.Errorf("Identify(%q, %q):\ngot  %+v\nwant %+v", tt.data, tt.name, got, tt.want)
		}
	}
}

// No ending stands in two rows, and each format that --type takes and that has files of its own
// has one.
func TestEndings(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range endings {
		for ending := range strings.FieldsSeq(row.list) {
			if seen[ending] || ending[0] != '.' || ending != strings.ToLower(ending) || contains(outer, ending) || contains(templates, ending) {
				t.Errorf("ending %q: written twice or in a wrong form", ending)
			}
			seen[ending] = true
		}
	}
	for f := HTML; f <= Script; f++ {
		if _, ok := byFormat[f]; !ok && f != Sitemap && f != Bookmarks {
			t.Errorf("%v has no ending", f)
		}
	}
}
