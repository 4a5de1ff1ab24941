package extract

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

func TestEncoding(t *testing.T) {
	long := "<!-- " + strings.Repeat("x", 2000) + " -->"
	tests := []struct{ name, transport, data, want string }{
		{"nothing", "", "<a href=x>", "windows-1252"},
		{"undeclared UTF-8", "", "<p>\u00e4", "utf-8"},
		{"undeclared, not UTF-8", "", "<p>\xe4", "windows-1252"},
		{"mark over transport", "koi8-r", "\xef\xbb\xbf<p>", "utf-8"},
		{"transport over meta", "koi8-r", "<meta charset=utf-8>", "koi8-r"},
		{"unknown transport", "x-nothing", "<meta charset=koi8-r>", "koi8-r"},
		{"label with blanks", "", "<meta charset=' UTF-8 '>", "utf-8"},
		{"meta", "", "<meta charset=Shift_JIS>", "shift_jis"},
		{"pragma", "", `<meta http-equiv=Content-Type content="text/html; charset = 'koi8-r'">`, "koi8-r"},
		{"pragma in another order", "", `<meta content="text/html;charset=koi8-r;x" http-equiv=content-type>`,
			"koi8-r"},
		{"content without pragma", "", `<meta content="text/html;charset=koi8-r">`, "windows-1252"},
		{"UTF-16 declared", "", "<meta charset=utf-16>", "utf-8"},
		{"x-user-defined declared", "", "<meta charset=x-user-defined>", "windows-1252"},
		{"in a comment", "", "<!-- <meta charset=koi8-r> -->", "windows-1252"},
		{"in a title", "", "<title><meta charset=koi8-r></title>", "windows-1252"},
		{"unknown first", "", "<meta charset=nothing><meta charset=koi8-r>", "koi8-r"},
		{"in a long head", "", "<head>" + long + "<title>x</title><meta charset=koi8-r>", "koi8-r"},
		{"in the body", "", "<body><p><meta charset=koi8-r>", "koi8-r"},
		{"behind the head", "", "<body>" + long + "<meta charset=koi8-r>", "windows-1252"},
		{"XML declaration", "", `<?xml version="1.0" encoding="koi8-r"?><html>`, "koi8-r"},
		{"XML declaration with blanks", "", "<?xml encoding\n=\x01'koi8-r'><p>", "koi8-r"},
		{"meta over XML declaration", "",
			`<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>`, "windows-1251"},
		{"transport over XML declaration", "utf-8", `<?xml version="1.0" encoding="koi8-r"?>`, "utf-8"},
		{"UTF-8 bytes, XML declaration", "", "<?xml version='1.0' encoding='koi8-r'?>\u00e4", "koi8-r"},
		{"UTF-16 in an XML declaration", "", `<?xml encoding="utf-16"?>`, "utf-8"},
		{"x-user-defined in an XML declaration", "", `<?xml encoding="x-user-defined"?>`, "x-user-defined"},
		{"XML declaration behind a blank", "", ` <?xml encoding="koi8-r"?>`, "windows-1252"},
		{"XML declaration in capitals", "", `<?XML encoding="koi8-r"?>`, "windows-1252"},
		{"XML declaration with two encodings", "", `<?xml encoding="nothing" encoding="koi8-r"?>`, "windows-1252"},
		{"XML declaration without quotes", "", `<?xml encoding=koi8-r?>`, "windows-1252"},
		{"XML declaration with a blank in the label", "", `<?xml encoding=" koi8-r"?>`, "windows-1252"},
		{"XML declaration that ends before", "", `<?xml title='>' encoding="koi8-r"?>`, "windows-1252"},
		{"XML declaration without an end", "", `<?xml encoding="koi8-r"`, "windows-1252"},
		{"no XML declaration", "", `<?xml?>`, "windows-1252"},
		{"XML declaration in UTF-16", "", "<\x00?\x00x\x00m\x00l\x00?\x00>\x00", "utf-16le"},
		{"XML declaration in UTF-16 with the high byte first", "", "\x00<\x00?\x00x\x00m\x00l\x00?\x00>", "utf-16be"},
		{"replacement", "hz-gb-2312", "<a href=x>", "replacement"},
		{"UTF-7 of mail", "UTF-7", "<a href='+AOk-'>", "replacement"},
		{"UTF-7 declared in the page", "", "<meta charset=utf-7>", "windows-1252"},
		{"UTF-32 of mail", "utf-32be", "\x00\x00\x00<", "replacement"},
		{"ISO-2022-JP of mail", "ISO-2022-JP-MS", "<a href=x>", "iso-2022-jp"},
		{"ISO-2022-JP with other sets", "iso-2022-jp-2", "<a href=x>", "replacement"},
		{"UTF-16 by mark", "", "\xff\xfe<\x00p\x00", "utf-16le"},
	}
	for _, tt := range tests {
		d := &Doc{Format: HTML, Data: []byte(tt.data), Charset: tt.transport}
		if got := d.Encoding(); got != tt.want {
			t.Errorf("%s: Encoding(%.60q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

// Encoding describes the document that was read last, whatever Data is by now.
func TestEncodingOfLast(t *testing.T) {
	d := &Doc{Format: HTML, Data: []byte("<p>\u00e4")}
	for range d.Refs() {
	}
	d.Data = []byte("<p>\xe4")
	if got := d.Encoding(); got != "utf-8" {
		t.Errorf("Encoding is %s before the new data is read, want utf-8", got)
	}
	for range d.Refs() {
	}
	if got := d.Encoding(); got != "windows-1252" {
		t.Errorf("Encoding is %s when the new data was read, want windows-1252", got)
	}
}

func TestDecodedValues(t *testing.T) {
	tests := []struct{ name, charset, data, want string }{
		{"UTF-8", "utf-8", "<a href='\u00e4&amp;\u20ac'>", "\u00e4&\u20ac"},
		{"broken UTF-8", "utf-8", "<a href='a\xe4b\xe2\x82c\xf0\x9f\x98'>", "a\ufffdb\ufffdc\ufffd!"},
		{"overlong UTF-8", "utf-8", "<a href='\xc0\xaf\xe0\x80'>", "\ufffd\ufffd\ufffd\ufffd!"},
		{"windows-1252", "windows-1252", "<a href='\x80\xe4'>", "\u20ac\u00e4"},
		{"controls of windows-1252", "windows-1252", "<a href='\x81\x9d'>", "\u0081\u009d"},
		{"a hole of windows-1253", "windows-1253", "<a href='\x81\xaa'>", "\u0081\ufffd!"},
		{"shift_jis", "shift_jis", "<a href='\x83\x5c\xb1'>", "\u30bd\uff71"},
		{"gb18030", "gb18030", "<a href='\xd6\xd0\x81\x30\x81\x30'>", "\u4e2d\u0080"},
		{"broken euc-jp", "euc-jp", "<a href='\xc6\xfcx\xc6'>", "\u65e5x\ufffd!"},
		{"NUL and line ends", "utf-8", "<a href='a\x00b\r\nc\rd'>", "a\ufffdb\nc\nd"},
	}
	for _, tt := range tests {
		d := &Doc{Format: HTML, Data: []byte(tt.data), Charset: tt.charset}
		for r := range d.Refs() {
			got := string(r.Value)
			if r.shape.Broken {
				got += "!"
			}
			if raw := tt.data[r.Start:r.End]; got != tt.want || raw != tt.data[len("<a href='"):len(tt.data)-2] {
				t.Errorf("%s: value %q at %q, want %q", tt.name, got, raw, tt.want)
			}
		}
	}
}

func TestSpansInMultibyteLists(t *testing.T) {
	d := &Doc{Format: HTML, Data: []byte("<img srcset='\x83\x5c 1x,&#x20;b\xb1,2x'>"), Charset: "shift_jis"}
	var got []string
	for r := range d.Refs() {
		got = append(got, fmt.Sprintf("%q", d.Data[r.Start:r.End]))
	}
	if want := `"\x83\\" "b\xb1,2x"`; strings.Join(got, " ") != want {
		t.Errorf("spans hold %s, want %s", strings.Join(got, " "), want)
	}
}

func TestRewriteUTF16(t *testing.T) {
	const in = "<p>\u65e5\U0001f600<base href='/b/'><a href=x\u00e4?\u00e4><style>a{b:url(c)}</style>"
	const want = "<p>\u65e5\U0001f600<base href='/b/'><a href=http://example.test/b/x%C3%A4?%C3%A4>" +
		"<style>a{b:url(http://example.test/b/c)}</style>"
	for _, big := range []bool{false, true} {
		d := webPage("")
		d.Data = readingtest.UTF16(in, big)
		got := rewritten(d)
		if string(got) != string(readingtest.UTF16(want, big)) {
			t.Errorf("big endian %t: rewritten to %q, want %q", big, got, readingtest.UTF16(want, big))
		}
	}
}

func TestRewriteShifted(t *testing.T) {
	const in = "<a href=\"\x1b$BF|K\\\x1b(B?x\">\x1b$B\"2<\x1b(B<a href=y>"
	const want = "<a href=\"http://example.test/dir/%E6%97%A5%E6%9C%AC?x\">\x1b$B\"2<\x1b(B<a href=http://" +
		"example.test/dir/y>"
	d := webPage(in)
	d.Charset = "iso-2022-jp"
	if got := string(rewritten(d)); got != want {
		t.Errorf("rewritten to %q, want %q", got, want)
	}
}

func TestProblems(t *testing.T) {
	deep := "<a href=x>"
	for range 9 {
		deep = `<iframe srcdoc="` + html.EscapeString(deep) + `">`
	}
	tests := []struct{ name, charset, data, want string }{
		{"none", "", "<a href=x>", ""},
		{"charset", "x-nothing", "<a href=x>", "0 unknown-charset"},
		{"replacement", "iso-2022-kr", "<a href=x>", "0 unsupported-charset"},
		{"UTF-7", "unicode-1-1-utf-7", "<a href=x+->", "0 unsupported-charset"},
		{"noscript", "", "<noscript><base href=x></noscript>", "10 base-in-noscript"},
		{"second base in noscript", "", "<base href=x><noscript><base href=x></noscript>", "23 base-repeated"},
		{"a BASE without href, then one", "", "<base target=x><base href=x>", ""},
		{"late", "", "<a href=x><base href=x>", "10 base-late"},
		{"after a fragment, absolute ones and an identifier", "",
			"<head profile=x><a href=#x><a href=http://e.test/><a href=mailto:a@b.test><base href=x>", ""},
		{"late, after one that begins with a colon", "", "<a href=:x><base href=x>", "11 base-late"},
		{"late in noscript", "", "<a href=//x><noscript><base href=x></noscript>", "22 base-in-noscript, 22 base-late"},
		{"data:", "", "<base href=' DATA:,x'>", "0 base-data"},
		{"javascript:", "", "<base href='javascript:x'>", "0 base-data"},
		{"in a template", "", "<a href=x><template><base href=x></template>", ""},
		{"conflict", "windows-1252", "<meta charset=utf-8><a href=\xe9>", "0 charset-conflict"},
		{"conflict with a mark", "windows-1252", "\xef\xbb\xbf<a href=é>", "0 charset-conflict"},
		{"no conflict: an alias", "windows-1252", "<meta charset=iso-8859-1><a href=\xe9>", ""},
		{"no conflict: ASCII", "utf-8", "<meta charset=iso-8859-1><a href=e>", ""},
		{"no conflict: no declaration", "utf-8", "<a href=é>", ""},
		{"srcdoc", "", deep, "424 srcdoc-too-deep"},
	}
	for _, tt := range tests {
		d := &Doc{Format: HTML, Data: []byte(tt.data), Charset: tt.charset}
		var got []string
		for _, p := range d.Problems() {
			got = append(got, fmt.Sprintf("%d %s", p.Offset, p.Kind))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: Problems(%.60q) = %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	d := &Doc{Data: []byte("\x89PNG\r\n\x1a\n <a href=x>")}
	for r := range d.Refs() {
		t.Errorf("reference %q in a document of no format", r.Value)
	}
	if p := d.Problems(); len(p) != 1 || p[0].Kind != "unknown-format" {
		t.Errorf("Problems = %v, want unknown-format", p)
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"none", `<a href=x>`, ""},
		{"invalid-utf8", "<a href='\xff'>", "invalid-utf8"},
		{"base-in-noscript", `<noscript><base href=/></noscript>`, "base-in-noscript"},
		{"base-repeated", `<base href=/><base href=x>`, "base-repeated"},
		{"base-late", `<a href=x><base href=/>`, "base-late"},
		{"base-data", `<base href=data:,x>`, "base-data"},
		{"comma", `<img srcset="x&#44;,, 1x">`, ""},
		{"password", `<a href=http://u:p@e.example/>`, "password"},
		{"script", `<a href=javascript:x>`, "script"},
		{"host change", `<a href=//e.example/>`, "host-change"},
		{"a quote in a refresh", `<base href="http://e.example/it's/"><meta http-equiv=refresh content="0;url='x">`,
			"unwritable"},
		{"a comma in an archive", `<base href="http://e.example/a,b/"><applet archive="x">`, "unwritable"},
		{"a comma in what is absolute", `<applet archive="http://e.example/x">`, ""},
		{"a semicolon in a task",
			`<base href="http://e.example/a;b/"><meta name=msapplication-task content="action-uri=x">`, "unwritable"},
	}
	for _, tt := range tests {
		d := webPage(tt.data)
		d.Charset = "utf-8"
		var r Resolver
		var got []string
		for l := range r.Links(d) {
			got = append(got, l.Warnings...)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: warnings of %q = %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestDetect(t *testing.T) {
	tests := []struct {
		data, name string
		want       Format
	}{
		{"<!DOCTYPE html>", "", HTML},
		{" \n<!-- x --><HTML lang=en>", "", HTML},
		{"\xef\xbb\xbf<title>x", "", HTML},
		{string(readingtest.UTF16("<!doctype html>", false)), "", HTML},
		{"<p>x", "", HTML},
		{"<pre>x", "", HTML},
		{"<pre>x", "a.HTM", HTML},
		{"text", "text/html; charset=x", HTML},
		{"text", "a.txt", Plain},
		{"a{}", "dir/A.CSS", CSS},
		{"a{}", "text/css", CSS},
		{"<p>", "a.css", HTML},
		{"\n<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>", "", Bookmarks},
		{"<!DOCTYPE NETSCAPE-Bookmark-file-1>", "bookmarks.html", Bookmarks},
		{"<?xml version='1.0'?><html>", "", XHTML},
		{"<?xml version='1.0'?><html>", "text/html", HTML},
		{"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "a.html", HTML},
		{"<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'>", "", HTML},
		{"<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'>", "a.xhtml", XHTML},
		{"<!DOCTYPE html><html>", "a.svg", HTML},
		{"<?xml version='1.0'?><a>", "", XML},
		{"<?xml version='1.0'?><a>", "a.html", HTML},
		{"<a>", "a.xml", XML},
		{"<!-- <svg> --><svg xmlns='http://www.w3.org/2000/svg'>", "", SVG},
		{"<s:svg xmlns:s='http://www.w3.org/2000/svg'>", "", SVG},
		{"<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'>]><svg xmlns='&s;'>", "", SVG},
		{"<svg>", "", HTML},
		{"<svg>", "a.svg", SVG},
		{"<rss version='2.0'>", "a.html", Feed},
		{"<?xml version='1.0'?>\n<rss>", "a.xml", Feed},
		{"<feed xmlns='http://www.w3.org/2005/Atom'>", "", Feed},
		{"<feed>", "", Unknown},
		{"<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>", "", Feed},
		{"<?xml version='1.0'?><rdf:RDF>", "", XML},
		{"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", "a.xml", Sitemap},
		{"<opml version='2.0'>", "", OPML},
		{"\xff\xfe<\x00r\x00s\x00s\x00>\x00", "", Feed},
		{"<\x00?\x00x\x00m\x00l\x00?\x00>\x00<\x00s\x00v\x00g\x00>\x00", "", SVG},
		{"text", "a.xml", XML},
		{"", "", Unknown},
		{"<html", "", Unknown},
		{"\x89PNG\r\n", "", Unknown},
		{"<section><a href=x>", "", HTML},
		{"<NAV class=a>", "part", HTML},
		{"<my-element>", "", HTML},
		{"Hello <a href=x>", "", HTML},
		{"x</td>", "", HTML},
		{"<?php include 'a'; ?>\n<li>", "a.php", HTML},
		{"{% block a %}<main>", "a.j2", Unknown},
		{"{{ a }}<p>", "", HTML},
		{"abc <a href=x>\x00", "", HTML},
		{"abc \x00<a href=x>", "", Unknown},
		{strings.Repeat(" ", 1023) + "<p>", "", HTML},
		{strings.Repeat("x", 1024) + "<p>", "", Unknown},
		{"if a <b and c", "", Unknown},
		{"sort <input | uniq <p", "", Unknown},
		{"mail <a@b.test>, <unknown> <stdio.h>", "", Unknown},
		{"#!/bin/sh\necho '<p>'", "", Unknown},
		{`{"a": "<p>x</p>"}`, "", Unknown},
		{`[{"a": "<p>x</p>"}]`, "", Unknown},
		{"x = '<p>'", "a.py", Unknown},
		{"x <p>", "a.md", Markdown},
		{"x <p>", "application/octet-stream", Unknown},
		{"x <p>", "message/rfc822", Unknown},
		{"x <p>", "a.css", CSS},
		{"x <p>", "a.txt", Plain},
	}
	for _, tt := range tests {
		if got := Detect([]byte(tt.data), tt.name); got != tt.want {
			t.Errorf("Detect(%q, %q) = %d, want %d", tt.data, tt.name, got, tt.want)
		}
	}
}

// NUL in a script is U+FFFD, as in attributes. Edits beside it are at the right place.
func TestNULInScripts(t *testing.T) {
	const in = "<script type=importmap>\x00{\"imports\":{\"a\":\"/b\x00\",\"c\":\"./d\"}}\x00</script>"
	const want = "<script type=importmap>\x00{\"imports\":{\"a\":\"http://example.test/b%EF%BF%BD\",\"c\":\"http://" +
		"example.test/dir/d\"}}\x00</script>"
	d := webPage(in)
	d.Charset = "utf-8"
	if got := string(rewritten(d)); got != want {
		t.Errorf("%q rewritten to %q, want %q", in, got, want)
	}
}

// The detail of a charset-conflict says that the byte order mark counts, wherever the other name
// comes from. Without a mark the transport counts.
func TestCharsetConflictDetail(t *testing.T) {
	for mark, text := range map[string]string{"": "<a href=\xe9>", "\xef\xbb\xbf": "<a href=é>",
		"\xff\xfe": "<\x00a\x00", "\xfe\xff": "\x00<\x00a"} {
		want := "the byte order mark counts"
		data := mark + text
		if mark == "" {
			data = "<meta charset=utf-8>" + text
			want = ""
		}
		for _, format := range []Format{HTML, XML, CSS, Plain} {
			d := &Doc{Format: format, Data: []byte(data), Charset: "windows-1252"}
			got := "none"
			for _, p := range d.Problems() {
				if p.Kind == CharsetConflict {
					got = p.Detail
				}
			}
			if got != want && (format == HTML || mark != "") {
				t.Errorf("%v: Problems(%q): got the detail %q, want %q", format, data, got, want)
			}
		}
	}
}
