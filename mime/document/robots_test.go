package document_test

import (
	"slices"
	"testing"

	"absolink/base"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// The robots.txt of a site is recognised by its URL, whatever its media type. If a server sends a
// page instead, it is read as a page.
func TestRobotsTxt(t *testing.T) {
	const lines = "User-agent: *\r\nSitemap: /s.xml\r\n"
	const root, query, deep = "http://a.test/robots.txt", "http://a.test/robots.txt?a#b", "http://a.test/b/robots.txt"
	sitemap := []string{"text/plain /s.xml"}
	tests := []struct {
		name, url, fields, body string
		robots                  bool // Source.Robots
		want                    []string
	}{
		{"text", root, "Content-Type: text/plain\r\n", lines, true, sitemap},
		{"no type", root, "", lines, true, sitemap},
		{"any file", root, "Content-Type: application/octet-stream\r\n", lines, true, sitemap},
		{"any file, with a query", query, "Content-Type: Application/Octet-Stream\r\n", lines, true, sitemap},
		{"a type that nobody knows", root, "Content-Type: text/x-robots; charset=utf-8\r\n", lines, true, sitemap},
		{"HTML that is none", root, "Content-Type: text/html\r\n", lines, true, sitemap},
		{"CSS that is none", root, "Content-Type: text/css\r\n", lines, true, sitemap},
		{"a picture that is none", root, "Content-Type: image/png\r\n", lines, true, sitemap},
		{"a byte order mark", root, "Content-Type: a/b\r\n", "\xef\xbb\xbf" + lines, true, sitemap},
		{"a content coding", root, "Content-Type: a/b\r\nContent-Encoding: gzip\r\n", zipped(lines), true, sitemap},
		{"a compressed file", root, "Content-Type: application/octet-stream\r\n", zipped(lines), true, sitemap},
		{"a page", root, "Content-Type: text/html\r\n", "\n<!doctype html><a href=x>", true, []string{"text/html x"}},
		{"a page as any file", root, "Content-Type: application/octet-stream\r\n", "<a href=x>", true, nil},
		{"JSON", root, "Content-Type: application/json\r\n", "{\"a\": \"Sitemap: /s.xml\"}", true, nil},
		{"a picture", root, "Content-Type: image/png\r\n", "\x89PNG\r\n\x1a\n\x00" + lines, true, nil},
		{"another directory", deep, "Content-Type: application/octet-stream\r\n", lines, true, nil},
		{"another directory, as text", deep, "Content-Type: text/plain\r\n", lines, true, sitemap},
		{"a source that is none", root, "Content-Type: application/octet-stream\r\n", lines, false, nil},
	}
	for _, tt := range tests {
		data := []byte("HTTP/1.1 200 OK\r\n" + tt.fields + "\r\n" + tt.body)
		src := &document.Source{Data: data, Size: int64(len(data)), Robots: tt.robots, Response: new(httpmsg.Message)}
		src.Response.Reset(data, httpmsg.Options{})
		var s document.Set
		if err := s.Open(src, &base.Layer{Source: base.WARCTarget, Value: tt.url},
			document.Options{Listing: true}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for d := range s.All() {
			for r := range d.Refs() {
				got = append(got, d.Type+" "+string(r.Value))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: references: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
