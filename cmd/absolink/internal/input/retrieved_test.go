package input

import (
	"testing"

	"absolink/extract"
)

func TestRelOf(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test":                    "a.test/index.html",
		"http://a.test/":                   "a.test/index.html",
		"http://a.test:8080/x/":            "a.test:8080/x/index.html",
		"http://a.test/x/y.html?q=/../z#f": "a.test/x/y.html?q=%2F..%2Fz",
		"http://me:pw@a.test/x":            "a.test/x",
		"http://a.test/x@y":                "a.test/x@y",
		"http://a.test/../../etc/passwd":   "a.test/etc/passwd",
		"http://a.test/a%2f..%2f..%2fb":    "a.test/a%2f..%2f..%2fb",
		"http://../x":                      "x",
	} {
		if got := PathOfURL(url); got != want {
			t.Errorf("RelOf(%q): got %q, want %q", url, got, want)
		}
	}
}

func TestRetrieved(t *testing.T) {
	const page, feed, mail = "<!DOCTYPE html><a href=x>", `<rss version="2.0"/>`, "From: a@b\nSubject: x\n\n"
	tests := []struct {
		name, media, head, file string
		want                    Kind
	}{
		{"a page", "text/html; charset=utf-8", "hello", "x", HTML},
		{"a page in XML, as HTML", "text/html",
			`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, "x", HTML},
		{"a text that looks like a page", "text/plain", page, "x.html", Kind(extract.Plain)},
		{"a style sheet", "Text/CSS", page, "x", Kind(extract.CSS)},
		{"XML that is a feed", "application/xml", feed, "x", Kind(extract.Feed)},
		{"a feed by its type", "application/rss+xml", "<x/>", "x", Kind(extract.Feed)},
		{"any XML", "text/xml", "<x/>", "x", Kind(extract.XML)},
		{"a picture", "image/png", page, "x.html", Other},
		{"a vector picture", "image/svg+xml", "<svg/>", "x", Kind(extract.SVG)},
		{"nothing said, a page", "", page, "x", HTML},
		{"nothing said, by name", "", "a { }", "x.css", Kind(extract.CSS)},
		{"any bytes", "application/octet-stream", page, "x", HTML},
		{"a message", "message/rfc822", mail, "x", Message},
		{"no document", "application/json", "{}", "x.json", Other},
	}
	for _, tt := range tests {
		if got := identifyRetrieved(tt.media, []byte(tt.head), tt.file).Kind; got != tt.want {
			t.Errorf("%s: retrieved(%q, %q): got %v, want %v", tt.name, tt.media, tt.head, got, tt.want)
		}
	}
}

func TestCharset(t *testing.T) {
	for contentType, want := range map[string]string{
		"text/html; charset=KOI8-R": "KOI8-R", `text/html;Charset="utf-8"`: "utf-8",
		"text/html; charset=latin1; charset=x": "latin1",
		"text/html; a; charset = 'utf-8'":      "utf-8", "text/html": "", "": "",
	} {
		if got := charset(contentType); got != want {
			t.Errorf("charset(%q): got %q, want %q", contentType, got, want)
		}
	}
}
